//! Bodies that match the description are accepted, and others are refused.

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use super::{RESOURCES, description, fits, stored};
use crate::{
    described::sample,
    payloads,
    rendering::{BOTH, Rendering},
};

/// The schema of a body of plain JSON.
fn flat(id: &str) -> &'static Value {
    let schema = description().body(description().operation(id), "application/json");
    description().resolved(schema)
}

#[test]
fn bodies_that_are_accepted_are_described_and_so_are_their_answers() {
    for resource in RESOURCES {
        let order = if resource == "reviews" {
            stored("orders")
        } else {
            0
        };
        for rendering in BOTH {
            let body = payloads::store(resource, order);
            let id = format!("{resource}.store");
            assert_eq!(description().faults(flat(&id), &body), [""; 0], "{id}");
            let caller = match resource {
                "orders" | "reservations" => shared().alice(),
                _ => shared().admin(),
            };
            let answer = rendering.store(&caller, resource, &body, "");
            fits(description().operation(&id), "a new one", &answer);
            // An order is reviewed once.
            if answer.status == 422 && resource == "reviews" {
                continue;
            }
            assert_eq!(answer.status, 201, "{resource}: {answer}");
            let key = rendering.id(&answer.json["data"]);
            let change = payloads::update(resource);
            let id = format!("{resource}.update");
            assert_eq!(description().faults(flat(&id), &change), [""; 0], "{id}");
            let answer = rendering.update(&shared().admin(), resource, key, &change);
            assert_eq!(answer.status, 200, "{resource}: {answer}");
            fits(description().operation(&id), "a change", &answer);
            let path = format!("/api/{resource}/{key}");
            let destroy = description().operation(&format!("{resource}.destroy"));
            let answer = rendering.delete(&shared().admin(), &path);
            fits(destroy, "gone", &answer);
        }
    }
}

/// Swagger UI and generated clients send a member's default of themselves.
#[test]
fn described_defaults_may_be_sent() {
    let mut sent = 0;
    for resource in RESOURCES {
        let order = if resource == "reviews" {
            stored("orders")
        } else {
            0
        };
        let mut body = payloads::store(resource, order);
        let schema = flat(&format!("{resource}.store"));
        for (member, described) in schema["properties"].as_object().expect("members") {
            if let (None, Some(preset)) = (body.get(member), described.get("default")) {
                body[member.as_str()] = preset.clone();
                sent += 1;
            }
        }
        if resource == "reviews" {
            body["customer_id"] = json!(1);
        }
        let answer = Rendering::Data.store(&shared().admin(), resource, &body, "");
        assert_eq!(answer.status, 201, "{resource} {body}: {answer}");
    }
    assert!(sent > 40, "{sent}");
}

/// Members whose sample matches the schema and is still refused: it names missing rows, or values
/// only the restaurant defines. The refusal names that member.
fn is_business(resource: &str, member: &str) -> bool {
    let rows = member.ends_with("_id") || member.ends_with("_group_id");
    let words = matches!(
        (resource, member),
        ("menus" | "coupons", "order_restriction")
            | ("reviews", "reviewable_type")
            | ("orders", "payment" | "order_type" | "order_menus")
            | ("locations", "delivery_areas" | "options")
    );
    rows || words
}

#[test]
fn members_that_are_described_are_accepted() {
    let (mut tried, mut refused) = (0, Vec::new());
    for resource in RESOURCES {
        let key = stored(resource);
        let one = description().operation(&format!("{resource}.update"));
        let schema = flat(&format!("{resource}.update"));
        for (member, described) in schema["properties"].as_object().expect("members") {
            let Some(value) = sample(description(), described) else {
                continue;
            };
            let mut body = json!({ member.as_str(): value });
            for other in ["password", "password_confirm"] {
                if member.starts_with("password") {
                    body[other] = json!("a long secret");
                }
            }
            let answer = Rendering::Data.update(&shared().admin(), resource, key, &body);
            fits(one, &body.to_string(), &answer);
            let is_business = answer.status == 422 && is_business(resource, member);
            if answer.status != 200 && !is_business {
                refused.push(format!("{resource} {body}: {answer}"));
            }
            tried += 1;
        }
    }
    assert_eq!(refused, [""; 0]);
    assert!(tried > 120, "{tried}");
}

/// Values that a schema does not allow.
fn violations(schema: &Value) -> Vec<Value> {
    let candidates = [
        json!({"x": {}}),
        json!([[[]]]),
        json!("\u{1}no such word\u{1}"),
        json!("x".repeat(5000)),
        json!("x"),
        json!(-1),
        json!(0.5),
        json!("-1"),
        json!(99_999_999_999_i64),
    ];
    let wrong = |value: &Value| !description().faults(schema, value).is_empty();
    candidates.into_iter().filter(wrong).collect()
}

/// What a service takes beyond its description: numbers as strings, truths as numbers.
fn is_lenient(schema: &Value, value: &Value) -> bool {
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        one => vec![one.clone()],
    };
    let is = |kind: &str| kinds.contains(&json!(kind));
    match value {
        Value::String(text) => text == "-1" && is("integer"),
        _ => false,
    }
}

#[test]
fn members_that_break_their_description_are_refused() {
    let (mut tried, mut accepted) = (0, Vec::new());
    for resource in RESOURCES {
        let key = stored(resource);
        let one = description().operation(&format!("{resource}.update"));
        let schema = flat(&format!("{resource}.update"));
        for (member, described) in schema["properties"].as_object().expect("members") {
            for value in violations(described) {
                if is_lenient(described, &value) {
                    continue;
                }
                let mut body = json!({ member.as_str(): value });
                if member == "password" {
                    body["password_confirm"] = value.clone();
                }
                let answer = Rendering::Data.update(&shared().admin(), resource, key, &body);
                fits(one, member, &answer);
                if answer.status != 422 {
                    let shown: String = body.to_string().chars().take(80).collect();
                    accepted.push(format!("{resource} {shown} {described}: {}", answer.status));
                }
                tried += 1;
            }
        }
        let store = flat(&format!("{resource}.store"));
        for member in store["required"].as_array().expect("required members") {
            let member = member.as_str().expect("a name");
            let mut body = payloads::store(resource, 1);
            body.as_object_mut().expect("an object").remove(member);
            let answer = Rendering::Data.store(&shared().admin(), resource, &body, "");
            assert_eq!(answer.status, 422, "{resource} without {member}: {answer}");
            assert!(
                answer.json["errors"][member].is_array(),
                "{member}: {answer}"
            );
        }
    }
    assert_eq!(accepted, [""; 0]);
    assert!(tried > 400, "{tried}");
}
