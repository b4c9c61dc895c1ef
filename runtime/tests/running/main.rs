//! Concurrency and running, over real HTTP: docs/contract.md, "Errors" (entity tags), "Limits and running".

mod connections;
#[path = "../databases/mod.rs"]
mod databases;
mod costly_hashes;
mod disk;
mod endless;
mod ends;
mod forwarded_bytes;
#[cfg(unix)]
mod fronts;
mod gate;
mod guards;
mod heads;
#[path = "../http/kitchen.rs"]
#[allow(dead_code, reason = "the tests of its own look at more of it")]
mod kitchen;
mod limits;
mod log;
mod logins;
mod logs;
mod metrics;
mod once;
mod order;
mod oven;
mod parcels;
mod pool;
mod proxies;
mod raw;
mod replicas;
mod requests;
#[path = "../../../tests/skipped.rs"]
#[allow(dead_code, reason = "Redis and proxies are optional")]
mod skipped;
mod statuses;
mod stop;
mod tags;
mod turns;
mod unread;

use formwork::{config::Config, extension::Extension, testing::Service};

fn config(yaml: &str) -> Config {
    Config::from_sources(yaml, []).expect("a configuration")
}

/// The kitchen, open and empty.
fn kitchen() -> Service {
    Service::with_config(config(""), extensions())
}

fn extensions() -> Vec<Box<dyn Extension>> {
    vec![Box::new(kitchen::Kitchen), Box::new(oven::Oven::default())]
}
