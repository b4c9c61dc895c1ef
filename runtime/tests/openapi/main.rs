//! The description of a service (docs/contract.md, "Routes"), and whether the service is as it says.

mod accept;
mod answers;
mod bodies;
#[path = "../databases/mod.rs"]
mod databases;
mod described;
mod document;
mod filter;
mod filters;
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

use described::Described;
use formwork::{
    config::{Config, SerializerKind},
    testing::Service,
};

const JSON_API: &str = "application/vnd.api+json";

/// The magazine, open and empty.
fn magazine() -> Service {
    with(Config::default())
}

fn with(config: Config) -> Service {
    let extensions: Vec<Box<dyn formwork::extension::Extension>> =
        vec![Box::new(magazine::Magazine), Box::new(routes::Rides)];
    Service::with_config(config, extensions)
}

fn plain() -> Config {
    let mut config = Config::default();
    config.api.serializer = SerializerKind::JsonApi;
    config
}

/// The description of a service.
fn described(service: &Service, prefix: &str) -> Described {
    let answer = service.guest().get(&format!("{prefix}/openapi.json"));
    assert_eq!(answer.status, 200, "{answer}");
    Described::new(answer.json)
}
