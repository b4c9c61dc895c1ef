//! Words about whether something is there at all.

use formwork::prelude::*;

use super::{WAYS, check, check_all, desk, messages, send};

#[test]
fn required_is_neither_missing_nor_empty() {
    let service = desk();
    let title = ["title: The title field is required."];
    for way in WAYS {
        for empty in [json!(null), json!(""), json!("  "), json!([]), json!({})] {
            check(&service, way, &json!({"title": empty}), &title);
        }
        let answer = send(&service, way, &json!({}));
        // PATCH runs the rules of the attributes that are sent.
        let status = if way.0 == "PATCH" { 200 } else { 422 };
        assert_eq!(answer.status, status, "{way:?}: {answer}");
        for something in [json!(0), json!(false)] {
            let answer = send(&service, way, &json!({"title": something}));
            assert_eq!(
                messages(&answer),
                ["title: The title field must be a string."]
            );
        }
    }
}

#[test]
fn required_if_looks_at_another_value() {
    let missing = ["required_if: The required if field is required when in is F."];
    let service = desk();
    for way in WAYS {
        let expected = if way.0 == "PATCH" { &[] } else { &missing[..] };
        check(&service, way, &json!({"in": "F"}), expected);
    }
    check_all(
        r#"
{"in": "F", "required_if": ""}
    required_if: The required if field is required when in is F.
{"in": "F", "required_if": null}
    required_if: The required if field is required when in is F.
{"in": "F", "required_if": "x"}
{"in": "a,b"}
{"required_if": ""}
"#,
    );
}

#[test]
fn required_without_looks_for_another() {
    check_all(
        r#"
{}
{"required_without": ""}
    required_without: The required without field is required when string / numeric is not present.
{"required_without": "", "string": "x"}
    required_without: The required without field is required when string / numeric is not present.
{"required_without": null, "string": "x", "numeric": null}
    required_without: The required without field is required when string / numeric is not present.
{"required_without": "", "string": "x", "numeric": 0}
{"required_without": "x"}
"#,
    );
}

#[test]
fn excluded_attributes_are_not_validated_or_stored() {
    check_all(
        r#"
{"exclude_without": "x"}
{"exclude_without": "x", "string": null}
{"exclude_without": "x", "string": ""}
{"exclude_without": "x", "string": "y"}
    exclude_without: The exclude without field must be an integer.
"#,
    );
    let service = desk();
    for way in WAYS {
        for string in [json!(null), json!("y")] {
            let body = json!({"title": "t", "exclude_without": 5, "string": string});
            let answer = send(&service, way, &body);
            let is_stored = answer.body.contains("exclude_without");
            assert_eq!(is_stored, string.is_string(), "{way:?}: {answer}");
        }
    }
}

/// A space is part of a password.
#[test]
fn same_and_confirmed_look_at_their_counterpart() {
    check_all(
        r#"
{"same": "x", "string": "x"}
{"same": "x", "string": "y"}
    same: The same field must match string.
{"same": "x"}
    same: The same field must match string.
{"same": null, "string": "y"}
{"password": "formwork1", "password_confirmation": "formwork1"}
{"password": "formwork1", "password_confirmation": "formwork1 "}
    password: The password field confirmation does not match.
{"password": "form"}
    password: The password field must be at least 8 characters.
    password: The password field confirmation does not match.
{"password": null}
"#,
    );
}

#[test]
fn unique_looks_at_every_row_but_the_record_s_own() {
    let service = desk();
    let body = json!({"title": "kept", "code": "a"});
    // The record's own value is no duplicate.
    for method in ["PATCH", "PUT", "PATCH"] {
        let body = Some(body.to_string());
        let answer = service.guest().send(method, "/api/forms/2", body);
        assert_eq!(answer.status, 200, "{answer}");
    }
    let (taken, valid) = (["code: The code has already been taken."], &[""; 0]);
    for way in WAYS {
        for code in ["a", " a "] {
            check(&service, way, &json!({"code": code}), &taken);
        }
        for code in [json!(null), json!("")] {
            check(&service, way, &json!({"code": code}), valid);
        }
    }
}
