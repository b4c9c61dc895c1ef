//! Inputs that the properties generate.

use formwork::prelude::*;
use proptest::{collection::vec, prelude::*, string::string_regex};

use super::{soup::one_of, target::Sent};

/// Text of every kind: words the service knows, signs that mean something somewhere, anything.
pub fn text() -> impl Strategy<Value = String> {
    let known = "title id thing_id price extra open true null all 1 0 -1 9223372036854775808 1e400 NaN \
        2026-02-30 0000-00-00T00:00:00Z ' \" % \\ -- ; \u{0} \u{202e} ١ x');DROP/**/TABLE/**/things;-- [] {} *";
    prop_oneof![
        3 => one_of(known),
        1 => string_regex(".{0,40}").expect("a pattern"),
    ]
}

pub fn encoded(text: &str) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"[]_-".contains(&byte);
    text.bytes()
        .map(|byte| match safe(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

pub fn parameter() -> impl Strategy<Value = String> {
    let name = one_of(
        "page page[number] page[size] pageLimit page[after] page[before] sort sort[] search filter[search] level \
         filter[shown] lighter include exclude fields[things] filter[id][in] filter[title][like] \
         filter[price][gte] filter[weight][null] filter[native] filter[found_at][lt] filter[extra][ne]",
    );
    let filter = (text(), text()).prop_map(|(name, op)| format!("filter[{name}][{op}]"));
    let name = prop_oneof![4 => name, 1 => filter, 1 => text()];
    let values = vec(text(), 0..4).prop_map(|values| values.join(","));
    (name, values).prop_map(|(name, value)| format!("{}={}", encoded(&name), encoded(&value)))
}

pub fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        text().prop_map(Json::from),
    ];
    let word = || {
        let known = one_of("data type id attributes relationships");
        prop_oneof![2 => known, 3 => one_of(ATTRIBUTES), 1 => text()]
    };
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            vec((word(), inner), 0..6)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// The attributes of a thing.
const ATTRIBUTES: &str =
    "title floor visits weight price native open made_on shown_at found_at code extra";

/// A thing whose attributes have any value.
pub fn attributes() -> impl Strategy<Value = Json> {
    vec((one_of(ATTRIBUTES), json()), 1..8)
        .prop_map(|members| Json::Object(members.into_iter().collect()))
}

pub fn sent(
    method: &'static str,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
) -> Sent {
    Sent {
        method,
        path,
        headers,
        body,
        admin: true,
    }
}

pub fn accept(json_api: bool) -> (&'static str, String) {
    ("Accept", media(json_api).to_owned())
}

pub const fn media(json_api: bool) -> &'static str {
    if json_api {
        "application/vnd.api+json"
    } else {
        "application/json"
    }
}
