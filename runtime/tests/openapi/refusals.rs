//! How rejections are described.

use crate::described;

/// A rejection is described once, among the components, with its body and its headers.
#[test]
fn refusals_are_described_once() {
    let mut rejections = 0;
    for one in described().operations() {
        for (status, response) in one.operation["responses"].as_object().expect("responses") {
            if status.starts_with(['4', '5']) {
                let members: Vec<&String> = response.as_object().expect("one").keys().collect();
                assert_eq!(members, ["$ref"], "{status} of {}", one.path);
                rejections += 1;
            }
        }
    }
    assert!(rejections > 100, "{rejections}");
    let shared = &described().document["components"]["responses"];
    let all = shared.as_object().expect("components").iter();
    for (name, response) in all.filter(|(name, _)| *name != "NotModified") {
        let headers = response["headers"].as_object().expect("headers");
        let mut headers = headers.values();
        assert!(headers.all(|header| header["$ref"].is_string()), "{name}");
        let content = response["content"].as_object().expect("bodies");
        let mut schemas = content.values().map(|media| &media["schema"]);
        assert!(schemas.all(|schema| schema["$ref"].is_string()), "{name}");
    }
}
