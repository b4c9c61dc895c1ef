//! Relationships in the documents of store and update, for each resource that has some
//! (docs/contract.md, "Media types"; jsonapi.org, "Updating a Resource's Relationships").

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{Rendering, in_document},
};

/// A relation to one record: the column it writes.
struct ToOne {
    resource: &'static str,
    relation: &'static str,
    kind: &'static str,
    column: &'static str,
    /// Whether it may be taken away.
    nullable: bool,
}

#[rustfmt::skip] // a relation each line
const TO_ONE: [ToOne; 13] = [
    one("categories", "parent_cat", "categories", "parent_id", true),
    one("customers", "group", "customer_groups", "customer_group_id", false),
    one("locations", "country", "countries", "location_country_id", true),
    one("orders", "customer", "customers", "customer_id", true),
    one("orders", "location", "locations", "location_id", false),
    one("orders", "status", "statuses", "status_id", true),
    one("orders", "assignee", "assignee", "assignee_id", true),
    one("orders", "assignee_group", "assignee_group", "assignee_group_id", true),
    one("reservations", "location", "locations", "location_id", false),
    one("reservations", "status", "statuses", "status_id", true),
    one("reservations", "assignee", "assignee", "assignee_id", true),
    one("reservations", "assignee_group", "assignee_group", "assignee_group_id", true),
    one("reviews", "location", "locations", "location_id", false),
];

const fn one(
    resource: &'static str,
    relation: &'static str,
    kind: &'static str,
    column: &'static str,
    nullable: bool,
) -> ToOne {
    ToOne {
        resource,
        relation,
        kind,
        column,
        nullable,
    }
}

/// Relations whose list of ids is synchronised: whether they can be included, and two ids.
#[rustfmt::skip] // a row each line
const TO_MANY: [(&str, &str, &str, bool, [i64; 2]); 11] = [
    ("categories", "locations", "locations", true, [1, 2]),
    ("coupons", "categories", "categories", true, [1, 2]),
    ("coupons", "menus", "menus", true, [1, 2]),
    ("coupons", "customers", "customers", false, [1, 2]),
    ("coupons", "customer_groups", "customer_groups", false, [1, 1]),
    ("coupons", "locations", "locations", false, [1, 2]),
    ("menus", "categories", "categories", true, [1, 2]),
    ("menus", "mealtimes", "mealtimes", true, [1, 2]),
    ("menus", "ingredients", "ingredients", true, [1, 2]),
    ("menus", "locations", "locations", false, [1, 2]),
    ("reservations", "tables", "tables", true, [1, 2]),
];

fn identifier(kind: &str, id: impl ToString) -> Value {
    json!({ "type": kind, "id": id.to_string() })
}

/// Stores or updates with these relationships.
fn send(resource: &str, id: Option<i64>, relationships: &Value) -> Answer {
    let mut data = json!({ "type": resource, "relationships": relationships });
    let (method, path) = match id {
        None => {
            let mut attributes = payloads::store(resource, order());
            // What a relationship says is not said twice.
            if relationships
                .get("location")
                .is_some_and(|it| it["data"].is_object())
            {
                attributes
                    .as_object_mut()
                    .map(|members| members.remove("location_id"));
            }
            data["attributes"] = in_document(resource, &attributes);
            ("POST", format!("/api/{resource}"))
        }
        Some(id) => {
            data["id"] = json!(id.to_string());
            ("PATCH", format!("/api/{resource}/{id}"))
        }
    };
    let media = "application/vnd.api+json";
    let headers = [("Accept", media), ("Content-Type", media)];
    shared()
        .admin()
        .send(method, &path, &headers, Some(&json!({ "data": data })))
}

fn order() -> i64 {
    shared()
        .admin()
        .get("/api/orders?pageLimit=1&sort=id")
        .ids()[0]
}

fn stored(resource: &str, relationships: &Value) -> (i64, Value) {
    let answer = send(resource, None, relationships);
    assert_eq!(answer.status, 201, "{resource} {relationships}: {answer}");
    let record = &answer.json["data"];
    (Rendering::JsonApi.id(record), record["attributes"].clone())
}

/// Asserts a 422 that points to the relationship.
fn refused(answer: &Answer, relation: &str) {
    assert_eq!(answer.status, 422, "{relation}: {answer}");
    let pointer = format!("/data/relationships/{relation}/data");
    let mut errors = answer.json["errors"].as_array().into_iter().flatten();
    let points = |error: &Value| {
        let found = error["source"]["pointer"].as_str();
        found.is_some_and(|found| found.starts_with(&pointer))
    };
    assert!(errors.any(points), "{pointer}: {answer}");
}

#[test]
fn a_relationship_to_one_record_writes_its_column() {
    for relation in TO_ONE {
        let ToOne {
            resource,
            relation,
            kind,
            column,
            nullable,
        } = relation;
        let link = |id: i64| json!({ relation: { "data": identifier(kind, id) } });
        let (id, attributes) = stored(resource, &link(1));
        assert_eq!(attributes[column], 1, "{resource} {relation}: {attributes}");
        let to = if resource == "customers" { 1 } else { 2 };
        let changed = send(resource, Some(id), &link(to));
        assert_eq!(changed.status, 200, "{resource} {relation}: {changed}");
        assert_eq!(
            changed.json["data"]["attributes"][column], to,
            "{relation}: {changed}"
        );
        let emptied = send(resource, Some(id), &json!({ relation: { "data": null } }));
        if nullable {
            assert_eq!(emptied.status, 200, "{resource} {relation}: {emptied}");
            let left = &emptied.json["data"]["attributes"][column];
            assert_eq!(left, &Value::Null, "{resource} {relation}: {emptied}");
        } else if emptied.status == 200 {
            // A column with a default takes it.
            let left = &emptied.json["data"]["attributes"][column];
            assert_eq!(left, 1, "{resource} {relation}: {emptied}");
        } else {
            refused(&emptied, relation);
        }
        for wrong in [identifier(kind, 424_242), identifier(kind, "x")] {
            let wrong = json!({ relation: { "data": wrong } });
            refused(&send(resource, Some(id), &wrong), relation);
            refused(&send(resource, None, &wrong), relation);
        }
    }
}

