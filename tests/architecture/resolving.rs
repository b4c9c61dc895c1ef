//! Paths lead to the file that defines what they name.

use crate::arrows::arrows;
use crate::sources::{Texts, parse};

/// The arrows of a crate of these files, `from -> to`.
pub fn arrows_of(files: &[(&str, &str)]) -> Vec<String> {
    let texts: Texts = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    let found = arrows(&parse(&texts));
    let found = found.inside.union(&found.outside);
    found.map(|(from, to)| format!("{from} -> {to}")).collect()
}

const LIB: (&str, &str) = (
    "lib.rs",
    "mod a; pub mod b; pub use b::c::Deep; #[cfg(test)] mod t;",
);
const B: (&str, &str) = ("b.rs", "pub mod c; pub use c::Deep; pub struct Own;");
const C: (&str, &str) = ("b/c.rs", "pub struct Deep; pub fn run() {}");

/// The arrows of `a`, where it holds this text.
fn of_a(text: &str) -> Vec<String> {
    arrows_of(&[LIB, B, C, ("a.rs", text), ("a/d.rs", "")])
}

#[test]
fn a_parents_children_and_re_exports_are_no_arrows() {
    assert_eq!(of_a(""), Vec::<String>::new());
}

#[test]
fn groups_and_renames_are_spelled_out() {
    assert_eq!(
        of_a("use crate::{b::{self, c::Deep as D, Own}};"),
        ["a -> b", "a -> b::c"]
    );
}

#[test]
fn re_exports_of_parents_lead_to_the_file_that_defines() {
    assert_eq!(of_a("use crate::Deep;"), ["a -> b::c"]);
    let parent = ("b.rs", "pub mod c; mod d; pub use c::Deep;");
    let child = ("b/d.rs", "use super::Deep;");
    let files = [LIB, parent, C, child, ("a.rs", "")];
    assert_eq!(arrows_of(&files), ["b::d -> b::c"]);
}

#[test]
fn re_exports_of_other_modules_lead_to_these() {
    assert_eq!(of_a("use crate::b::Deep as D; fn f(_: D) {}"), ["a -> b"]);
    assert_eq!(of_a("fn f() { crate::b::Deep::new() }"), ["a -> b"]);
}

#[test]
fn an_imported_module_is_an_arrow_to_the_item_used_through_it() {
    assert_eq!(of_a("use crate::b; fn f() { b::c::run() }"), ["a -> b::c"]);
    assert_eq!(
        of_a("use crate::b as other; fn f(_: other::Own) {}"),
        ["a -> b"]
    );
    assert_eq!(of_a("use crate::b;"), ["a -> b"]);
}

#[test]
fn a_glob_is_an_arrow_to_each_item_used_through_it() {
    assert_eq!(of_a("use crate::b::*; fn f(_: Deep) {}"), ["a -> b"]);
    assert_eq!(of_a("use crate::b::c::*; fn f(_: Deep) {}"), ["a -> b::c"]);
}

#[test]
fn super_and_self_are_followed() {
    let files = [
        LIB,
        B,
        C,
        (
            "a.rs",
            "mod d; struct Here; use self::d::down; fn f() { down() }",
        ),
        (
            "a/d.rs",
            "pub fn down() { super::super::b::c::run() } fn up(_: super::Here) {}",
        ),
    ];
    assert_eq!(
        arrows_of(&files),
        ["a -> a::d", "a::d -> a", "a::d -> b::c"]
    );
}

#[test]
fn macros_are_looked_through() {
    assert_eq!(
        of_a("fn f() { println!(\"{}\", [crate::b::c::run()]) }"),
        ["a -> b::c"]
    );
    assert_eq!(
        of_a("macro_rules! m { () => { $crate::b::Own } }"),
        ["a -> b"]
    );
}

#[test]
fn groups_in_macros_are_spelled_out() {
    assert_eq!(
        of_a("m! { use crate::{b::{c::run as go, Own}, Deep}; }"),
        ["a -> b", "a -> b::c"]
    );
}

#[test]
fn attributes_are_looked_through() {
    assert_eq!(
        of_a(
            "struct S { #[serde(with = \"crate::b::c\", default = \"crate::b::Own::new\")] s: u8 }"
        ),
        ["a -> b", "a -> b::c"]
    );
    assert_eq!(
        of_a("#[derive(crate::b::Own)] struct S; #[doc = \"crate::b::Own\"] struct T;"),
        ["a -> b"]
    );
}

#[test]
fn statements_in_texts_are_seen() {
    for text in [
        "const T: &str = \"DELETE FROM t\";",
        "fn f() { format!(\"\\n  SELECT {}\", 1) }",
        "fn f() -> String { concat!(\"x\", \"UPDATE t\").into() }",
        "fn f() -> String { concat!(\"DELETE\", \" \", \"FROM t\").into() }",
        "fn f() { format!(concat!(\"sel\", \"ect {} from t\"), 1) }",
        "const T: &str = \"\n    with a as (select 1) select * from a\";",
        "const T: &str = r#\"(SELECT\n 1)\"#;",
    ] {
        assert_eq!(of_a(text), ["a -> sql_text::statement"], "{text}");
    }
    for text in [
        "const T: &str = \"DELETE\";",
        "const T: &str = \"Select a name from the list.\";",
        "fn f() { concat!(\"a\", \"b\"); other!(\"SEL\", \"ECT 1\") }",
        "/// SELECT 1\nfn f() {}",
    ] {
        assert_eq!(of_a(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn tests_texts_and_comments_are_no_arrows() {
    assert_eq!(
        of_a(
            "#[cfg(test)] mod tests { use crate::b::Own; } /* crate::b */ const T: &str = \"crate::b\";"
        ),
        Vec::<String>::new()
    );
    assert_eq!(
        of_a("#[cfg(test)] use crate::b::Own; pub(in crate::b) fn f() {}"),
        Vec::<String>::new()
    );
}

#[test]
fn inline_modules_belong_to_their_file() {
    assert_eq!(
        of_a("mod inner { use super::super::b::Own; fn f(_: super::S) {} } struct S;"),
        ["a -> b"]
    );
}

#[test]
fn names_of_other_crates_are_whole() {
    assert_eq!(
        of_a("use std::{fs, io::Result as R}; fn f() -> R<()> { fs::write(\"\", \"\") }"),
        [
            "a -> std::fs",
            "a -> std::fs::write",
            "a -> std::io::Result"
        ]
    );
}
