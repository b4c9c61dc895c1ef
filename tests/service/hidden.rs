//! Hidden and write-only attributes are never shown and cannot be queried (docs/contract.md, "Access").

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::rendering::{BOTH, Rendering};

/// Hidden columns by resource.
#[rustfmt::skip] // a row each line
const HIDDEN: [(&str, &[&str]); 3] = [
    ("customers", &["password", "reset_code", "reset_time", "activation_code", "remember_token"]),
    ("locations", &["location_thumb"]),
    ("orders", &["cart"]),
];

/// Each resource with all of its includes.
const INCLUDES: [&str; 8] = [
    "categories?include=media,menus.stocks,locations.working_hours",
    "coupons?include=menus,categories,history",
    "customers?include=addresses,orders.assignee,reservations.assignee",
    "locations?include=media,working_hours,delivery_areas,reviews.customer",
    "menus?include=media,categories,menu_options.option,ingredients,mealtimes,stocks",
    "orders?include=customer,location,address,payment_method,status,status_history,assignee,assignee_group",
    "reservations?include=location,tables,status,status_history,assignee,assignee_group",
    "reviews?include=location,customer",
];

/// Asserts that no member of any object has the name of a secret.
fn check_names(value: &Value, request: &str) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_names(item, request)),
        Value::Object(members) => {
            for (name, member) in members {
                let hidden = HIDDEN.iter().flat_map(|(_, names)| *names);
                let is_hidden = hidden.chain(&["class_name", "token"]).any(|it| it == name);
                assert!(!is_hidden, "{name} is shown: {request}");
                check_names(member, request);
            }
        }
        _ => {}
    }
}

#[test]
fn hidden_columns_are_not_shown_in_included_records() {
    let admin = shared().admin();
    for rendering in BOTH {
        for request in INCLUDES {
            let answer = rendering.get(&admin, &format!("/api/{request}&pageLimit=100"));
            assert_eq!(answer.status, 200, "{request}: {answer}");
            check_names(&answer.json, request);
            assert!(!answer.body.contains("argon2"), "{request}");
        }
    }
    let account = shared().alice().get("/api/token/user");
    check_names(&account.json, "the account");
}

#[test]
fn hidden_columns_cannot_be_sorted_filtered_or_searched_by() {
    let admin = shared().admin();
    for (resource, columns) in HIDDEN {
        for column in columns {
            for query in [
                format!("sort={column}"),
                format!("filter[{column}][like]=a%25"),
                format!("fields[{resource}]={column}"),
                format!("include={column}"),
            ] {
                let answer = admin.get(&format!("/api/{resource}?{query}"));
                assert_eq!(answer.status, 400, "{resource}?{query}: {answer}");
            }
        }
    }
    // The hash of every password begins with this word.
    for resource in ["categories", "locations", "menus", "orders", "reservations"] {
        let answer = admin.get(&format!("/api/{resource}?search=argon2id"));
        let total = &answer.json["meta"]["pagination"]["total"];
        assert_eq!(total, 0, "{resource}: {answer}");
    }
}

#[test]
fn fieldsets_cannot_name_hidden_fields_of_included_records() {
    let admin = shared().admin();
    for query in [
        "orders?include=payment_method&fields[payment_methods]=class_name",
        "orders?include=assignee&fields[assignee]=password",
        "orders?include=customer&fields[customers]=password",
        "reviews?include=customer&fields[customers]=activation_code",
    ] {
        let answer = admin.get(&format!("/api/{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
    }
}

#[test]
fn a_password_is_not_repeated_in_errors() {
    let short = json!({ "password": "tiny", "password_confirm": "tiny" });
    for rendering in BOTH {
        let id = Rendering::Data.id(&shared().alice().get("/api/token/user").json["user"]);
        let answer = rendering.update(&shared().admin(), "customers", id, &short);
        assert_eq!(answer.status, 422, "{answer}");
        assert!(!answer.body.contains("tiny"), "{answer}");
    }
}
