//! Inputs that no client writes: brackets anywhere, halves of escapes, JSON that is almost JSON.

use formwork::prelude::*;
use proptest::{collection::vec, prelude::*, sample::select, string::string_regex};

use super::inputs::{attributes, encoded, parameter, text};

/// Parts of names and values; none of them is whole.
const PIECES: &[&str] = &[
    "filter",
    "fields",
    "page",
    "sort",
    "include",
    "[",
    "]",
    "[[",
    "]]",
    "[]",
    "][",
    "=",
    "==",
    "&",
    "&&",
    ",",
    ".",
    "..",
    "-",
    "+",
    "%",
    "%2",
    "%zz",
    "%00",
    "%0A",
    "%FF",
    "%C0%AF",
    "%ED%A0%80",
    "%u0041",
    "%5B",
    "%5D",
    "%26",
    "%3D",
    "%25",
    "id",
    "title",
    "things",
    "price",
    "eq",
    "in",
    "like",
    "null",
    "?",
    "#x",
    ";",
    ":",
    "/",
    "\\",
    "'",
    "*",
    "(",
    "{",
    "~",
    "1",
    "0",
    "a",
];

/// Text in forms that Unicode holds equal, or that change their length in another case.
const FORMS: &[&str] = &[
    "é",
    "e\u{301}",
    "ﬁ",
    "İ",
    "ı",
    "ß",
    "ẞ",
    "\u{feff}",
    "\u{200d}",
    "👩‍👩‍👧",
    "\u{10ffff}",
    "\u{fffd}",
    "Ω",
    "\u{2126}",
    "ǆ",
    "ﷺ",
    "\u{85}",
    "\u{2028}",
    "\u{a0}",
];

/// Pieces of query strings in any order.
pub fn soup() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

/// Parameters, some of them sent again, in another case or with another name for the same.
pub fn repeated() -> impl Strategy<Value = String> {
    (vec(parameter(), 1..4), 1..4_usize, any::<bool>()).prop_map(|(mut sent, times, louder)| {
        let first = sent[0].clone();
        for _ in 0..times {
            sent.push(if louder {
                first.to_uppercase()
            } else {
                first.clone()
            });
        }
        sent.join("&")
    })
}

/// Searches and filters by text in all its forms.
pub fn forms() -> impl Strategy<Value = String> {
    let name = select(vec![
        "search",
        "filter[title]",
        "filter[title][like]",
        "filter[title][in]",
    ]);
    (name, vec(select(FORMS), 1..8))
        .prop_map(|(name, forms)| format!("{name}={}", encoded(&forms.concat())))
}

/// JSON with something done to it.
pub fn broken_json() -> impl Strategy<Value = Vec<u8>> {
    let whole = attributes().prop_map(|body| {
        json!({"data": {"type": "things", "attributes": body.clone()}, "title": "x", "extra": body})
    });
    (whole, vec(damage(), 1..4)).prop_map(|(whole, damages)| {
        let mut text = whole.to_string().into_bytes();
        for (kind, at, insertion) in damages {
            let at = at % (text.len() + 1);
            match kind {
                Damage::Cut => text.truncate(at),
                Damage::Drop if at < text.len() => drop(text.remove(at)),
                Damage::Drop => {}
                Damage::Insert => drop(text.splice(at..at, insertion)),
            }
        }
        text
    })
}

#[derive(Debug, Clone, Copy)]
enum Damage {
    Cut,
    Drop,
    Insert,
}

fn damage() -> impl Strategy<Value = (Damage, usize, Vec<u8>)> {
    let kind = select(vec![
        Damage::Cut,
        Damage::Drop,
        Damage::Insert,
        Damage::Insert,
    ]);
    let insertion = prop_oneof![
        select(vec![
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            ":",
            "\\",
            "\\u0000",
            "\\ud800",
            "\\udc00\\ud800",
            "null",
            "1e99999",
            "-",
            "-0",
            "0.0000000000000000000000000000001",
            "NaN",
            "Infinity",
            "\u{feff}",
            "/**/",
            "\"title\":1,",
            "\"data\":{},",
            "\"id\":\"1\",",
            "\"type\":\"x\",",
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
        vec(any::<u8>(), 1..6),
        (1..400_usize).prop_map(|digits| b"9".repeat(digits)),
        (1..300_usize).prop_map(|depth| b"[".repeat(depth)),
    ];
    (kind, any::<usize>(), insertion)
}

/// Header values of any length, with any text in them.
pub fn header_value() -> impl Strategy<Value = String> {
    prop_oneof![
        text(),
        string_regex("[ -~]{0,40}").expect("a pattern"),
        select(FORMS).prop_map(str::to_owned),
        (
            select(vec![
                "a",
                "\"",
                ",",
                ";q=1",
                "W/\"x\",",
                "application/json,",
                "1.1.1.1,",
                "é"
            ]),
            1..4000_usize
        )
            .prop_map(|(piece, times)| piece.repeat(times)),
    ]
}
