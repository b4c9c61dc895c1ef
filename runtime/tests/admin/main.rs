//! The admin area, over real HTTP: docs/contract.md, "Routes".

mod accept;
mod addresses;
mod anything;
mod browser;
mod confirm;
mod cookies;
mod damaged;
#[path = "../databases/mod.rs"]
mod databases;
mod docs;
mod focus;
mod guards;
#[path = "../http/kitchen.rs"]
#[allow(dead_code, reason = "the tests of its own look at more of it")]
mod kitchen;
mod limits;
mod lines;
mod lists;
#[path = "../running/log.rs"]
mod log;
mod overtaken;
mod paths;
mod refusals;
mod replicas;
mod resumed;
mod secure_cookies;
mod sessions;
mod settings;
mod signing;
mod statements;
mod sync;
mod texts;
mod tokens;
mod widening;

use std::sync::Arc;

use axum::{body::Body, http::Request};
use formwork::{
    app::{App, Statements},
    auth::{AccountKind, hash_password},
    config::Config,
    data::{database::Dialect, value::Value},
    prelude::{ApiResource, Extension, Migration, SupportingModel},
    testing::Service,
};
use tower::ServiceExt;

use browser::{Browser, Page};

type Extensions = Vec<Box<dyn Extension>>;

fn config(yaml: &str) -> Config {
    Config::from_sources(yaml, []).expect("a configuration")
}

/// Returns the kitchen, and an extension with docs about its dishes.
fn extensions() -> Extensions {
    vec![Box::new(kitchen::Kitchen), Box::new(docs::Booklet)]
}

/// The kitchen with other resources: the next version, or the previous one.
struct ChangedKitchen {
    change: fn(&mut Vec<ApiResource>),
    /// Models of resources that are not registered any more: relations refer to them.
    models: fn() -> Vec<SupportingModel>,
}

impl Extension for ChangedKitchen {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = kitchen::Kitchen.register_api_resources();
        (self.change)(&mut resources);
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        let mut models = kitchen::Kitchen.register_models();
        models.extend((self.models)());
        models
    }

    fn migrations(&self) -> &'static [Migration] {
        kitchen::Kitchen.migrations()
    }
}

/// Returns the kitchen after this change of its resources.
fn changed_kitchen(change: fn(&mut Vec<ApiResource>)) -> Extensions {
    let models = Vec::new;
    vec![Box::new(ChangedKitchen { change, models })]
}

fn service() -> Arc<Service> {
    configured("")
}

/// Starts a service with this configuration.
fn configured(yaml: &str) -> Arc<Service> {
    start(yaml, extensions())
}

fn start(yaml: &str, extensions: Extensions) -> Arc<Service> {
    Service::with_config(config(yaml), extensions).into()
}

/// Starts a service, and a browser in which an administrator with all permissions is signed in.
fn area() -> (Arc<Service>, Browser) {
    let service = service();
    let browser = signed_in(&service);
    (service, browser)
}

/// Returns a browser in which a new administrator with all permissions is signed in: `chef`,
/// `formwork`.
fn signed_in(service: &Arc<Service>) -> Browser {
    service.account(AccountKind::Admin, "chef@example.com");
    signed_in_again(service)
}

/// Returns another browser of the same administrator.
fn signed_in_again(service: &Arc<Service>) -> Browser {
    let browser = Browser::new(service);
    browser.sign_in("chef", "formwork");
    browser
}

/// Runs a statement.
fn change(service: &Service, sql: &'static str) {
    change_with(service, sql, []);
}

/// Like [`change`], with values for the `?` in it.
fn change_with<const N: usize>(service: &Service, sql: &'static str, values: [Value; N]) {
    let done = service.app().db().execute(sql, values);
    service.block_on(done).expect("a statement");
}

/// Returns the first column of a query's rows.
fn column(service: &Service, sql: &'static str) -> Vec<Value> {
    let rows = service.block_on(service.app().db().rows(sql, []));
    let rows = rows.expect("rows").into_iter();
    rows.map(|row| row[0].clone()).collect()
}

/// Sets the password of all administrators.
fn set_password(service: &Service, password: &str) {
    let hash = service.block_on(hash_password(password)).expect("a hash");
    change_with(
        service,
        "UPDATE admin_users SET password = ?",
        [hash.into()],
    );
}

/// Returns the status of an app's response, and how many statements it took.
fn cost(service: &Service, app: &App, request: Request<Body>) -> (u16, u64) {
    let answer = service.block_on(app.router().oneshot(request));
    let answer = answer.expect("an answer");
    let statements = answer.extensions().get::<Statements>();
    (
        answer.status().as_u16(),
        statements.map_or(0, |count| count.0),
    )
}

/// Returns whether the tests run on SQLite, which also stores texts that are no UTF-8.
fn on_sqlite(service: &Service) -> bool {
    service.app().db().dialect() == Dialect::Sqlite
}
