//! Eight resources, five actions, three callers: allowed and refused callers, and the answers
//! (docs/contract.md, "Access").

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::{Restaurant, shared};
use serde_json::Value;

use crate::payloads;

/// A resource with the contexts of index, show, store, update, destroy.
const RESOURCES: [(&str, [&str; 5]); 8] = [
    ("categories", ["all", "all", "admin", "admin", "admin"]),
    ("coupons", ["admin", "admin", "admin", "admin", "admin"]),
    ("customers", ["admin", "admin", "admin", "users", "admin"]),
    ("locations", ["all", "admin", "admin", "admin", "admin"]),
    ("menus", ["all", "all", "admin", "admin", "admin"]),
    ("orders", ["users", "users", "users", "admin", "admin"]),
    (
        "reservations",
        ["users", "users", "users", "admin", "admin"],
    ),
    ("reviews", ["users", "users", "users", "admin", "admin"]),
];

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caller {
    Guest,
    Customer,
    Admin,
}

impl Caller {
    fn client(self, restaurant: &Restaurant) -> Client {
        match self {
            Self::Guest => restaurant.guest(),
            Self::Customer => restaurant.alice(),
            Self::Admin => restaurant.admin(),
        }
    }

    /// The status a context refuses this caller with; `None` when it serves him.
    fn refused(self, context: &str) -> Option<u16> {
        match (context, self) {
            ("all", _) | ("users", Self::Customer | Self::Admin) | ("admin", Self::Admin) => None,
            (_, Self::Guest) => Some(401),
            _ => Some(403),
        }
    }
}

#[test]
fn each_action_serves_the_callers_of_its_context_and_refuses_others() {
    let restaurant = shared();
    for (resource, contexts) in RESOURCES {
        for caller in [Caller::Guest, Caller::Customer, Caller::Admin] {
            for (action, context) in ["index", "show", "store", "update", "destroy"]
                .iter()
                .zip(contexts)
            {
                let answer = call(restaurant, caller, resource, action);
                let expected = caller.refused(context).unwrap_or(match *action {
                    "store" => 201,
                    "destroy" => 204,
                    _ => 200,
                });
                assert_eq!(
                    answer.status, expected,
                    "{caller:?} {action} {resource}: {answer}"
                );
                if expected == 401 {
                    assert_eq!(
                        answer.header("www-authenticate"),
                        Some("Bearer"),
                        "{resource} {action}"
                    );
                }
                assert!(
                    answer.header("x-request-id").is_some(),
                    "{resource} {action}"
                );
            }
        }
    }
}

/// One request on a row the caller may see, where there is one.
fn call(restaurant: &Restaurant, caller: Caller, resource: &str, action: &str) -> Answer {
    let client = caller.client(restaurant);
    let path = format!("/api/{resource}");
    match action {
        "index" => client.get(&path),
        "store" => client.post(&path, &store_body(restaurant, resource)),
        "show" => client.get(&format!("{path}/{}", row_of_alice(restaurant, resource))),
        "update" => {
            let row = row_of_alice(restaurant, resource);
            client.patch(&format!("{path}/{row}"), &payloads::update(resource))
        }
        _ => client.delete(&format!("{path}/{}", new_row(restaurant, resource))),
    }
}

fn store_body(restaurant: &Restaurant, resource: &str) -> Value {
    payloads::store(resource, payloads::new_order(&restaurant.alice()))
}

/// A row that alice and the administrator both see.
fn row_of_alice(restaurant: &Restaurant, resource: &str) -> i64 {
    match resource {
        "customers" => customer_id(&restaurant.alice()),
        "orders" | "reservations" | "reviews" => {
            restaurant.alice().get(&format!("/api/{resource}")).ids()[0]
        }
        _ => restaurant.admin().get(&format!("/api/{resource}")).ids()[0],
    }
}

/// A row made for being destroyed.
fn new_row(restaurant: &Restaurant, resource: &str) -> i64 {
    let answer = restaurant.admin().post(
        &format!("/api/{resource}"),
        &store_body(restaurant, resource),
    );
    assert_eq!(answer.status, 201, "{resource}: {answer}");
    answer.json["data"]["id"].as_i64().expect("an integer id")
}

fn customer_id(client: &Client) -> i64 {
    let answer = client.get("/api/token/user");
    answer.json["user"]["id"]
        .as_i64()
        .unwrap_or_else(|| panic!("no account: {answer}"))
}

/// The resources whose rows belong to a customer.
const OWNED: [&str; 3] = ["orders", "reservations", "reviews"];

