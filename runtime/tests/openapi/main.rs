//! The description of a service (docs/contract.md, "Routes"), and whether the service fits it.

mod accept;
mod answers;
mod bodies;
#[path = "../databases/mod.rs"]
mod databases;
mod described;
mod document;
mod filter;
mod filters;
#[macro_use]
#[path = "../json_api/magazine.rs"]
#[allow(dead_code, reason = "the tests of JSON:API look at more of it")]
mod magazine;
mod page;
mod parameters;
mod refusals;
mod routes;
mod sent;
#[path = "../../../tests/skipped.rs"]
#[allow(dead_code, reason = "the tests of servers use more of it")]
mod skipped;
mod tokens;
mod uploads;

use std::sync::OnceLock;

use described::Described;
use formwork::{
    config::{Config, SerializerKind},
    extension::Extension,
    testing::{Client, Service},
};

const JSON: &str = "application/json";
const JSON_API: &str = "application/vnd.api+json";

/// Starts the magazine, open and empty.
fn magazine() -> Service {
    with(|_| {})
}

/// Starts the magazine with another configuration.
fn with(change: impl FnOnce(&mut Config)) -> Service {
    let mut config = Config::default();
    change(&mut config);
    let extensions: Vec<Box<dyn Extension>> =
        vec![Box::new(magazine::Magazine), Box::new(routes::Lending)];
    Service::with_config(config, extensions)
}

/// Sets `api.serializer: json_api`.
fn serialize_json_api(config: &mut Config) {
    config.api.serializer = SerializerKind::JsonApi;
}

/// Returns the description of [`magazine`], which all tests share.
fn described() -> &'static Described {
    static DESCRIBED: OnceLock<Described> = OnceLock::new();
    DESCRIBED.get_or_init(|| description_of(&magazine(), "/api"))
}

/// Returns the description of a service.
fn description_of(service: &Service, prefix: &str) -> Described {
    let answer = service.guest().get(&format!("{prefix}/openapi.json"));
    assert_eq!(answer.status, 200, "{answer}");
    Described::new(answer.json)
}

/// Returns a client that accepts this media type.
fn accepting<'s>(client: &Client<'s>, media: &str) -> Client<'s> {
    client.clone().header("Accept", media)
}
