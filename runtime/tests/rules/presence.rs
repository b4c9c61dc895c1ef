//! Words about whether something is there at all.

use formwork::prelude::*;

use super::{WAYS, check, desk, said, send};

/// Members, and what is said of them where they are stored or put, and where they patch.
struct Case<'c> {
    members: Json,
    whole: &'c [&'c str],
    patch: &'c [&'c str],
}

fn case<'c>(members: Json, whole: &'c [&'c str], patch: &'c [&'c str]) -> Case<'c> {
    Case {
        members,
        whole,
        patch,
    }
}

fn judge(cases: &[Case<'_>]) {
    let service = desk();
    for way in WAYS {
        for case in cases {
            let expected = match way.method {
                "PATCH" => case.patch,
                _ => case.whole,
            };
            let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
            check(&service, way, &case.members, &expected);
        }
    }
}

#[test]
fn required_is_neither_missing_nor_empty() {
    let service = desk();
    let title = ["title: The title field is required."];
    for way in WAYS {
        for empty in [json!(null), json!(""), json!("  "), json!([]), json!({})] {
            let answer = send(&service, way, &json!({"title": empty}));
            assert_eq!(
                (answer.status, said(&answer)),
                (422, title.map(String::from).to_vec())
            );
        }
        let answer = send(&service, way, &json!({}));
        // PATCH runs the rules of what is sent.
        let status = if way.method == "PATCH" { 200 } else { 422 };
        assert_eq!(answer.status, status, "{way:?}: {answer}");
        for something in [json!(0), json!(false)] {
            let answer = send(&service, way, &json!({"title": something}));
            assert_eq!(said(&answer), ["title: The title field must be a string."]);
        }
    }
}

#[test]
fn required_if_looks_at_another_value() {
    let missing = "required_if: The required if field is required when in is F.";
    judge(&[
        case(json!({"in": "F"}), &[missing], &[]),
        case(
            json!({"in": "F", "required_if": ""}),
            &[missing],
            &[missing],
        ),
        case(
            json!({"in": "F", "required_if": null}),
            &[missing],
            &[missing],
        ),
        case(json!({"in": "F", "required_if": "x"}), &[], &[]),
        case(json!({"in": "a,b"}), &[], &[]),
        case(json!({"required_if": ""}), &[], &[]),
    ]);
}

#[test]
fn required_without_looks_for_another() {
    let missing = "required_without: The required without field is required when string / numeric \
                   is not present.";
    judge(&[
        case(json!({}), &[], &[]),
        case(json!({"required_without": ""}), &[missing], &[missing]),
        case(
            json!({"required_without": "", "string": "x"}),
            &[missing],
            &[missing],
        ),
        case(
            json!({"required_without": null, "string": "x", "numeric": null}),
            &[missing],
            &[missing],
        ),
        case(
            json!({"required_without": "", "string": "x", "numeric": 0}),
            &[],
            &[],
        ),
        case(json!({"required_without": "x"}), &[], &[]),
    ]);
}

#[test]
fn excluded_attributes_are_not_validated_or_stored() {
    let wrong = "exclude_without: The exclude without field must be an integer.";
    judge(&[
        case(json!({"exclude_without": "x"}), &[], &[]),
        case(json!({"exclude_without": "x", "string": null}), &[], &[]),
        case(json!({"exclude_without": "x", "string": ""}), &[], &[]),
        case(
            json!({"exclude_without": "x", "string": "y"}),
            &[wrong],
            &[wrong],
        ),
    ]);
    let service = desk();
    for way in WAYS {
        let answer = send(&service, way, &json!({"title": "t", "exclude_without": 5}));
        assert!(
            !answer.body.contains("exclude_without"),
            "{way:?}: {answer}"
        );
        let both = json!({"title": "t", "exclude_without": 5, "string": "y"});
        let answer = send(&service, way, &both);
        assert!(answer.body.contains("exclude_without"), "{way:?}: {answer}");
    }
}

#[test]
fn same_and_confirmed_look_at_their_counterpart() {
    let differs = "same: The same field must match string.";
    let short = "password: The password field must be at least 8 characters.";
    let unconfirmed = "password: The password field confirmation does not match.";
    judge(&[
        case(json!({"same": "x", "string": "x"}), &[], &[]),
        case(json!({"same": "x", "string": "y"}), &[differs], &[differs]),
        case(json!({"same": "x"}), &[differs], &[differs]),
        case(json!({"same": null, "string": "y"}), &[], &[]),
        case(
            json!({"password": "formwork1", "password_confirmation": "formwork1"}),
            &[],
            &[],
        ),
        // A space is part of a password.
        case(
            json!({"password": "formwork1", "password_confirmation": "formwork1 "}),
            &[unconfirmed],
            &[unconfirmed],
        ),
        case(
            json!({"password": "form"}),
            &[short, unconfirmed],
            &[short, unconfirmed],
        ),
        case(json!({"password": null}), &[], &[]),
    ]);
}

#[test]
fn unique_looks_at_every_row_but_the_record_s_own() {
    let service = desk();
    let kept = json!({"title": "kept", "code": "a"});
    assert_eq!(
        service.guest().patch("/api/forms/2", kept.clone()).status,
        200
    );
    let taken = ["code: The code has already been taken.".to_owned()];
    for way in WAYS {
        check(&service, way, &json!({"code": "a"}), &taken);
        check(&service, way, &json!({"code": " a "}), &taken);
        check(&service, way, &json!({"code": null}), &[]);
        check(&service, way, &json!({"code": ""}), &[]);
    }
    for method in ["PUT", "PATCH"] {
        let own = service
            .guest()
            .send(method, "/api/forms/2", Some(kept.to_string()));
        assert_eq!(own.status, 200, "{own}");
    }
}
