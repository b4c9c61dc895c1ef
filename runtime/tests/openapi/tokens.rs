//! The schema of the token endpoint's body, and what the endpoint accepts.

use formwork::{auth::AccountKind, data::value::Json};
use serde_json::json;

use crate::{JSON, answers::fits, described, magazine};

/// Every body that its schema allows may belong to an account: 422 is left to wrong credentials.
#[test]
fn invalid_token_requests_do_not_match_the_described_schema() {
    let service = magazine();
    let issue = described().operation("token.issue");
    service.account(AccountKind::Admin, "chef@example.com");
    let valid = json!({"email": "chef@example.com", "password": "formwork", "device_name": "till",
                      "is_admin": true});
    let long = "a".repeat(256);
    for (changes, status) in [
        (json!({}), 201),
        (json!({"email": null, "username": "chef"}), 201),
        (
            json!({"email": null, "username": "chef", "is_admin": null}),
            201,
        ),
        (json!({"username": "chef"}), 201),
        (json!({"abilities": ["menus:*"]}), 201),
        (json!({"email": null}), 422),
        (json!({"email": null, "is_admin": false}), 422),
        (
            json!({"email": null, "username": "chef", "is_admin": false}),
            422,
        ),
        (json!({"email": ""}), 422),
        (json!({"email": "chef"}), 422),
        (json!({"email": "@example.com"}), 422),
        (json!({"email": "chef@a b"}), 422),
        (json!({"email": null, "username": ""}), 422),
        (json!({"email": null, "username": "  "}), 422),
        (json!({"username": "che\u{0}f"}), 422),
        (json!({"password": null}), 422),
        (json!({"password": ""}), 422),
        (json!({"password": "form\u{0}work"}), 422),
        (json!({"device_name": " "}), 422),
        (json!({"device_name": "a\u{0}"}), 422),
        (json!({"device_name": long}), 422),
        (json!({"abilities": ["a b"]}), 422),
        (json!({"abilities": [long]}), 422),
        (json!({"abilities": vec!["a"; 101]}), 422),
    ] {
        let mut body = valid.as_object().expect("a body").clone();
        body.extend(changes.as_object().expect("changes").clone());
        body.retain(|_, value| !value.is_null());
        let body = Json::Object(body);
        for media in [JSON, "application/x-www-form-urlencoded"] {
            let faults = described().faults(described().body(issue, media), &body);
            assert_eq!(faults.is_empty(), status == 201, "{body}: {faults:?}");
        }
        let answer = service.guest().post("/api/token", body.clone());
        let answer = fits(described(), issue, answer);
        assert_eq!(answer.status, status, "{body}: {answer}");
    }
}
