//! A customer cannot reach another customer's rows: id, list, filter, search, sort, count, include,
//! ETag, relationship (docs/contract.md, "Access"); in both renderings.

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
            for tail in ["", "?include=location", "?fields[x]=y", "?include=nothing"] {
                let theirs = rendering.get(&alice, &format!("/api/{resource}/{row}{tail}"));
                let nobodys = rendering.get(&alice, &format!("/api/{resource}/424242{tail}"));
                assert_eq!(theirs.status, nobodys.status, "{resource}{tail}: {theirs}");
                assert!(
                    [400, 404].contains(&theirs.status),
                    "{resource}{tail}: {theirs}"
                );
                let same = theirs.body.replace(&row.to_string(), "424242");
                assert_eq!(same, nobodys.body, "as if there were none");
            }
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

/// Alice's requests for a list, each of which might show or count other customers' rows.
fn questions(resource: &str, row: i64, bob: i64) -> Vec<String> {
    let key = match resource {
        "orders" => "order_id",
        "reservations" => "reservation_id",
        _ => "review_id",
    };
    let mut questions: Vec<String> = [
        "",
        "sort=-created_at",
        "sort=created_at desc",
        "page[after]=",
        "page[before]=",
        "page[size]=1&page[number]=2",
        "page=9999",
        "location=1,2",
        "filter[location_id][in]=1,2",
        "filter[customer_id][ne]=0",
        "filter[customer_id][null]=true",
        "filter[customer_id][null]=false",
        "filter[created_at][gte]=2000-01-01T00:00:00Z",
        "include=location",
    ]
    .map(str::to_owned)
    .to_vec();
    questions.extend([
        format!("customer={bob}"),
        format!("filter[customer]={bob}"),
        format!("filter[customer_id]={bob}"),
        format!("filter[customer_id][in]={bob},0"),
        format!("filter[id]={row}"),
        format!("filter[{key}]={row}"),
        format!("filter[id][in]={row},1,2,3"),
        format!("filter[id][gte]={row}"),
    ]);
    if resource != "reviews" {
        questions.push(format!("search={SECRET}"));
        questions.push(format!("search={row}"));
        questions.push("dateTimeFilter[startAt]=2000-01-01".to_owned());
        questions.push("include=status,status_history".to_owned());
    }
    questions
}

#[test]
fn records_of_others_are_hidden_in_lists_filters_searches_sorts_and_counts() {
    let (alice, bob) = (shared().alice(), account(&shared().bob()));
    for resource in OWNED {
        let row = secret(resource);
        let asked: Vec<(Rendering, String, Answer)> = questions(resource, row, bob)
            .into_iter()
            .flat_map(|query| BOTH.map(|rendering| (rendering, query.clone())))
            .map(|(rendering, query)| {
                let path = format!("/api/{resource}?{}", query.replace(' ', "%20"));
                let answer = rendering.get(&alice, &path);
                (rendering, query, answer)
            })
            .collect();
        // Other tests store rows of hers meanwhile: those of before and after are all of them.
        let hers = hers(resource);
        for (rendering, query, answer) in asked {
            assert_eq!(answer.status, 200, "{resource}?{query}: {answer}");
            let shown = rendering.ids(&answer);
            let foreign: Vec<&i64> = shown.iter().filter(|id| !hers.contains(id)).collect();
            assert!(foreign.is_empty(), "{resource}?{query}: {foreign:?}");
            // Its links repeat the request.
            let told = answer.json["data"].to_string();
            assert!(!told.contains(SECRET), "{resource}?{query}: {answer}");
            if let Some(total) = answer.json["meta"]["pagination"]["total"].as_u64() {
                let most = hers.len() as u64;
                assert!(total <= most, "{resource}?{query}: {total} of {most}");
            }
            let names_bob = query.contains(&format!("={bob}")) && query.contains("customer");
            let nobody =
                names_bob || query.contains("search=Q") || query.contains(&format!("]={row}"));
            let alone = !query.contains("[gte]") && !query.contains("[in]");
            if nobody && alone {
                assert_eq!(
                    answer.json["meta"]["pagination"]["total"], 0,
                    "{query}: {answer}"
                );
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

#[test]
fn records_of_others_have_no_etag() {
    let (alice, bob) = (shared().alice(), shared().bob());
    for resource in OWNED {
        let path = format!("/api/{resource}/{}", secret(resource));
        let seen = bob.get(&path);
        let tag = seen.header("etag").expect("an ETag").to_owned();
        let unchanged = bob.send("GET", &path, &[("If-None-Match", &tag)], None);
        assert_eq!(unchanged.status, 304, "{unchanged}");
        for name in ["If-None-Match", "If-Match"] {
            for value in [tag.as_str(), "*", "\"x\""] {
                for method in ["GET", "HEAD"] {
                    let answer = alice.send(method, &path, &[(name, value)], None);
                    assert_eq!(answer.status, 404, "{method} {name} {value}: {answer}");
                }
                let change = payloads::update(resource);
                let answer = alice.send("PATCH", &path, &[(name, value)], Some(&change));
                assert_eq!(answer.status, 403, "{name} {value}: {answer}");
            }
        }
        // The tag of a list is that of what one sees.
        let list = format!("/api/{resource}?customer={}", account(&bob));
        let tags = [&alice, &bob].map(|client| client.get(&list).header("etag").map(str::to_owned));
        assert_ne!(tags[0], tags[1], "{list}");
    }
    let other = format!("/api/customers/{}", account(&bob));
    for name in ["If-Match", "If-None-Match"] {
        let change = payloads::update("customers");
        let answer = alice.send("PATCH", &other, &[(name, "*")], Some(&change));
        assert_eq!(answer.status, 404, "{name}: {answer}");
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

/// Errors of a document do not reveal the owner of a row.
#[test]
fn documents_about_records_of_others_are_404() {
    let (alice, bob) = (shared().alice(), account(&shared().bob()));
    let media = "application/vnd.api+json";
    let headers = [("Accept", media), ("Content-Type", media)];
    for document in [
        json!({}),
        json!({ "data": { "type": "x", "id": "9" } }),
        json!({ "data": { "type": "customers", "id": "9" } }),
        json!({ "data": { "type": "customers", "id": bob.to_string(), "attributes": 1 } }),
    ] {
        let send = |id: i64| {
            let path = format!("/api/customers/{id}");
            alice.send("PATCH", &path, &headers, Some(&document))
        };
        let (theirs, nobodys) = (send(bob), send(424_242));
        assert_eq!(theirs.status, 404, "{document}: {theirs}");
        assert_eq!(nobodys.status, 404, "{document}: {nobodys}");
        let own = send(account(&alice));
        assert!([400, 409].contains(&own.status), "{document}: {own}");
    }
}
