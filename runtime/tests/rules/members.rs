//! Items of lists (`field.*`), members of objects.

use formwork::prelude::*;

use super::{WAYS, check, desk, send};

fn judge(cases: &[(Json, &[&str])]) {
    let service = desk();
    for way in WAYS {
        for (members, expected) in cases {
            let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
            check(&service, way, members, &expected);
        }
    }
}

#[test]
fn items_are_judged_each() {
    judge(&[
        (json!({"ids": []}), &[]),
        (json!({"ids": null}), &[]),
        (json!({"ids": [1, "2", 1]}), &[]),
        (
            json!({"ids": [1, "x", null, 99, {}]}),
            &[
                "ids.1: The ids.1 field must be an integer.",
                "ids.2: The ids.2 field must be an integer.",
                "ids.3: The selected ids.3 is invalid.",
                "ids.4: The ids.4 field must be an integer.",
            ],
        ),
        (
            json!({"ids": "1"}),
            &["ids: The ids field must be an array."],
        ),
        (json!({"ids": 1}), &["ids: The ids field must be an array."]),
    ]);
}

#[test]
fn members_are_judged_where_their_object_is_there() {
    let amount = "special.amount: The special.amount field is required when special.type is F.";
    let note = "special.note: The special.note field must be present.";
    let kind = "special.type: The special.type field is required.";
    judge(&[
        (json!({"special": null}), &[]),
        (json!({"special": {}}), &[note, kind]),
        (
            json!({"special": []}),
            &["special: The special field must be an object."],
        ),
        (
            json!({"special": [1]}),
            &["special: The special field must be an object."],
        ),
        (
            json!({"special": 5}),
            &["special: The special field must be an array."],
        ),
        (json!({"special": {"type": "P", "note": null}}), &[]),
        (json!({"special": {"type": "P", "note": ""}}), &[]),
        (json!({"special": {"type": "P"}}), &[note]),
        (json!({"special": {"type": "F", "note": "n"}}), &[amount]),
        (
            json!({"special": {"type": "F", "amount": 0, "note": "n"}}),
            &[],
        ),
        (
            json!({"special": {"type": "x", "amount": "y", "note": 1, "until": ""}}),
            &[
                "special.amount: The special.amount field must be a number.",
                "special.note: The special.note field must be a string.",
                "special.type: The selected special.type is invalid.",
                "special.until: The special.until field is required.",
            ],
        ),
    ]);
}

#[test]
fn members_of_items_look_at_their_own_item() {
    judge(&[
        (json!({"lines": []}), &[]),
        (
            json!({"lines": [{"name": "a", "again": "a", "free": true}]}),
            &[],
        ),
        (
            json!({"lines": [
                {"name": "long name", "price": "1.234"},
                {"name": "a", "again": "b"},
                {"price": 1, "note": 7},
            ]}),
            &[
                "lines.0.name: The lines.0.name field must not be greater than 4 characters.",
                "lines.0.price: The lines.0.price field must be a number with at most 4 digits \
                 before and 2 after the decimal point.",
                "lines.1.again: The lines.1.again field must match lines.1.name.",
                "lines.1.price: The lines.1.price field is required when lines.1.free is not \
                 present.",
                "lines.2.name: The lines.2.name field is required.",
                "lines.2.note: The lines.2.note field must be a string.",
            ],
        ),
        // Without a price, its note is not looked at.
        (json!({"lines": [{"name": "a", "free": 1, "note": 7}]}), &[]),
        (
            json!({"lines": [1, null, []]}),
            &[
                "lines.0: The lines.0 field must be an object.",
                "lines.1: The lines.1 field must be an object.",
                "lines.2: The lines.2 field must be an object.",
            ],
        ),
        (
            json!({"lines": [{"name": "a", "free": 1}, 2, 3, 4]}),
            &[
                "lines: The lines field must not have more than 3 items.",
                "lines.1: The lines.1 field must be an object.",
                "lines.2: The lines.2 field must be an object.",
                "lines.3: The lines.3 field must be an object.",
            ],
        ),
    ]);
}

/// In a document the pointer leads to the value that was sent, or to what it is missing from.
#[test]
fn pointers_lead_into_lists_and_objects() {
    let service = desk();
    let body = json!({"title": "t", "ids": [1, "x"], "special": {"type": "F", "note": 1},
                      "lines": [{"free": 1}]});
    for way in WAYS.into_iter().filter(|way| way.document) {
        let answer = send(&service, way, &body);
        let seen: Vec<&str> = answer.json["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .filter_map(|error| error["source"]["pointer"].as_str())
            .collect();
        assert_eq!(
            seen,
            [
                "/data/attributes/ids/1",
                "/data/attributes/lines/0",
                "/data/attributes/special",
                "/data/attributes/special/note",
            ],
            "{answer}"
        );
    }
}
