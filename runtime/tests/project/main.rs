//! The service is the project's: state, layers, settings, callers, tasks; and its own routes as handlers
//! of axum (docs/guide/own-service.md, docs/guide/custom-routes.md).

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

use formwork::{Service, testing};

/// The shop, started.
fn start(service: Service) -> testing::Service {
    testing::Service::setup(service).config(config("")).start()
}

fn config(yaml: &str) -> formwork::config::Config {
    formwork::config::Config::from_sources(yaml, []).expect("a configuration")
}
