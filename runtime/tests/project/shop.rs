//! A shop: things of customers, written by hand.

use formwork::{extension::Extension, http::route::Route, prelude::*, rules::*};

use super::parts::{Plain, resource};

/// A shop with these routes.
pub struct Shop {
    pub routes: fn() -> Vec<Route>,
}

pub fn service(routes: fn() -> Vec<Route>) -> formwork::Service {
    formwork::service(vec![Box::new(Shop { routes })])
}

/// A shop without routes of its own.
pub fn plain() -> formwork::Service {
    service(Vec::new)
}

impl Extension for Shop {
    fn name(&self) -> &'static str {
        "shop"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource(
            "things",
            Things,
            actions!["index:admin", "show:admin", "store:users", "update:admin"],
        )]
    }

    fn routes(&self) -> Vec<Route> {
        (self.routes)()
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE \"things\" (\"id\" COUNTED_KEY, \"name\" TEXT NOT NULL, \
                   \"note\" TEXT, \"customer_id\" INTEGER)";
        crate::databases::migration(20260203000000, "create_things", sql)
    }
}

/// Words that no thing may be called: the state of some tests.
pub struct Forbidden(pub Vec<&'static str>);

/// The stored records: the state of some tests.
#[derive(Default)]
pub struct Journal(pub std::sync::Mutex<Vec<String>>);

/// The tenant of a request: a layer gives it.
#[derive(Clone)]
pub struct Tenant(pub &'static str);

/// Serves things.
pub struct Things;

model! {
    /// A thing.
    Thing "things" {
        key id: i64,
        column name: String,
        column note: Option<String>,
        column customer_id: Option<i64>,
    }
}

impl Repository for Thing {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["name"];
    const SORT: &'static [&'static str] = &["name"];
    const FILTER: &'static [&'static str] = &["name"];
    const OWNER: Option<&'static str> = Some("customer_id");
}

impl ResourceRequest for Thing {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string(), max(40)]),
        attribute("note", &[nullable(), string()]),
    ];

    async fn validate(input: &Input, ctx: &Context, errors: &mut ValidationErrors) -> Result<()> {
        let Ok(forbidden) = ctx.state::<Forbidden>() else {
            return Ok(());
        };
        let name = input.text("name").unwrap_or_default();
        if forbidden.0.contains(&name) {
            errors.add("name", "The name is forbidden.");
        }
        Ok(())
    }
}

impl RestController for Things {
    type Model = Thing;
    type Repository = Thing;
    type Request = Thing;
    type Transformer = Plain<Thing>;

    const REQUIRED_ABILITIES: &'static [&'static str] = &["things:*"];

    async fn before_create(&self, ctx: &Context, thing: &mut Thing) -> Result<()> {
        if let Some(Tenant(name)) = ctx.extension() {
            thing.note = Some((*name).to_owned());
        }
        Ok(())
    }

    async fn after_create(&self, ctx: &Context, thing: &Thing) -> Result<()> {
        let journal = ctx.state::<Journal>()?;
        let line = format!("{} {}", thing.name, ctx.request_id().len());
        journal.0.lock().expect("a journal").push(line);
        Ok(())
    }
}
