//! A small service, written by hand, over real HTTP: docs/contract.md, heading by heading.

mod after_hooks;
mod bounds;
mod callers;
mod changes;
mod contract;
#[path = "../databases/mod.rs"]
mod databases;
mod decisions;
mod features;
mod hooks_elsewhere;
mod ids;
mod kitchen;
mod lists;
mod methods;
mod misspelt;
mod pairs;
mod prepare;
mod protocol;
mod races;
mod registration;
mod relations;
mod shared_rows;
mod statements;
mod words;

use formwork::testing::Service;

/// The kitchen, open and empty.
fn kitchen() -> Service {
    Service::start(vec![Box::new(kitchen::Kitchen)])
}
