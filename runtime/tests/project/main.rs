//! The service is the project's: state, layers, settings, callers, tasks; and its own routes as handlers
//! of axum (docs/guide/own-service.md, docs/guide/custom-routes.md).

#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

mod actions;
mod audit;
mod background;
mod callers;
#[path = "../databases/mod.rs"]
mod databases;
mod handlers;
mod issuer;
mod layers;
mod nested;
mod once;
mod outside_administrators;
mod own_rules;
#[path = "../running/raw.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod raw;
mod request;
mod serializers;
mod settings;
mod shop;
mod state;
mod streams;
mod workshop;

use formwork::{
    Service,
    auth::AccountKind,
    prelude::*,
    testing::{self, Answer, Client},
};

const JSON_API: &str = "application/vnd.api+json";

/// Starts a service.
fn start(service: Service) -> testing::Service {
    start_with("", service)
}

/// Starts a service with this configuration.
fn start_with(yaml: &str, service: Service) -> testing::Service {
    testing::Service::setup(service)
        .config(config(yaml))
        .start()
}

fn config(yaml: &str) -> formwork::config::Config {
    formwork::config::Config::from_sources(yaml, []).expect("a configuration")
}

/// Returns the error of a service that does not start.
fn start_error(yaml: &str, service: Service) -> String {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let started = runtime.block_on(service.start(config(yaml)));
    started.err().expect("it does not start").to_string()
}

/// Returns the token of a customer with these abilities, and the customer's id.
fn create_token(service: &testing::Service, email: &str, ability: &str) -> (String, i64) {
    let id = service.account(AccountKind::Customer, email);
    (service.token(AccountKind::Customer, id, &[ability]), id)
}

/// Creates a record, and returns the answer.
fn create(client: &Client<'_>, path: &str, body: Json) -> Answer {
    let answer = client.post(path, body);
    assert_eq!(answer.status, 201, "{answer}");
    answer
}

/// The same client, which accepts documents of JSON:API.
fn accept_documents<'s>(client: &Client<'s>) -> Client<'s> {
    client.clone().header("Accept", JSON_API)
}
