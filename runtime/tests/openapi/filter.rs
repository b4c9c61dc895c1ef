//! The filter of the page at `GET /api/docs`, in a JavaScript engine.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{magazine, skipped::skipped};

/// Returns the operations that the page shows while these words are in its filter, by group; `None`
/// without Node.js.
fn filter(words: &[&str]) -> Option<Value> {
    if Command::new("node").arg("--version").output().is_err() {
        skipped("node is not installed");
        return None;
    }
    let service = magazine();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openapi/filter.js");
    let mut node = Command::new("node");
    node.arg(script).arg(format!("{}/api/docs", service.url()));
    let output = node.args(words).stderr(Stdio::piped()).output();
    let output = output.expect("node runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let shown = serde_json::from_slice(&output.stdout);
    Some(shown.unwrap_or_else(|error| panic!("{error}: {errors}")))
}

#[test]
fn operations_are_found_by_groups_paths_parameters_and_attributes() {
    let words = [
        "SEATS",
        "OTHERS",
        "/map",
        "filter[begins]",
        "editor_id",
        "zzz",
    ];
    let Some(shown) = filter(&words) else {
        return;
    };
    let rides = [
        "get /api/rides",
        "post /api/rides",
        "get /api/rides/{id}",
        "put /api/rides/{id}",
        "patch /api/rides/{id}",
    ];
    let articles = [
        "get /api/articles",
        "post /api/articles",
        "get /api/articles/create",
        "get /api/articles/{id}",
        "put /api/articles/{id}",
        "patch /api/articles/{id}",
        "get /api/articles/{id}/edit",
    ];
    let expected = json!({
        "OTHERS": {"Others": ["get /api/rides/{id}/map", "get /api/tours/{day}", "get /api/tours/day"]},
        "SEATS": {"Rides": rides},
        "/map": {"Others": ["get /api/rides/{id}/map"]},
        "filter[begins]": {"Rides": ["get /api/rides"]},
        "editor_id": {"articles": articles},
        "zzz": {},
    });
    assert_eq!(shown, expected, "{shown:#}");
}
