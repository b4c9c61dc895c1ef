//! Rules over bodies.

use serde_json::{Map, json};

use super::*;
use crate::input::{attribute, rules::*};

const ATTRIBUTES: &[Attribute] = &[
    attribute("menu_name", &[required(), string(), between(2, 255)]),
    attribute("menu_price", &[required(), numeric(), min(0)]),
    attribute("location_name", &[string()]).on_store(&[required()]),
    attribute("customer_group_id", &[required(), integer()]).admin(),
    attribute("categories", &[nullable(), array()]),
    attribute("categories.*", &[integer()]),
    attribute("special", &[nullable(), array()]),
    attribute("special.type", &[required(), one_of(&["F", "P"])]),
    attribute(
        "special.amount",
        &[required_if("special.type", &["F"]), numeric()],
    ),
    attribute("password", &[nullable(), string(), min(8), confirmed()]),
    attribute("note", &[exclude_without("menu_name"), string()]),
];

fn reading() -> Reading<'static> {
    Reading {
        attributes: ATTRIBUTES,
        storing: true,
        partial: false,
        admin: false,
        owner: None,
        row: None,
    }
}

fn members(body: Json) -> Map<String, Json> {
    let Json::Object(members) = body else {
        panic!("no object: {body}");
    };
    members
}

/// Asserts the messages about a body.
#[track_caller]
fn assert_messages(reading: Reading<'_>, body: &Json, expected: &[&str]) {
    let input = Input::normalised(members(body.clone()), reading.attributes);
    let mut errors = ValidationErrors::default();
    reading.check(&input, &mut errors).unwrap();
    let messages = errors
        .iter()
        .flat_map(|(field, messages)| messages.iter().map(move |it| (field, it)));
    let messages: Vec<String> = messages
        .map(|(field, it)| format!("{field}: {it}"))
        .collect();
    assert_eq!(messages, expected, "{body}");
}

#[test]
fn required_attributes_cannot_be_emptied_by_an_update() {
    for partial in [true, false] {
        let update = Reading {
            storing: false,
            partial,
            ..reading()
        };
        for empty in [json!(null), json!(""), json!("  ")] {
            let body = json!({"menu_name": "Puff", "menu_price": 1, "location_name": empty});
            let message = "location_name: The location name field is required.";
            assert_messages(update, &body, &[message]);
        }
        let body = json!({"menu_name": "Puff", "menu_price": 1, "categories": null});
        assert_messages(update, &body, &[]);
    }
}

#[test]
fn texts_hold_no_nul() {
    let body = json!({"menu_name": "Pu\0ff", "menu_price": 1, "location_name": "x"});
    let message = "menu_name: The menu name field must not contain U+0000.";
    assert_messages(reading(), &body, &[message]);
}

#[test]
fn items_are_not_null_unless_they_may() {
    const LISTS: &[Attribute] = &[
        attribute("ids", &[array()]),
        attribute("ids.*", &[integer()]),
        attribute("some", &[array()]),
        attribute("some.*", &[nullable(), integer()]),
    ];
    let lists = Reading {
        attributes: LISTS,
        ..reading()
    };
    let body = json!({"ids": [1, null], "some": [1, null]});
    assert_messages(
        lists,
        &body,
        &["ids.1: The ids.1 field must be an integer."],
    );
}

#[test]
fn an_excluded_attribute_is_excluded_with_its_members() {
    const SPECIAL: &[Attribute] = &[
        attribute("on", &[boolean()]),
        attribute("special", &[exclude_without("on"), array()]),
        attribute("special.type", &[required(), one_of(&["F", "P"])]),
    ];
    let special = Reading {
        attributes: SPECIAL,
        ..reading()
    };
    for off in [
        json!({"special": {"type": "X"}}),
        json!({"on": null, "special": {}}),
    ] {
        assert_messages(special, &off, &[]);
        let mut input = Input::new(members(off));
        special.narrow(&mut input);
        assert!(!input.has("special"));
    }
    let on = json!({"on": false, "special": {"type": "X"}});
    let message = "special.type: The selected special.type is invalid.";
    assert_messages(special, &on, &[message]);
}

#[test]
fn rules_of_attributes_that_the_caller_may_not_write_are_not_run() {
    let body = json!({"menu_name": "Puff", "menu_price": 1, "location_name": "x"});
    let admin = Reading {
        admin: true,
        ..reading()
    };
    let owned = Reading {
        owner: Some("customer_group_id"),
        ..admin
    };
    assert_messages(reading(), &body, &[]);
    let message = "customer_group_id: The customer group id field is required.";
    assert_messages(admin, &body, &[message]);
    assert_messages(owned, &body, &[]);
}

#[test]
fn a_body_is_narrowed_to_the_writable_attributes() {
    let body = json!({"menu_price": 1, "customer_group_id": 3, "x": 1, "special": {}, "note": "n"});
    let mut input = Input::new(members(body));
    reading().narrow(&mut input);
    let kept: Vec<&String> = input.members().keys().collect();
    assert_eq!(kept, ["menu_price", "special"]);
}
