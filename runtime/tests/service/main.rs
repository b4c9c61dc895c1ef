//! A hand-written service over real HTTP: docs/contract.md.

mod access;
mod credentials;
#[path = "../databases/mod.rs"]
mod databases;
mod library;
mod ownership;
mod required_columns;
mod token_limit;
mod tokens;

use formwork::{config::Config, testing::Service};
use serde_json::json;

/// The library, with members as customers and two books.
fn library() -> Service {
    let service = empty_library();
    let admin = service.admin();
    for (title, price) in [("Stone Bread", "12.5"), ("A River", "7.00")] {
        let answer = admin.post("/api/books", json!({"title": title, "price": price}));
        assert_eq!(answer.status, 201, "{answer}");
    }
    service
}

fn empty_library() -> Service {
    configured("auth: { customers: members }")
}

fn configured(yaml: &str) -> Service {
    let config = Config::from_sources(yaml, []).expect("configuration");
    Service::with_config(config, library::extensions())
}
