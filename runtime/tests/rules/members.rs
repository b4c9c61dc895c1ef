//! Items of lists (`field.*`), members of objects.

use formwork::prelude::*;

use super::{WAYS, check_all, desk, send};

#[test]
fn items_are_judged_each() {
    check_all(
        r#"
{"ids": []}
{"ids": null}
{"ids": [1, "2", 1]}
{"ids": [1, "x", null, 99, {}]}
    ids.1: The ids.1 field must be an integer.
    ids.2: The ids.2 field must be an integer.
    ids.3: The selected ids.3 is invalid.
    ids.4: The ids.4 field must be an integer.
{"ids": "1"}
    ids: The ids field must be an array.
{"ids": 1}
    ids: The ids field must be an array.
"#,
    );
}

#[test]
fn members_are_judged_where_their_object_is_there() {
    check_all(
        r#"
{"special": null}
{"special": {}}
    special.note: The special.note field must be present.
    special.type: The special.type field is required.
{"special": []}
    special: The special field must be an object.
{"special": [1]}
    special: The special field must be an object.
{"special": 5}
    special: The special field must be an array.
{"special": {"type": "P", "note": null}}
{"special": {"type": "P", "note": ""}}
{"special": {"type": "P"}}
    special.note: The special.note field must be present.
{"special": {"type": "F", "note": "n"}}
    special.amount: The special.amount field is required when special.type is F.
{"special": {"type": "F", "amount": 0, "note": "n"}}
{"special": {"type": "x", "amount": "y", "note": 1, "until": ""}}
    special.amount: The special.amount field must be a number.
    special.note: The special.note field must be a string.
    special.type: The selected special.type is invalid.
    special.until: The special.until field is required.
"#,
    );
}

/// The rules of `lines.*.note` run only for a line with a price.
#[test]
fn members_of_items_look_at_their_own_item() {
    check_all(
        r#"
{"lines": []}
{"lines": [{"name": "a", "again": "a", "free": true}]}
{"lines": [{"name": "long name", "price": "1.234"}, {"name": "a", "again": "b"}, {"price": 1, "note": 7}]}
    lines.0.name: The lines.0.name field must not be greater than 4 characters.
    lines.0.price: The lines.0.price field must be a number with at most 4 digits before and 2 after the decimal point.
    lines.1.again: The lines.1.again field must match lines.1.name.
    lines.1.price: The lines.1.price field is required when lines.1.free is not present.
    lines.2.name: The lines.2.name field is required.
    lines.2.note: The lines.2.note field must be a string.
{"lines": [{"name": "a", "free": 1, "note": 7}]}
{"lines": [1, null, []]}
    lines.0: The lines.0 field must be an object.
    lines.1: The lines.1 field must be an object.
    lines.2: The lines.2 field must be an object.
{"lines": [{"name": "a", "free": 1}, 2, 3, 4]}
    lines: The lines field must not have more than 3 items.
    lines.1: The lines.1 field must be an object.
    lines.2: The lines.2 field must be an object.
    lines.3: The lines.3 field must be an object.
"#,
    );
}

/// In a document the pointer leads to the value that was sent, or to the parent of a missing one.
#[test]
fn pointers_lead_into_lists_and_objects() {
    let service = desk();
    let body = json!({"title": "t", "ids": [1, "x"], "special": {"type": "F", "note": 1},
                      "lines": [{"free": 1}]});
    for way in WAYS.into_iter().filter(|(_, is_document)| *is_document) {
        let answer = send(&service, way, &body);
        let errors = answer.json["errors"].as_array().expect("errors").iter();
        let pointers = errors.map(|error| &error["source"]["pointer"]);
        let expected = ["ids/1", "lines/0", "special", "special/note"];
        let expected = expected.map(|it| format!("/data/attributes/{it}"));
        assert_eq!(
            pointers.collect::<Vec<_>>(),
            expected.each_ref(),
            "{answer}"
        );
    }
}
