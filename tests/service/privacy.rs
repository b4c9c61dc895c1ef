//! A customer cannot reach another customer's rows: id, list, filter, search, sort, count, include,
//! relationship (docs/contract.md, "Access"); in both renderings.

use std::collections::BTreeSet;

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering},
};

/// The resources whose rows belong to a customer.
const OWNED: [&str; 3] = ["orders", "reservations", "reviews"];

/// A word that occurs in bob's rows only.
const SECRET: &str = "Quincunx";

fn account(client: &Client) -> i64 {
    let answer = client.get("/api/token/user");
    answer.json["user"]["id"].as_i64().expect("a key")
}

/// A row of bob's with the secret in it.
fn secret(resource: &str) -> i64 {
    let bob = shared().bob();
    let mut body = payloads::store(resource, payloads::new_order(&bob));
    let member = match resource {
        "reviews" => "author",
        _ => "first_name",
    };
    body[member] = json!(SECRET);
    let answer = bob.post(&format!("/api/{resource}"), &body);
    assert_eq!(answer.status, 201, "{resource}: {answer}");
    answer.json["data"]["id"].as_i64().expect("a key")
}

/// The keys of all of alice's rows, as the administrator finds them.
fn hers(resource: &str) -> BTreeSet<i64> {
    let alice = account(&shared().alice());
    let mut keys = BTreeSet::new();
    for page in 1.. {
        let path = format!("/api/{resource}?customer={alice}&pageLimit=100&page={page}");
        let ids = shared().admin().get(&path).ids();
        if ids.is_empty() {
            return keys;
        }
        keys.extend(ids);
    }
    keys
}

#[test]
fn records_of_others_are_hidden_by_id() {
    let alice = shared().alice();
    for resource in OWNED {
        let row = secret(resource);
        for rendering in BOTH {
            let theirs = rendering.get(&alice, &format!("/api/{resource}/{row}"));
            let missing = rendering.get(&alice, &format!("/api/{resource}/424242"));
            assert_eq!(theirs.status, 404, "{resource}: {theirs}");
            let same = theirs.body.replace(&row.to_string(), "424242");
            assert_eq!(same, missing.body, "like a row that does not exist");
        }
    }
    for resource in ["orders", "reservations", "reviews", "customers"] {
        let row = match resource {
            "customers" => account(&shared().bob()),
            _ => secret(resource),
        };
        let path = format!("/api/{resource}/{row}");
        let change = payloads::update(resource);
        for answer in [
            alice.put(&path, &change),
            alice.patch(&path, &change),
            alice.patch(&path, &json!({ "first_name": 5 })),
            alice.delete(&path),
        ] {
            assert!([403, 404].contains(&answer.status), "{path}: {answer}");
            assert!(!answer.body.contains(SECRET), "{answer}");
        }
    }
}

#[test]
fn records_of_others_are_hidden_in_lists_filters_searches_sorts_and_counts() {
    let (alice, bob) = (shared().alice(), account(&shared().bob()));
    for resource in OWNED {
        let row = secret(resource);
        let mut empty = vec![
            format!("customer={bob}"),
            format!("filter[customer_id]={bob}"),
            format!("filter[id]={row}"),
        ];
        let mut own: Vec<String> = ["", "sort=-created_at", "page[after]=", "location=1,2"]
            .map(str::to_owned)
            .into();
        own.push(format!("filter[id][gte]={row}"));
        if resource != "reviews" {
            empty.push(format!("search={SECRET}"));
            own.push("dateTimeFilter[startAt]=2000-01-01".to_owned());
        }
        let lists: Vec<(Rendering, &String, Answer)> = empty
            .iter()
            .chain(&own)
            .flat_map(|query| BOTH.map(|rendering| (rendering, query)))
            .map(|(rendering, query)| {
                let list = rendering.get(&alice, &format!("/api/{resource}?{query}"));
                (rendering, query, list)
            })
            .collect();
        // Other tests store rows for her meanwhile, so her rows are read after the lists.
        let hers = hers(resource);
        for (rendering, query, list) in lists {
            assert_eq!(list.status, 200, "{resource}?{query}: {list}");
            let ids = rendering.ids(&list);
            assert!(ids.iter().all(|id| hers.contains(id)), "{query}: {list}");
            // The links repeat the query.
            let data = list.json["data"].to_string();
            assert!(!data.contains(SECRET), "{resource}?{query}: {list}");
            if let Some(total) = list.json["meta"]["pagination"]["total"].as_u64() {
                let max = if empty.contains(query) { 0 } else { hers.len() };
                assert!(total <= max as u64, "{resource}?{query}: {total} of {max}");
            }
        }
    }
}

