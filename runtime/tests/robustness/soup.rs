//! Inputs that no client writes: brackets anywhere, halves of escapes, JSON that is almost JSON.

use formwork::prelude::*;
use proptest::{collection::vec, prelude::*, sample::select, string::string_regex};

use super::inputs::{attributes, encoded, parameter, text};

/// Parts of names and values; none of them is complete.
const PIECES: &str = "filter fields page sort include [ ] [[ ]] [] ][ = == & && , . .. - + % %2 %zz %00 %0A %FF \
    %C0%AF %ED%A0%80 %u0041 %5B %5D %26 %3D %25 id title things price eq in like null ? #x ; : / \\ ' * ( { ~ 1 0 a";

/// Text in forms that Unicode holds equal, or that change their length in another case.
const FORMS: &str = "é e\u{301} ﬁ İ ı ß ẞ \u{feff} \u{200d} 👩‍👩‍👧 \u{10ffff} \u{fffd} Ω \u{2126} ǆ ﷺ \u{85} \
    \u{2028} \u{a0}";

/// Chooses one of the words of a text.
pub fn one_of(words: &'static str) -> impl Strategy<Value = String> {
    let words: Vec<&str> = words
        .split([' ', '\n'])
        .filter(|word| !word.is_empty())
        .collect();
    select(words).prop_map(str::to_owned)
}

/// Pieces of query strings in any order.
pub fn soup() -> impl Strategy<Value = String> {
    vec(one_of(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

/// Parameters, some of them sent again, in another case or with another name for the same.
pub fn repeated() -> impl Strategy<Value = String> {
    (vec(parameter(), 1..4), 1..4_usize, any::<bool>()).prop_map(|(mut sent, times, louder)| {
        let first = sent[0].clone();
        let first = if louder { first.to_uppercase() } else { first };
        sent.extend(std::iter::repeat_n(first, times));
        sent.join("&")
    })
}

/// Searches and filters by text in all its forms.
pub fn forms() -> impl Strategy<Value = String> {
    let name = one_of("search filter[title] filter[title][like] filter[title][in]");
    (name, vec(one_of(FORMS), 1..8))
        .prop_map(|(name, forms)| format!("{name}={}", encoded(&forms.concat())))
}

/// Corrupt JSON.
pub fn broken_json() -> impl Strategy<Value = Vec<u8>> {
    let whole = attributes().prop_map(|body| {
        json!({"data": {"type": "things", "attributes": body.clone()}, "title": "x", "extra": body})
    });
    (whole, vec(corruption(), 1..4)).prop_map(|(whole, corruptions)| {
        let mut text = whole.to_string().into_bytes();
        for (kind, at, insertion) in corruptions {
            let at = at % (text.len() + 1);
            match kind {
                0 => text.truncate(at),
                1 if at < text.len() => drop(text.remove(at)),
                1 => {}
                _ => drop(text.splice(at..at, insertion)),
            }
        }
        text
    })
}

/// Text that breaks JSON, or is valid in it and odd.
const FRAGMENTS: &str = r#"{ } [ ] " , : \\ \u0000 \ud800 \udc00\ud800 null 1e99999 - -0
    0.0000000000000000000000000000001 NaN Infinity /**/ "title":1, "data":{}, "id":"1", "type":"x","#;

/// What is done to a text (0 truncates it, 1 removes a byte, others insert), at which byte, and bytes to
/// insert.
fn corruption() -> impl Strategy<Value = (u8, usize, Vec<u8>)> {
    let insertion = prop_oneof![
        one_of(FRAGMENTS).prop_map(String::into_bytes),
        one_of(FORMS).prop_map(String::into_bytes),
        vec(any::<u8>(), 1..6),
        (1..400_usize).prop_map(|digits| b"9".repeat(digits)),
        (1..300_usize).prop_map(|depth| b"[".repeat(depth)),
    ];
    (0..4_u8, any::<usize>(), insertion)
}

/// Header values of any length, with any text in them.
pub fn header_value() -> impl Strategy<Value = String> {
    prop_oneof![
        text(),
        string_regex("[ -~]{0,40}").expect("a pattern"),
        one_of(FORMS),
        (
            one_of("a \" , ;q=1 W/\"x\", application/json, 1.1.1.1, é"),
            1..4000_usize
        )
            .prop_map(|(piece, times)| piece.repeat(times)),
    ]
}
