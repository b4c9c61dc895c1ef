//! Names of members in documents.

use formwork::prelude::*;

use super::{assert_pointers, count_articles, identifier, post_article, staffed};

/// jsonapi.org, "Fields" and "Member Names": a name that no document may have is rejected, not
/// ignored.
#[test]
fn names_that_no_member_may_have_are_refused() {
    let service = staffed();
    let post = |attributes: Json, relationships: Json| {
        let data =
            json!({"type": "articles", "attributes": attributes, "relationships": relationships});
        post_article(&service, data)
    };
    let author = json!({"data": identifier("people", 1)});
    for name in [
        "id", "type", "", "a.b", "a/b", "a+b", "a[b]", "a:b", "-a", "a_", "a ", "a\u{1}b", "@",
        "@@a",
    ] {
        let escaped = name.replace('/', "~1");
        let attribute = post(json!({"title": "Puff", name: "x"}), json!({}));
        assert_pointers(&attribute, 400, &[&format!("/data/attributes/{escaped}")]);
        let relationship = post(json!({"title": "Puff"}), json!({name: author}));
        assert_pointers(
            &relationship,
            400,
            &[&format!("/data/relationships/{escaped}")],
        );
    }
    let all = post(json!({"id": 1, "type": 2}), json!({"id": author}));
    assert_eq!(all.json["errors"].as_array().map(Vec::len), Some(3));
    assert_eq!(count_articles(&service), 0, "nothing was stored");
    // Unknown names that a member may have are ignored, and so are those of extensions (`@`).
    for name in ["a b", "a-b", "é", "@note", "0"] {
        let answer = post(json!({"title": "Puff", name: "x"}), json!({name: author}));
        assert_eq!(answer.status, 201, "{name}: {answer}");
    }
}
