//! Rules over bodies.

use serde_json::json;

use super::*;
use crate::request::{attribute, rules::*};

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
fn every_broken_rule_is_named_at_once() {
    let body = json!({
        "menu_name": "x", "menu_price": "-1", "categories": [1, "a"], "special": {"type": "F"},
        "password": "short",
    });
    assert_eq!(
        broken(reading(), body),
        [
            "categories.1: The categories.1 field must be an integer.",
            "location_name: The location name field is required.",
            "menu_name: The menu name field must be between 2 and 255 characters.",
            "menu_price: The menu price field must be at least 0.",
            "password: The password field must be at least 8 characters.",
            "password: The password field confirmation does not match.",
            "special.amount: The special.amount field is required when special.type is F.",
        ]
    );
}

#[test]
fn patch_asks_only_about_what_was_sent() {
    let patch = Reading {
        storing: false,
        partial: true,
        ..reading()
    };
    assert_eq!(broken(patch, json!({})), Vec::<String>::new());
    assert_eq!(
        broken(patch, json!({"menu_name": null})),
        ["menu_name: The menu name field is required."]
    );
    let put = Reading {
        partial: false,
        ..patch
    };
    assert_eq!(
        broken(put, json!({"menu_name": "Puff"})).len(),
        1,
        "the price, no location"
    );
}

#[test]
fn what_every_record_is_stored_with_is_never_emptied() {
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
fn items_with_members_are_objects() {
    const LINES: &[Attribute] = &[
        attribute("lines", &[nullable(), array()]),
        attribute("lines.*", &[array()]),
        attribute("lines.*.name", &[required(), string()]),
        attribute("lines.*.parts.*.id", &[required(), integer()]),
    ];
    let lines = Reading {
        attributes: LINES,
        ..reading()
    };
    let object = "field must be an object.";
    assert_eq!(
        broken(lines, json!({"lines": [[]]})),
        [format!("lines.0: The lines.0 {object}")]
    );
    for item in [json!(null), json!(1)] {
        assert_eq!(
            broken(lines, json!({ "lines": [item] })),
            ["lines.0: The lines.0 field must be an array."]
        );
    }
    assert_eq!(
        broken(lines, json!({"lines": [{"name": "a", "parts": [null]}]})),
        [format!("lines.0.parts.0: The lines.0.parts.0 {object}")]
    );
    assert_eq!(broken(lines, json!({"lines": [{"name": "a"}]})).len(), 0);
}

#[test]
fn what_has_members_is_no_list_and_no_scalar() {
    for (wrong, must) in [
        (json!([1]), "an object"),
        (json!([]), "an object"),
        (json!(5), "an array"),
    ] {
        let body = json!({
            "menu_name": "Puff", "menu_price": 1, "location_name": "x", "special": wrong,
        });
        assert_eq!(
            broken(reading(), body),
            [format!("special: The special field must be {must}.")]
        );
    }
}

#[test]
fn rules_look_at_the_same_item() {
    const LINES: &[Attribute] = &[
        attribute("lines", &[array()]),
        attribute("lines.*.kind", &[string()]),
        attribute("lines.*.amount", &[required_if("lines.*.kind", &["fixed"])]),
        attribute("lines.*.name", &[required_without(&["lines.*.code"])]),
        attribute("lines.*.again", &[same("lines.*.name")]),
        attribute(
            "lines.*.note",
            &[exclude_without("lines.*.kind"), integer()],
        ),
    ];
    let lines = Reading {
        attributes: LINES,
        ..reading()
    };
    let body = json!({"lines": [
        {"kind": "fixed", "amount": 1, "name": "a", "again": "a"},
        {"kind": "fixed", "code": "x", "note": "n"},
        {"kind": "", "again": "b", "note": "n"},
    ]});
    assert_eq!(
        broken(lines, body.clone()),
        [
            "lines.1.amount: The lines.1.amount field is required when lines.1.kind is fixed.",
            "lines.1.note: The lines.1.note field must be an integer.",
            "lines.2.again: The lines.2.again field must match lines.2.name.",
            "lines.2.name: The lines.2.name field is required when lines.2.code is not present.",
        ]
    );
    let Json::Object(members) = body else {
        panic!("an object")
    };
    let mut input = Input::new(members);
    lines.narrow(&mut input);
    assert!(input.has("lines.1.note"));
    assert!(!input.has("lines.2.note"), "left out");
    assert!(input.has("lines.2.again"));
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
fn what_is_left_out_is_left_out_with_all_its_parts() {
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
fn rules_of_what_the_caller_may_not_write_are_not_run() {
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
fn a_body_is_narrowed_to_what_may_be_written() {
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

#[test]
fn an_absent_object_misses_none_of_its_members() {
    let good = json!({"menu_name": "Puff", "menu_price": 1, "location_name": "x", "special": null});
    assert_eq!(broken(reading(), good), Vec::<String>::new());
}
