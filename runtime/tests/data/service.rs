//! A registry and a database for the tests of the data layer.

use std::sync::Arc;

use formwork::App;
use formwork::auth::AccountKind;
use formwork::config::Config;
use formwork::data::database::DatabaseOptions;
use formwork::prelude::*;
use formwork_core::loader::{self, Includes};
use formwork_core::params::QueryRules;
use formwork_core::repository::grammar;
use formwork_core::serializer;
use serde::Serialize;

use crate::pouring::poured;
use crate::tables::{self, Category, Media, Menu, Note, Order, Place, Review};
use crate::temporary::TemporaryDatabase;

/// Menus are a resource with every kind of query parameter.
pub struct MenuRepository;

impl Repository for MenuRepository {
    type Model = Menu;
    const SEARCH: &'static [&'static str] = &["menu_name", "menu_price"];
    const SORT: &'static [&'static str] = &["menu_name", "menu_price"];
    const FILTER: &'static [&'static str] = &[
        "menu_price",
        "menu_status",
        "menu_name",
        "created_at",
        "weight",
        "parent_id",
    ];

    fn filters(to: &mut Filters<Menu>) {
        to.column("enabled", "menu_status").default("true");
        to.column("parent", "parent_id");
        to.custom("category", |query, value, _ctx| {
            let ids = value.integers()?;
            let among = vec!["?"; ids.len()].join(", ");
            query.filter_sql(
                format!("menus.menu_id IN (SELECT menu_id FROM menu_categories WHERE category_id IN ({among}))").leak(),
                ids,
            );
            Ok(())
        });
    }
}

/// Orders are a customer's own.
pub struct OrderRepository;

impl Repository for OrderRepository {
    type Model = Order;
    const OWNER: Option<&'static str> = Some("customer_id");
}

/// Shows a record as it is.
pub struct Plain<M>(std::marker::PhantomData<fn() -> M>);

impl<M: Model> Transformer for Plain<M> {
    type Model = M;

    fn transform<'a>(record: &'a Loaded<M>, _ctx: &'a Context) -> impl Serialize + 'a {
        record.record()
    }
}

pub struct Anything<M>(std::marker::PhantomData<fn() -> M>);

impl<M: Model> ResourceRequest for Anything<M> {
    type Model = M;
    const ATTRIBUTES: &'static [Attribute] = &[];
}

/// The database of the test goes with it.
pub struct Menus(#[expect(dead_code, reason = "dropped")] Option<Arc<TemporaryDatabase>>);

impl RestController for Menus {
    type Model = Menu;
    type Repository = MenuRepository;
    type Request = Anything<Menu>;
    type Transformer = Plain<Menu>;
    const ACTIONS: &'static [ActionConfig] = &[index(), show()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["menus:*"];
}

pub struct Orders;

impl RestController for Orders {
    type Model = Order;
    type Repository = OrderRepository;
    type Request = Anything<Order>;
    type Transformer = Plain<Order>;
    const ACTIONS: &'static [ActionConfig] = &[index(), show()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["orders:*"];
}

struct Cart(Option<Arc<TemporaryDatabase>>);

impl Extension for Cart {
    fn name(&self) -> &'static str {
        "cart"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            ApiResource {
                key: "menus",
                name: "Menus",
                description: "Menus",
                controller: Box::new(Menus(self.0.clone())),
                actions: actions!["index", "show"],
            },
            ApiResource {
                key: "orders",
                name: "Orders",
                description: "Orders",
                controller: Box::new(Orders),
                actions: actions!["index:users", "show:users"],
            },
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Place>("places"),
            SupportingModel::of::<Note>("notes"),
            SupportingModel::of::<Category>("categories"),
            SupportingModel::of::<Media>("media"),
            SupportingModel::of::<Review>("reviews"),
        ]
    }
}

/// A service with empty tables, in memory or on the server of the tests.
pub async fn app() -> Arc<App> {
    let Some(database) = TemporaryDatabase::on_server().await else {
        return with_database(&DatabaseOptions::new("sqlite::memory:")).await;
    };
    let options = DatabaseOptions::new(&database.url);
    on(&options, Some(database)).await
}

pub async fn with_database(options: &DatabaseOptions) -> Arc<App> {
    on(options, None).await
}

async fn on(options: &DatabaseOptions, database: Option<TemporaryDatabase>) -> Arc<App> {
    let config = Config {
        database: options.clone(),
        ..Config::default()
    };
    let cart = Cart(database.map(Arc::new));
    let started = formwork::service(vec![Box::new(cart)]).start(config).await;
    let app = started.expect("a service");
    let db = app.db();
    for statement in poured(tables::SQL, db.dialect().name())
        .split(";\n")
        .filter(|sql| !sql.trim().is_empty())
    {
        db.execute(statement.to_owned(), []).await.expect(statement);
    }
    app
}

pub async fn admin() -> Context {
    app().await.context()
}

pub fn customer(ctx: &Context, id: i64) -> Context {
    let account = Account::without_token(AccountKind::Customer, id, "c@example.org");
    Context::outside(Arc::clone(ctx.app()), Caller::Customer(account))
}

pub fn guest(ctx: &Context) -> Context {
    Context::outside(Arc::clone(ctx.app()), Caller::Guest)
}

/// A page of menus, by a query string.
pub async fn page(ctx: &Context, query: &str) -> Result<formwork_core::repository::Page<Menu>> {
    let params = Params::read(
        query,
        &QueryRules::page((3, 100)),
        grammar::<MenuRepository>,
    )?;
    formwork_core::repository::page::<MenuRepository>(ctx, &params).await
}

/// The plan of `include` (and `exclude`) for a source.
pub fn plan(ctx: &Context, key: &str, query: &str) -> Result<Includes> {
    let params = Params::read(query, &QueryRules::record(), grammar::<MenuRepository>)?;
    let index = ctx.registry().index(key).expect(key);
    loader::plan(ctx, index, params.include(), params.exclude())
}

/// Records with their includes, as clients see them.
pub async fn shown<M: Model>(
    ctx: &Context,
    key: &str,
    records: Vec<M>,
    query: &str,
) -> Result<Json> {
    let includes = plan(ctx, key, query)?;
    let loaded = loader::load(ctx, records, &includes).await?;
    let mut out = Vec::new();
    serializer::write_list::<Plain<M>>(&mut out, &loaded, &includes, ctx)?;
    Ok(serde_json::from_slice(&out).expect("JSON"))
}
