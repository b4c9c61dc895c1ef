//! Hidden and write-only attributes are never shown, and cannot be guessed: not through sort,
//! filter, search, fields, includes or tags; in both renderings (docs/contract.md, "Access").

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{payloads, rendering::BOTH};

/// The hidden columns of resources and of their includes.
const HIDDEN: [(&str, &[&str]); 8] = [
    ("categories", &[]),
    ("coupons", &[]),
    (
        "customers",
        &[
            "password",
            "reset_code",
            "reset_time",
            "activation_code",
            "remember_token",
        ],
    ),
    ("locations", &["location_thumb"]),
    ("menus", &[]),
    ("orders", &["cart"]),
    ("reservations", &[]),
    ("reviews", &[]),
];

/// Every include a resource has: whatever is shown, is shown here.
fn includes(resource: &str) -> &'static str {
    match resource {
        "categories" => "media,menus.stocks,locations.working_hours",
        "coupons" => "menus,categories,history",
        "customers" => "addresses,orders.assignee,reservations.assignee",
        "locations" => "media,working_hours,delivery_areas,reviews.customer",
        "menus" => "media,categories,menu_options.option,ingredients,mealtimes,stocks",
        "orders" => {
            "customer,location,address,payment_method,status,status_history,assignee,assignee_group"
        }
        "reservations" => "location,tables,status,status_history,assignee,assignee_group",
        _ => "location,customer",
    }
}

/// No member of any object has a name that says it is secret.
fn check_names(value: &Value, place: &str) {
    const SECRET: [&str; 9] = [
        "password",
        "reset_code",
        "reset_time",
        "activation_code",
        "remember_token",
        "cart",
        "class_name",
        "token",
        "location_thumb",
    ];
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_names(item, place)),
        Value::Object(members) => {
            for (name, member) in members {
                assert!(!SECRET.contains(&name.as_str()), "{name} is shown: {place}");
                check_names(member, place);
            }
        }
        _ => {}
    }
}

#[test]
fn hidden_columns_are_not_shown_in_included_records() {
    let admin = shared().admin();
    for rendering in BOTH {
        for (resource, _) in HIDDEN {
            let include = includes(resource);
            let path = format!("/api/{resource}?pageLimit=100&include={include}");
            let answer = rendering.get(&admin, &path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            check_names(&answer.json, &path);
            assert!(!answer.body.contains("argon2"), "{path}");
            let one = format!("/api/{resource}/{}", rendering.ids(&answer)[0]);
            let one = rendering.get(&admin, &one);
            check_names(&one.json, &path);
        }
        let me = shared().alice().get("/api/token/user");
        assert!(
            !me.body.contains("argon2") && !me.body.contains("password"),
            "{me}"
        );
    }
}

#[test]
fn hidden_columns_cannot_be_sorted_or_filtered_by() {
    let admin = shared().admin();
    for rendering in BOTH {
        for (resource, columns) in HIDDEN {
            let offered = [
                rendering.get(&admin, &format!("/api/{resource}?sort=nothing")),
                rendering.get(&admin, &format!("/api/{resource}?filter[nothing]=1")),
            ];
            for column in columns {
                assert!(
                    offered.iter().all(|list| !list.body.contains(column)),
                    "{column}"
                );
                for question in [
                    "sort=COLUMN",
                    "sort=-COLUMN",
                    "sort=COLUMN desc",
                    "sort=id,COLUMN",
                    "filter[COLUMN]=x",
                    "filter[COLUMN][like]=$argon2%25",
                    "filter[COLUMN][null]=true",
                    "filter[COLUMN][gt]=a",
                    "COLUMN=x",
                    "fields[RESOURCE]=COLUMN",
                    "include=COLUMN",
                    "exclude=COLUMN",
                    "page[after]=&sort=COLUMN",
                ] {
                    let ask = |column: &str| {
                        let query = question
                            .replace("COLUMN", column)
                            .replace("RESOURCE", resource);
                        let path = format!("/api/{resource}?{}", query.replace(' ', "%20"));
                        rendering.get(&admin, &path)
                    };
                    let hidden = ask(column);
                    assert_eq!(
                        hidden.status, 400,
                        "{resource} {question} {column}: {hidden}"
                    );
                    // As if there were no such column.
                    let nonsense = "q".repeat(column.len());
                    let unknown = ask(&nonsense);
                    assert_eq!(unknown.status, 400, "{resource} {question}: {unknown}");
                }
            }
        }
    }
}

/// Fields of what is included are those it shows, too.
#[test]
fn fieldsets_cannot_name_hidden_fields_of_included_records() {
    let admin = shared().admin();
    for rendering in BOTH {
        for (path, field) in [
            (
                "orders?include=payment_method",
                "fields[payment_methods]=data",
            ),
            (
                "orders?include=payment_method",
                "fields[payment_methods]=class_name",
            ),
            ("orders?include=assignee", "fields[assignee]=password"),
            ("orders?include=assignee", "fields[assignee]=reset_code"),
            ("orders?include=customer", "fields[customers]=password"),
            (
                "reservations?include=assignee",
                "fields[assignee]=remember_token",
            ),
            (
                "reviews?include=customer",
                "fields[customers]=activation_code",
            ),
        ] {
            let answer = rendering.get(&admin, &format!("/api/{path}&{field}"));
            assert_eq!(answer.status, 400, "{path}&{field}: {answer}");
        }
    }
}

#[test]
fn hidden_columns_are_not_searched() {
    let admin = shared().admin();
    // Every password's hash begins like this.
    for (resource, _) in HIDDEN {
        for word in ["argon2id", "$argon2id$v=19"] {
            let answer = admin.get(&format!("/api/{resource}?search={word}&pageLimit=1"));
            if ["coupons", "customers", "reviews"].contains(&resource) {
                assert_eq!(answer.status, 400, "nothing of them is searched: {answer}");
            } else {
                assert_eq!(
                    answer.json["meta"]["pagination"]["total"], 0,
                    "{resource}: {answer}"
                );
            }
        }
    }
}

/// A password changes without a sign: neither body nor tags of the record tell.
#[test]
fn a_password_is_not_shown_in_answers_or_errors() {
    let admin = shared().admin();
    let answer = admin.post("/api/customers", &payloads::store("customers", 0));
    assert_eq!(answer.status, 201, "{answer}");
    let path = format!("/api/customers/{}", answer.json["data"]["id"]);
    let change = json!({ "password": "another secret", "password_confirm": "another secret" });
    let before = admin.get(&path);
    let changed = admin.patch(&path, &change);
    assert_eq!(changed.status, 200, "{changed}");
    for answer in [&before, &changed, &admin.get(&path)] {
        assert!(!answer.body.contains("secret"), "{answer}");
        check_names(&answer.json, &path);
    }
    let short = json!({ "password": "tiny", "password_confirm": "tiny" });
    for rendering in BOTH {
        let id = answer.json["data"]["id"].as_i64().expect("a key");
        let refused = rendering.update(&admin, "customers", id, &short);
        assert_eq!(refused.status, 422, "{refused}");
        assert!(
            !refused.body.contains("tiny"),
            "values are not repeated: {refused}"
        );
    }
}
