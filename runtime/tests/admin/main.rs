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

use browser::Browser;
use formwork::{
    auth::AccountKind, config::Config, data::database::Dialect, data::value::Value,
    extension::Extension, testing::Service,
};

fn config(yaml: &str) -> Config {
    Config::from_sources(yaml, []).expect("a configuration")
}

/// The kitchen, and what was written about its dishes.
fn extensions() -> Vec<Box<dyn Extension>> {
    vec![Box::new(kitchen::Kitchen), Box::new(docs::Booklet)]
}

fn service() -> Service {
    Service::with_config(config(""), extensions())
}

/// Where the area is.
fn base(service: &Service) -> String {
    let path = service.app().config().setting("admin.path");
    path.expect("a path").to_owned()
}

/// A browser in which an administrator who may do everything is signed in: `chef`, `formwork`.
fn signed_in(service: &Service) -> Browser<'_> {
    service.account(AccountKind::Admin, "chef@example.com");
    let browser = Browser::new(service);
    browser.sign_in("chef", "formwork");
    browser
}

/// Runs a statement.
fn change(service: &Service, sql: &'static str) {
    change_with(service, sql, []);
}

/// As [`change`], with values for the `?` in it.
fn change_with<const N: usize>(service: &Service, sql: &'static str, values: [Value; N]) {
    let done = service.app().db().execute(sql, values);
    service.block_on(done).expect("a statement");
}

/// Whether the tests run on SQLite, which also stores texts that are no UTF-8.
fn on_sqlite(service: &Service) -> bool {
    service.app().db().dialect() == Dialect::Sqlite
}
