//! Access over real HTTP: every sentence of docs/contract.md, "Access".

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

/// Implements the repository and the request of models that are not searched or written.
macro_rules! read_only {
    ($($model:ident),*) => {$(
        impl Repository for $model {
            type Model = Self;
        }

        impl ResourceRequest for $model {
            type Model = Self;

            const ATTRIBUTES: &'static [Attribute] = &[];
        }
    )*};
}

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
    prelude::*,
    testing::{Answer, Client, Service},
};

const MEDIA: [&str; 2] = ["application/json", "application/vnd.api+json"];

/// The house, with three places only.
fn house() -> Service {
    let service = Service::start(vec![Box::new(house::House)]);
    for name in ["North", "South", "West"] {
        create(&service.admin(), "/api/places", json!({"name": name}));
    }
    service
}

/// Creates a record, and returns its id.
fn create(client: &Client<'_>, path: &str, body: Json) -> i64 {
    let answer = client.post(path, body);
    assert_eq!(answer.status, 201, "{answer}");
    answer.json["data"]["id"].as_i64().expect("an id")
}

/// A client with a token that has these abilities.
fn client<'s>(
    service: &'s Service,
    kind: AccountKind,
    email: &str,
    abilities: &[&str],
) -> Client<'s> {
    let id = service.account(kind, email);
    service.with_token(service.token(kind, id, abilities))
}

/// A client with the token of an administrator who is assigned to these places.
fn keeper<'s>(service: &'s Service, email: &str, places: &[i64]) -> Client<'s> {
    let id = service.account(AccountKind::Admin, email);
    let assigned = auth::assign_locations(service.app().db(), id, places);
    service.block_on(assigned).expect("assigned");
    service.with_token(service.token(AccountKind::Admin, id, &["*"]))
}

/// Clients with the tokens of two customers.
fn alice_and_bob(service: &Service) -> (Client<'_>, Client<'_>) {
    let customer = |email: &str| client(service, AccountKind::Customer, email, &["*"]);
    (customer("alice@example.com"), customer("bob@example.com"))
}

/// The ids of a list.
fn ids(list: &Answer) -> Vec<i64> {
    assert_eq!(list.status, 200, "{list}");
    let rows = list.json["data"].as_array().expect("a list");
    rows.iter().filter_map(|row| row["id"].as_i64()).collect()
}
