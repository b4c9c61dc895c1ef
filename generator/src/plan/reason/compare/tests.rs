//! Changes of a manifest, as they are reported.

use super::*;

fn said(old: &str, new: &str) -> String {
    let changes = compare(old, new, None).unwrap();
    let texts: Vec<String> = changes.into_iter().map(|one| one.text).collect();
    texts.join(", ")
}

#[test]
fn keys_are_named_as_deep_as_both_sides_go() {
    let old = "actions: [index]\nmodel:\n  attributes:\n    a: string\n    b: { type: text }\n";
    let new = "actions: [show]\nmodel:\n  attributes:\n    b: { type: string }\n    c: text\n";
    assert_eq!(
        said(old, new),
        "actions changed, model.attributes.b.type changed, model.attributes.c is new, \
         model.attributes.a is gone"
    );
}

#[test]
fn order_counts_and_comments_do_not() {
    let old = "model:\n  attributes:\n    a: string\n    b: text\n";
    let new = "model:\n  attributes:\n    b: text\n    a: string\n";
    assert_eq!(said(old, new), "model.attributes is in another order");
    assert_eq!(said(old, &format!("# a note\n{old}")), "");
}

#[test]
fn a_rename_is_reported_once_beside_other_changes() {
    let was = "a: string required\n";
    assert_eq!(
        said(was, "b: { type: string, rules: required, was: a }\n"),
        "a was renamed to b"
    );
    assert_eq!(
        said(was, "b: { type: text, rules: required, was: a }\n"),
        "a was renamed to b, b changed"
    );
    let long = "x:\n  a: { type: string, index: true }\n";
    assert_eq!(
        said(long, "x:\n  b: { type: text, index: true, was: a }\n"),
        "x.a was renamed to b, x.b.type changed"
    );
    // Names that follow each other.
    let chain = "a: string\nb: text\n";
    let moved = "b: { type: string, was: a }\nc: { type: text, was: b }\n";
    assert_eq!(said(chain, moved), "a was renamed to b, b was renamed to c");
    // The word stays in the manifest for good.
    assert_eq!(said(moved, &format!("{moved}d: text\n")), "d is new");
}

#[test]
fn a_table_is_renamed_whether_it_was_named_before_or_not() {
    let new = "model:\n  table: { name: plates, was: dishes }\n";
    for old in [
        "model: {}\n",
        "model: { table: dishes }\n",
        "model: { table: { name: dishes } }\n",
    ] {
        assert_eq!(
            said(old, new),
            "model.table dishes was renamed to plates",
            "{old}"
        );
    }
}
