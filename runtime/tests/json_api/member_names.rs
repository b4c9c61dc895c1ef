//! Names of members in documents.

use formwork::prelude::*;

use super::{changes::staffed, identifier, speaking};

/// jsonapi.org, "Fields" and "Member Names": a name that no document may have is refused, not ignored.
#[test]
fn names_that_no_member_may_have_are_refused() {
    let service = staffed();
    let author = identifier("people", 1);
    let store = |attributes: Json, relationships: Json| {
        let data =
            json!({"type": "articles", "attributes": attributes, "relationships": relationships});
        speaking(service.admin()).post("/api/articles", json!({"data": data}))
    };
    for (name, escaped) in [
        ("id", "id"),
        ("type", "type"),
        ("", ""),
        ("a.b", "a.b"),
        ("a/b", "a~1b"),
        ("a+b", "a+b"),
        ("a[b]", "a[b]"),
        ("a:b", "a:b"),
        ("-a", "-a"),
        ("a_", "a_"),
        ("a ", "a "),
        ("a\u{1}b", "a\u{1}b"),
        ("@", "@"),
        ("@@a", "@@a"),
    ] {
        for (member, answer) in [
            (
                "attributes",
                store(json!({"title": "Puff", name: "x"}), json!({})),
            ),
            (
                "relationships",
                store(json!({"title": "Puff"}), json!({name: {"data": author}})),
            ),
        ] {
            assert_eq!(answer.status, 400, "{member} {name:?}: {answer}");
            let pointer = json!({"pointer": format!("/data/{member}/{escaped}")});
            assert_eq!(answer.json["errors"][0]["source"], pointer, "{answer}");
        }
    }
    let all = store(json!({"id": 1, "type": 2}), json!({"id": {"data": author}}));
    assert_eq!(
        all.json["errors"].as_array().map(Vec::len),
        Some(3),
        "{all}"
    );
    let total = &service.guest().get("/api/articles").json["meta"]["pagination"]["total"];
    assert_eq!(total, 0, "nothing was stored");
    // Unknown names that a member may have are ignored, and so are those of extensions (`@`).
    for name in ["a b", "a-b", "é", "@note", "0"] {
        let answer = store(
            json!({"title": "Puff", name: "x"}),
            json!({name: {"data": author}}),
        );
        assert_eq!(answer.status, 201, "{name}: {answer}");
    }
}
