//! All mistakes at once, in each kind of type.

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, PartialEq, Deserialize)]
struct Settings {
    name: String,
    smtp: Smtp,
    #[serde(default)]
    tags: Vec<u8>,
    retries: Option<u32>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Smtp {
    host: String,
    port: u16,
    security: Security,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Security {
    Plain,
    StartTls,
}

fn wrong(value: &Json) -> Vec<(String, String)> {
    let (read, mistakes) = super::read::<Settings>(value);
    assert_eq!(read, None);
    mistakes.wrong.into_iter().collect()
}

#[test]
fn texts_are_read_as_numbers_and_lists() {
    let smtp = json!({"host": "a", "port": "25", "security": "start_tls"});
    let value = json!({"name": "x", "smtp": smtp, "tags": "1, 2", "retries": "3"});
    let (read, mistakes) = super::read::<Settings>(&value);
    assert_eq!(mistakes, Mistakes::default());
    let read = read.expect("settings");
    assert_eq!((read.smtp.port, read.retries), (25, Some(3)));
    assert_eq!(read.smtp.security, Security::StartTls);
    assert_eq!(read.tags, [1, 2]);
}

#[test]
fn every_mistake_is_reported_with_its_path() {
    let smtp = json!({"port": 70000, "security": "starttls"});
    let value = json!({"smtp": smtp, "tags": [1, "x", 300], "retries": true});
    let expected = [
        ("name", "is missing"),
        ("retries", "expected u32"),
        ("smtp.host", "is missing"),
        ("smtp.port", "integer `70000` is not u16"),
        (
            "smtp.security",
            "expected one of plain, start_tls; did you mean `start_tls`?",
        ),
        ("tags.1", "expected u8"),
        ("tags.2", "integer `300` is not u8"),
    ];
    let expected = expected.map(|(path, message)| (path.to_owned(), message.to_owned()));
    assert_eq!(wrong(&value), expected);
}

#[test]
fn another_kind_of_value_is_one_mistake() {
    let root = |message: &str| vec![(String::new(), message.to_owned())];
    assert_eq!(wrong(&json!(5)), root("expected struct Settings"));
    let smtp = json!({"name": "x", "smtp": []});
    assert_eq!(wrong(&smtp)[0].0, "smtp");
}

#[test]
fn unknown_members_are_reported_with_the_other_mistakes() {
    let smtp = json!({"hst": "a", "port": 1, "security": "plain"});
    let (_, mistakes) = super::read::<Settings>(&json!({"nme": 1, "smtp": smtp}));
    let unknown = mistakes.unknown.iter();
    let unknown = unknown.map(|(path, meant)| (path.as_str(), meant.as_deref()));
    let expected = [("nme", Some("name")), ("smtp.hst", Some("smtp.host"))];
    assert_eq!(unknown.collect::<Vec<_>>(), expected);
}
