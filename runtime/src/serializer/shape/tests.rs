//! What is known of types, and what is left open.

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::json;

use super::{probe::Probe, *};
use crate::{decimal::Decimal, transformer::Links, value::*};

fn members(value: impl Serialize) -> Members {
    match value.serialize(Probe).map(|shape| shape.kind) {
        Ok(ShapeKind::Object(members) | ShapeKind::Map(members, _)) => members,
        other => panic!("{other:?}"),
    }
}

fn text(shape: &Shape) -> String {
    let null = if shape.nullable { "?" } else { "" };
    match &shape.kind {
        ShapeKind::Any => "any".to_owned(),
        ShapeKind::Unseen => format!("unseen{null}"),
        ShapeKind::Scalar(kind) => format!("{kind:?}{null}"),
        ShapeKind::Links => "links".to_owned(),
        ShapeKind::List(items) => format!("[{}]{null}", text(items)),
        ShapeKind::Object(members) => format!("{{{}}}{null}", members.len()),
        ShapeKind::Map(_, values) => format!("{{*: {}}}{null}", text(values)),
    }
}

fn told(members: &Members) -> Vec<(String, String)> {
    let members = members.iter();
    members
        .map(|(name, shape)| (name.clone(), text(shape)))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    expected.iter().map(owned).collect()
}

#[derive(Serialize)]
struct Line {
    qty: i64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Either {
    Text(String),
    Nothing,
}

#[derive(Serialize)]
struct Inner {
    shared: i64,
    due: Option<DateTime>,
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    nick: Option<&'a str>,
    cow: Cow<'a, str>,
    price: Decimal<4>,
    tax: &'a Option<Decimal<2>>,
    day: Date,
    at: Option<Time>,
    key: Uuid,
    small: i32,
    ratio: f64,
    on: bool,
    links: Links,
    data: Json,
    value: Value,
    words: Vec<String>,
    lines: Vec<&'a Line>,
    none: Vec<Line>,
    line: Option<Line>,
    either: Either,
    map: BTreeMap<&'static str, bool>,
    shared: &'a str,
    #[serde(flatten)]
    inner: &'a Inner,
}

#[test]
fn types_say_what_values_do_not() {
    let inner = Inner {
        shared: 1,
        due: None,
    };
    let line = Line { qty: 1 };
    let shown = Shown {
        name: "",
        nick: None,
        cow: "".into(),
        price: Decimal::default(),
        tax: &None,
        day: Date::default(),
        at: None,
        key: Uuid::nil(),
        small: 0,
        ratio: 0.0,
        on: false,
        links: Links::to_self(String::new()),
        data: json!(1),
        value: Value::Null,
        words: Vec::new(),
        lines: vec![&line],
        none: Vec::new(),
        line: Some(Line { qty: 2 }),
        either: Either::Text(String::new()),
        map: [("a", true)].into(),
        shared: "",
        inner: &inner,
    };
    let seen = told(&members(&shown));
    let expected = pairs(&[
        ("name", "Text"),
        ("nick", "Text?"),
        ("cow", "Text"),
        ("price", "Decimal(4)"),
        ("tax", "Decimal(2)?"),
        ("day", "Date"),
        ("at", "Time?"),
        ("key", "Uuid"),
        ("small", "Integer"),
        ("ratio", "Float"),
        ("on", "Boolean"),
        ("links", "links"),
        ("data", "any"),
        ("value", "any"),
        ("words", "[Text]"),
        ("lines", "[{1}]"),
        ("none", "[unseen]"),
        ("line", "{1}?"),
        ("either", "any"),
        ("map", "{1}"),
        // Of two members of one name the first is shown.
        ("shared", "Text"),
        ("due", "DateTime?"),
    ]);
    assert_eq!(seen, expected);
    let nothing = Shape::of(ShapeKind::Any).or_null();
    assert_eq!(Either::Nothing.serialize(Probe).ok(), Some(nothing));
}

#[derive(Serialize)]
struct Basket<'a> {
    lines: Vec<&'a Line>,
    best: Option<&'a Line>,
    words: Vec<Either>,
    /// Its names are data.
    groups: BTreeMap<String, Vec<&'a Line>>,
}

/// An empty list does not make a list of anything of one that has something in it.
#[test]
fn what_was_not_seen_in_one_record_is_seen_in_another() {
    let line = Line { qty: 1 };
    let [empty, full] = [None, Some(&line)].map(|best| {
        members(Basket {
            lines: best.into_iter().collect(),
            best,
            words: best.map(|_| Either::Nothing).into_iter().collect(),
            groups: best
                .map(|line| ("a".to_owned(), vec![line]))
                .into_iter()
                .collect(),
        })
    });
    let nothing = [
        ("lines", "[unseen]"),
        ("best", "unseen?"),
        ("words", "[unseen]"),
        ("groups", "{*: unseen}"),
    ];
    assert_eq!(told(&empty), pairs(&nothing));
    let expected = [
        ("lines", "[{1}]"),
        ("best", "{1}?"),
        ("words", "[any]"),
        ("groups", "{*: [{1}]}"),
    ];
    assert_eq!(told(&merged(empty.clone(), full.clone())), pairs(&expected));
    assert_eq!(told(&merged(full, empty)), pairs(&expected));
}

#[test]
fn of_two_records_what_is_true_of_both_is_kept() {
    let one = members(json!({"a": 1, "b": "x"}));
    let other = members(Inner {
        shared: 1,
        due: None,
    });
    let both = merged(one, other);
    let expected = [
        ("a", "any"),
        ("b", "any"),
        ("shared", "BigInt"),
        ("due", "DateTime?"),
    ];
    assert_eq!(told(&both), pairs(&expected));
    let text = Shape::of(ShapeKind::Scalar(Kind::Text));
    let number = Shape::of(ShapeKind::Scalar(Kind::BigInt)).or_null();
    assert_eq!(text.clone().merge(number).kind, ShapeKind::Any);
    assert!(text.clone().merge(text.or_null()).nullable);
}
