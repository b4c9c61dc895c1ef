//! Access over real HTTP: every sentence of docs/contract.md, "Access".

#[path = "../databases/mod.rs"]
mod databases;
mod caller_queries;
mod guessing;
mod house;
mod includes;
mod letters;
mod links;
mod locations;
mod mistakes;
mod permissions;
mod routes;
mod table;
mod theatre;

use formwork::{
    auth::{self, AccountKind},
    testing::{Client, Service},
};

/// The house, with three places only.
fn house() -> Service {
    let service = Service::start(vec![Box::new(house::House)]);
    for name in ["North", "South", "West"] {
        let stored = service
            .admin()
            .post("/api/places", serde_json::json!({"name": name}));
        assert_eq!(stored.status, 201, "{stored}");
    }
    service
}

/// A client with the token of an administrator who is assigned to these places.
fn keeper<'s>(service: &'s Service, email: &str, places: &[i64]) -> Client<'s> {
    let id = service.account(AccountKind::Admin, email);
    let assigned = auth::assign_locations(service.app().db(), id, places);
    service.block_on(assigned).expect("assigned");
    service.with_token(service.token(AccountKind::Admin, id, &["*"]))
}

/// A client with a customer's token.
fn customer<'s>(service: &'s Service, email: &str) -> Client<'s> {
    let id = service.account(AccountKind::Customer, email);
    service.with_token(service.token(AccountKind::Customer, id, &["*"]))
}

/// The ids of a list.
fn ids(list: &formwork::testing::Answer) -> Vec<i64> {
    assert_eq!(list.status, 200, "{list}");
    let rows = list.json["data"].as_array().expect("a list");
    rows.iter().filter_map(|row| row["id"].as_i64()).collect()
}