#[test]
fn records_of_others_are_hidden_in_includes() {
    let (alice, admin) = (shared().alice(), shared().admin());
    secret("reviews");
    let me = account(&alice);
    for rendering in BOTH {
        // To many, from what everybody lists.
        let all = rendering.get(&alice, "/api/locations?include=reviews");
        assert_eq!(all.status, 200, "{all}");
        assert!(!all.body.contains(SECRET), "{all}");
        // To many, from oneself.
        let path = format!("/api/customers/{me}?include=orders,reservations,addresses");
        let media = match rendering {
            Rendering::Data => "application/json",
            Rendering::JsonApi => "application/vnd.api+json",
        };
        let body = json!({ "last_name": "Smith" });
        let own = alice.send("PATCH", &path, &[("Accept", media)], Some(&body));
        assert_eq!(own.status, 200, "{own}");
        for relation in ["orders", "reservations", "addresses"] {
            let rows = rendering.included(&own, relation);
            assert!(
                rows.iter().all(|row| row["customer_id"] == me),
                "{relation}: {own}"
            );
        }
        // To one: whose accounts these are is the administrators' to see.
        for path in ["orders?include=customer", "reviews?include=customer"] {
            let refused = rendering.get(&alice, &format!("/api/{path}"));
            assert_eq!(refused.status, 403, "{path}: {refused}");
            assert!(refused.body.contains("customer"), "{refused}");
            assert_eq!(rendering.get(&admin, &format!("/api/{path}")).status, 200);
        }
        for refused in [
            "locations?include=reviews",
            "menus?include=categories.locations.reviews",
            "categories?include=locations.reviews",
        ] {
            let guest = rendering.get(&shared().guest(), &format!("/api/{refused}"));
            assert!([400, 403].contains(&guest.status), "{refused}: {guest}");
        }
        let history = rendering.get(&alice, "/api/coupons?include=history");
        assert_eq!(history.status, 403, "who redeemed what: {history}");
    }
}

/// An address of bob's, and rows of his that others might link to.
fn address_of_bob() -> i64 {
    let bob = account(&shared().bob());
    let body = json!({ "addresses": [{ "address_1": "1 Hidden Lane" }] });
    let path = format!("/api/customers/{bob}?include=addresses");
    let answer = shared().admin().patch(&path, &body);
    assert_eq!(answer.status, 200, "{answer}");
    answer.json["data"]["addresses"][0]["id"]
        .as_i64()
        .expect("a key")
}

#[test]
fn records_of_others_cannot_be_linked_to() {
    let alice = shared().alice();
    let (me, bob) = (account(&alice), account(&shared().bob()));
    let address = address_of_bob();
    let document = |resource: &str, attributes: &Value, relation: &str, kind: &str, id: i64| {
        json!({ "data": {
            "type": resource, "attributes": attributes,
            "relationships": { relation: { "data": { "type": kind, "id": id.to_string() } } },
        } })
    };
    let headers = [("Content-Type", "application/vnd.api+json")];
    let post = |resource: &str, body: &Value| {
        alice.send("POST", &format!("/api/{resource}"), &headers, Some(body))
    };
    let order = payloads::store("orders", 0);
    let by_column = {
        let mut order = order.clone();
        order["address_id"] = json!(address);
        alice.post("/api/orders", &order)
    };
    let by_link = post(
        "orders",
        &document("orders", &order, "address", "addresses", address),
    );
    let mut review = payloads::store("reviews", secret("orders"));
    let about = review["reviewable_id"].take().as_i64().expect("a key");
    let reviewed = post(
        "reviews",
        &document("reviews", &review, "reviewable", "orders", about),
    );
    let mut document_of_me = document("customers", &json!({}), "address", "addresses", address);
    document_of_me["data"]["id"] = json!(me.to_string());
    let path = format!("/api/customers/{me}");
    let chosen = alice.send("PATCH", &path, &headers, Some(&document_of_me));
    for (answer, field) in [
        (by_column, "address_id"),
        (by_link, "address_id"),
        (reviewed, "reviewable_id"),
        (chosen, "address_id"),
        (
            alice.patch(&path, &json!({ "address_id": address })),
            "address_id",
        ),
    ] {
        assert_eq!(answer.status, 422, "{field}: {answer}");
        assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
        assert!(!answer.body.contains("Hidden Lane"), "{answer}");
    }
    // A customer cannot choose the owner: the row is hers whatever the body says.
    for resource in OWNED {
        let body = payloads::store(resource, payloads::new_order(&alice));
        let stored = post(
            resource,
            &document(resource, &body, "customer", "customers", bob),
        );
        assert_eq!(stored.status, 201, "{resource}: {stored}");
        assert_eq!(
            stored.json["data"]["customer_id"], me,
            "{resource}: {stored}"
        );
    }
    let book = json!({ "addresses": [{ "address_id": address, "address_1": "Stolen" }] });
    let stolen = alice.patch(&path, &book);
    assert_eq!(stolen.status, 422, "{stolen}");
}
