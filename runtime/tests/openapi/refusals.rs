//! How refusals are described.

use crate::{described as of, magazine};

/// A refusal is described once, among the components, with its body and its headers.
#[test]
fn refusals_are_described_once() {
    let service = magazine();
    let described = of(&service, "/api");
    let mut refusals = 0;
    for one in described.operations() {
        for (status, response) in one.operation["responses"].as_object().expect("responses") {
            if status.starts_with(['4', '5']) {
                let members: Vec<&String> = response.as_object().expect("one").keys().collect();
                assert_eq!(members, ["$ref"], "{status} of {}", one.path);
                refusals += 1;
            }
        }
    }
    assert!(refusals > 100, "{refusals}");
    let shared = &described.document["components"]["responses"];
    let all = shared.as_object().expect("components").iter();
    for (name, response) in all.filter(|(name, _)| *name != "NotModified") {
        let headers = response["headers"].as_object().expect("headers");
        assert!(
            headers.values().all(|header| header["$ref"].is_string()),
            "{name}"
        );
        let content = response["content"].as_object().expect("bodies");
        assert!(
            content
                .values()
                .all(|media| media["schema"]["$ref"].is_string()),
            "{name}"
        );
    }
}