#[test]
fn a_customer_reaches_no_row_of_another_by_id() {
    let restaurant = shared();
    for resource in OWNED {
        let foreign = restaurant.bob().get(&format!("/api/{resource}")).ids()[0];
        let path = format!("/api/{resource}/{foreign}");
        assert_eq!(restaurant.bob().get(&path).status, 200, "{resource}");
        assert_eq!(restaurant.alice().get(&path).status, 404, "{resource}");
    }
    let bob = customer_id(&restaurant.bob());
    let change = payloads::update("customers");
    assert_eq!(
        restaurant
            .alice()
            .patch(&format!("/api/customers/{bob}"), &change)
            .status,
        404
    );
}

#[test]
fn a_customer_reaches_no_row_of_another_by_list_filter_search_or_total() {
    let restaurant = shared();
    let bob = customer_id(&restaurant.bob());
    for resource in OWNED {
        let foreign = restaurant
            .bob()
            .get(&format!("/api/{resource}?pageLimit=100"))
            .ids();
        assert!(!foreign.is_empty(), "{resource}");
        let mut queries = vec![
            "pageLimit=100".to_owned(),
            format!("customer={bob}"),
            format!("filter[customer_id]={bob}"),
            format!("filter[id]={}", foreign[0]),
        ];
        if resource != "reviews" {
            queries.push("search=bob".to_owned());
        }
        for query in queries {
            let answer = restaurant.alice().get(&format!("/api/{resource}?{query}"));
            assert_eq!(answer.status, 200, "{resource}?{query}: {answer}");
            assert!(
                answer.ids().iter().all(|id| !foreign.contains(id)),
                "{resource}?{query}: {answer}"
            );
        }
        let mine = restaurant
            .alice()
            .get(&format!("/api/{resource}?pageLimit=100"));
        assert_eq!(
            mine.json["meta"]["pagination"]["total"],
            mine.ids().len(),
            "{resource}: {mine}"
        );
    }
}

#[test]
fn an_include_obeys_the_rules_of_the_included_resource() {
    let restaurant = shared();
    // Reviews are for users: a guest may list locations, but not with their reviews.
    assert_eq!(
        restaurant
            .guest()
            .get("/api/locations?include=reviews")
            .status,
        403
    );
    let answer = restaurant.alice().get("/api/locations?include=reviews");
    assert_eq!(answer.status, 200, "{answer}");
    let mine = restaurant.alice().get("/api/reviews?pageLimit=100").ids();
    let shown = answer.records().iter().flat_map(|location| {
        let reviews = location["reviews"].as_array().expect("a list");
        reviews
            .iter()
            .filter_map(|review| review["id"].as_i64())
            .collect::<Vec<_>>()
    });
    let shown: Vec<i64> = shown.collect();
    assert!(!shown.is_empty(), "{answer}");
    assert!(shown.iter().all(|id| mine.contains(id)), "{answer}");
    // Customers are for administrators: other callers cannot include them.
    let answer = restaurant.alice().get("/api/orders?include=customer");
    assert_eq!(answer.status, 403, "{answer}");
    assert!(answer.body.contains("customer"), "{answer}");
}

#[test]
fn a_new_record_belongs_to_its_caller_and_not_to_the_owner_in_the_body() {
    let restaurant = shared();
    let (alice, bob) = (
        customer_id(&restaurant.alice()),
        customer_id(&restaurant.bob()),
    );
    for resource in OWNED {
        let mut body = store_body(restaurant, resource);
        body["customer_id"] = bob.into();
        let answer = restaurant.alice().post(&format!("/api/{resource}"), &body);
        assert_eq!(answer.status, 201, "{resource}: {answer}");
        assert_eq!(
            answer.json["data"]["customer_id"], alice,
            "{resource}: {answer}"
        );
    }
}

#[test]
fn customers_cannot_write_protected_attributes() {
    let restaurant = shared();
    let alice = customer_id(&restaurant.alice());
    let before = restaurant
        .admin()
        .get(&format!("/api/customers/{alice}"))
        .json["data"]
        .clone();
    let body = serde_json::json!({
        "customer_id": 999, "customer_group_id": 2, "status": false, "is_activated": false,
        "ip_address": "10.0.0.1", "created_at": "2001-01-01T00:00:00Z", "reset_code": "x",
    });
    let answer = restaurant
        .alice()
        .patch(&format!("/api/customers/{alice}"), &body);
    assert_eq!(answer.status, 200, "{answer}");
    let after = restaurant
        .admin()
        .get(&format!("/api/customers/{alice}"))
        .json["data"]
        .clone();
    for kept in [
        "id",
        "customer_group_id",
        "status",
        "is_activated",
        "ip_address",
        "created_at",
    ] {
        assert_eq!(before[kept], after[kept], "{kept}");
    }
    for hidden in [
        "password",
        "reset_code",
        "reset_time",
        "activation_code",
        "remember_token",
    ] {
        assert!(after.get(hidden).is_none(), "{hidden} is shown: {after}");
    }
}