#[test]
fn an_address_is_chosen_and_a_review_is_about_something_by_relationship() {
    let admin = shared().admin();
    let (customer, _) = stored("customers", &json!({}));
    let path = format!("/api/customers/{customer}");
    let book = json!({ "addresses": [{ "address_1": "1 High Street" }] });
    let book = admin.patch(&format!("{path}?include=addresses"), &book);
    let address = book.json["data"]["addresses"][0]["id"]
        .as_i64()
        .expect("a key");
    let chosen = json!({ "address": { "data": identifier("addresses", address) } });
    let answer = send("customers", Some(customer), &chosen);
    assert_eq!(
        answer.json["data"]["attributes"]["address_id"], address,
        "{answer}"
    );
    let (order, attributes) = stored("orders", &chosen);
    assert_eq!(attributes["address_id"], address, "order {order}");
    let reservation = admin.get("/api/reservations?pageLimit=1&sort=id").ids()[0];
    let about = json!({ "reviewable": { "data": identifier("reservations", reservation) } });
    let (_, review) = stored("reviews", &about);
    assert_eq!(review["reviewable_type"], "reservations", "{review}");
    assert_eq!(review["reviewable_id"], reservation, "{review}");
    let menu = json!({ "reviewable": { "data": identifier("menus", 1) } });
    let answer = send("reviews", None, &menu);
    assert_eq!(answer.status, 409, "{answer}");
}

#[test]
fn a_relationship_to_many_records_is_replaced_by_the_list_sent() {
    for (resource, relation, kind, included, [first, second]) in TO_MANY {
        let link = |ids: &[i64]| {
            let data: Vec<Value> = ids.iter().map(|id| identifier(kind, id)).collect();
            json!({ relation: { "data": data } })
        };
        let (id, _) = stored(resource, &link(&[first, second]));
        let linked = || {
            let path = format!("/api/{resource}/{id}?include={relation}");
            let answer = Rendering::JsonApi.get(&shared().admin(), &path);
            let mut ids: Vec<i64> = Rendering::JsonApi
                .included(&answer, relation)
                .iter()
                .filter_map(|row| row["id"].as_i64())
                .collect();
            ids.sort_unstable();
            ids
        };
        let check = |ids: &[i64]| {
            if included {
                assert_eq!(linked(), ids, "{resource} {relation}");
            }
        };
        check(&[first, second]);
        for ids in [&[second][..], &[second, second], &[], &[first, second]] {
            let answer = send(resource, Some(id), &link(ids));
            assert_eq!(
                answer.status, 200,
                "{resource} {relation} {ids:?}: {answer}"
            );
            let mut unique = ids.to_vec();
            unique.dedup();
            check(&unique);
        }
        for wrong in [
            json!([identifier(kind, first), identifier(kind, 424_242)]),
            json!([identifier(kind, "x")]),
        ] {
            let wrong = json!({ relation: { "data": wrong } });
            refused(&send(resource, Some(id), &wrong), relation);
            refused(&send(resource, None, &wrong), relation);
            check(&[first, second]);
        }
    }
}

/// Rows that belong to one record, relations by another column than the key, conditions.
const READ_ONLY: [(&str, &str, &str); 14] = [
    ("categories", "media", "media"),
    ("categories", "menus", "menus"),
    ("coupons", "history", "history"),
    ("customers", "addresses", "addresses"),
    ("customers", "orders", "orders"),
    ("locations", "delivery_areas", "delivery_areas"),
    ("locations", "media", "media"),
    ("locations", "reviews", "reviews"),
    ("locations", "working_hours", "working_hours"),
    ("menus", "menu_options", "menu_options"),
    ("menus", "stocks", "stocks"),
    ("menus", "allergens", "ingredients"),
    ("orders", "payment_method", "payment_methods"),
    ("orders", "status_history", "status_history"),
];

#[test]
fn a_relationship_that_cannot_be_written_is_403_and_an_unknown_one_ignored() {
    for (resource, relation, kind) in READ_ONLY {
        let row = shared()
            .admin()
            .get(&format!("/api/{resource}?pageLimit=1&sort=-id"))
            .ids()[0];
        for data in [json!([identifier(kind, 1)]), json!([]), Value::Null] {
            let answer = send(resource, Some(row), &json!({ relation: { "data": data } }));
            assert_eq!(answer.status, 403, "{resource} {relation}: {answer}");
            let pointer = &answer.json["errors"][0]["source"]["pointer"];
            assert_eq!(
                pointer,
                &json!(format!("/data/relationships/{relation}")),
                "{answer}"
            );
        }
        let nobody = json!({ "nobody": { "data": null } });
        assert_eq!(send(resource, Some(row), &nobody).status, 200, "{resource}");
    }
}
