//! Small services, written by hand, over real HTTP: docs/contract.md, heading by heading.

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
mod kitchen;

mod access;
mod after_hooks;
mod bounds;
mod changes;
mod contract;
mod decisions;
mod features;
mod hooks_elsewhere;
mod ids;
mod library;
mod lists;
mod misspelt;
mod pairs;
mod protocol;
mod races;
mod registration;
mod relations;
mod required_columns;
mod statements;
mod support;
mod token_limit;
mod tokens;
mod words;

use formwork::{config::Config, testing::Service};

/// The kitchen, open and empty.
fn kitchen() -> Service {
    Service::start(vec![Box::new(kitchen::Kitchen)])
}

/// The library with two books; its members are the customers.
fn library() -> Service {
    let config = Config::from_sources("auth: { customers: members }", []);
    let service = Service::with_config(config.expect("a configuration"), library::extensions());
    let lines = r#"
        admin POST /api/books {"title": "Stone Bread", "price": "12.5"} => 201 /data/price "12.50"
        admin POST /api/books {"title": "A River", "price": "7.00"}     => 201"#;
    support::check(&service, lines);
    service
}
