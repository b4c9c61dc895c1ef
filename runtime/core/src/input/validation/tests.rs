//! Rules over bodies.

use serde_json::json;

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

fn broken(reading: Reading<'_>, body: Json) -> Vec<String> {
    let Json::Object(members) = body else {
        panic!("an object")
    };
    let input = Input::normalised(members, reading.attributes);
    let mut errors = ValidationErrors::default();
    reading.check(&input, &mut errors).unwrap();
    errors
        .iter()
        .flat_map(|(field, messages)| messages.iter().map(move |m| format!("{field}: {m}")))
        .collect()
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
            assert_eq!(
                broken(update, body),
                ["location_name: The location name field is required."]
            );
        }
        let body = json!({"menu_name": "Puff", "menu_price": 1, "categories": null});
        assert_eq!(broken(update, body), Vec::<String>::new());
    }
}

#[test]
fn texts_hold_no_nul() {
    let body = json!({"menu_name": "Pu\0ff", "menu_price": 1, "location_name": "x"});
    assert_eq!(
        broken(reading(), body),
        ["menu_name: The menu name field must not contain U+0000."]
    );
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
    assert_eq!(
        broken(lists, json!({"ids": [1, null], "some": [1, null]})),
        ["ids.1: The ids.1 field must be an integer."]
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
        assert_eq!(broken(special, off.clone()), Vec::<String>::new());
        let Json::Object(members) = off else {
            panic!("an object")
        };
        let mut input = Input::new(members);
        special.narrow(&mut input);
        assert!(!input.has("special"));
    }
    assert_eq!(
        broken(special, json!({"on": false, "special": {"type": "X"}})),
        ["special.type: The selected special.type is invalid."]
    );
}

#[test]
fn rules_of_attributes_that_the_caller_may_not_write_are_not_run() {
    let body = json!({"menu_name": "Puff", "menu_price": 1, "location_name": "x"});
    assert_eq!(broken(reading(), body.clone()), Vec::<String>::new());
    let admin = Reading {
        admin: true,
        ..reading()
    };
    assert_eq!(broken(admin, body.clone()).len(), 1);
    let owned = Reading {
        owner: Some("customer_group_id"),
        ..admin
    };
    assert_eq!(broken(owned, body), Vec::<String>::new());
}

#[test]
fn a_body_is_narrowed_to_the_writable_attributes() {
    let Json::Object(members) =
        json!({"menu_price": 1, "customer_group_id": 3, "x": 1, "special": {}, "note": "n"})
    else {
        panic!("an object")
    };
    let mut input = Input::new(members);
    reading().narrow(&mut input);
    let kept: Vec<&String> = input.members().keys().collect();
    assert_eq!(kept, ["menu_price", "special"]);
}
