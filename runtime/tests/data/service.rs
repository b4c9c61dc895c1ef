//! A registry and a database for the tests of the data layer.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use formwork::App;
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

/// Shows a record as it is.
struct Plain<M>(PhantomData<fn() -> M>);

impl<M: Model> Transformer for Plain<M> {
    type Model = M;

    fn transform<'a>(record: &'a Loaded<M>, _ctx: &'a Context) -> impl Serialize + 'a {
        record.record()
    }
}

struct Cart;

impl Extension for Cart {
    fn name(&self) -> &'static str {
        "cart"
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Menu>("menus"),
            SupportingModel::of::<Order>("orders"),
            SupportingModel::of::<Place>("places"),
            SupportingModel::of::<Note>("notes"),
            SupportingModel::of::<Category>("categories"),
            SupportingModel::of::<Media>("media"),
            SupportingModel::of::<Review>("reviews"),
        ]
    }
}

/// A service with empty tables, in memory or on the server of the tests.
async fn app() -> Arc<App> {
    let Some(database) = TemporaryDatabase::on_server().await else {
        return with_database(DatabaseOptions::new("sqlite::memory:")).await;
    };
    let options = DatabaseOptions::new(&database.url);
    // The database is removed with the service.
    start(
        formwork::service(vec![Box::new(Cart)]).state(database),
        options,
    )
    .await
}

pub async fn with_database(options: DatabaseOptions) -> Arc<App> {
    start(formwork::service(vec![Box::new(Cart)]), options).await
}

/// The options of an SQLite file in this folder.
pub fn in_file(folder: &tempfile::TempDir) -> DatabaseOptions {
    let url = format!("sqlite://{}/new/data.sqlite", folder.path().display());
    DatabaseOptions::new(url)
}

/// A service on an SQLite file, with one connection.
pub async fn with_one_connection(folder: &tempfile::TempDir) -> Arc<App> {
    with_database(DatabaseOptions {
        max: 1,
        acquire_timeout: Duration::from_millis(200),
        ..in_file(folder)
    })
    .await
}

async fn start(service: formwork::Service, database: DatabaseOptions) -> Arc<App> {
    let config = Config {
        database,
        ..Config::default()
    };
    let app = service.start(config).await.expect("a service");
    let db = app.db();
    let sql = poured(tables::SQL, db.dialect().name());
    for statement in sql.split(";\n").filter(|sql| !sql.trim().is_empty()) {
        db.execute(statement.to_owned(), []).await.expect(statement);
    }
    app
}

pub async fn admin() -> Context {
    app().await.context()
}

/// A context with menus of these names.
pub async fn with_menus(names: &[&str]) -> Context {
    let ctx = admin().await;
    for name in names {
        let inserted = tables::menu(name, "2.5").insert(&ctx).await;
        inserted.expect("stored");
    }
    ctx
}

/// Returns the number of menus.
pub async fn count(ctx: &Context) -> u64 {
    Menu::unscoped().count(ctx).await.expect("counted")
}

/// Returns the menu with this key.
pub async fn find(ctx: &Context, key: i64) -> Menu {
    Menu::unscoped()
        .find(ctx, key)
        .await
        .expect("read")
        .expect("a menu")
}

/// The plan of `include` (and `exclude`) for a source.
pub fn plan(ctx: &Context, key: &str, query: &str) -> Result<Includes> {
    let params = Params::read(query, &QueryRules::record(), grammar::<Menu>)?;
    let index = ctx.registry().index(key).expect(key);
    loader::plan(ctx, index, params.include(), params.exclude())
}

/// Loads records with their includes.
pub async fn load<M: Model>(
    ctx: &Context,
    key: &str,
    records: Vec<M>,
    query: &str,
) -> Vec<Loaded<M>> {
    let includes = plan(ctx, key, query).expect("a plan");
    let loaded = loader::load(ctx, records, &includes).await;
    loaded.expect("loaded")
}

/// Returns records with their includes, as clients see them.
pub async fn render<M: Model>(ctx: &Context, key: &str, records: Vec<M>, query: &str) -> Json {
    let includes = plan(ctx, key, query).expect("a plan");
    let loaded = loader::load(ctx, records, &includes).await;
    let mut out = Vec::new();
    serializer::write_list::<Plain<M>>(&mut out, &loaded.expect("loaded"), &includes, ctx)
        .expect("written");
    serde_json::from_slice(&out).expect("JSON")
}
