//! Names of tables and columns that Rust, poured code or another table has.

use std::fmt::Write as _;

use formwork_tests::cases;
use formwork_tests::client::{Answer, Client};
use serde_json::{Map, Value, json};

/// Keywords, names of the prelude, crates and modules of poured code, and routes of the service, as words of tables.
const TABLES: &[&str] = &[
    "self",
    "super",
    "crate",
    "type",
    "async",
    "fn",
    "gen",
    "result",
    "option",
    "vec",
    "string",
    "some",
    "ok",
    "default",
    "clone",
    "model",
    "context",
    "query",
    "error",
    "record",
    "response",
    "value",
    "json",
    "columns",
    "relations",
    "repository",
    "extension",
    "formwork",
    "serde_json",
    "std",
    "i32",
    "words",
    "token",
    "docs",
    "admin",
    "test",
];

/// Returns every third word, and all of them if more cases are requested: each is a resource to compile.
fn words() -> impl Iterator<Item = &'static str> {
    let step = if cases(1) > 1 { 1 } else { 3 };
    TABLES.iter().copied().step_by(step)
}

/// Tables whose names are equal in the plural or in another case, and the keys of their resources.
const ALIKE: &[(&str, &str)] = &[
    ("user", "users"),
    ("users", "users_2"),
    ("aB", "a_bs"),
    ("a_b", "a_b_2"),
];

/// Names of a table's columns.
const COLUMNS: &[&str] = &[
    "self", "super", "crate", "type", "async", "await", "match", "fn", "gen", "mod", "result",
    "option", "vec", "string", "model", "context", "query", "error", "ctx", "record", "request",
    "rules", "value", "default", "clone", "into", "from", "new", "table", "key", "columns",
    "validate", "filter", "sort", "page", "include", "exclude", "fields", "data", "links", "meta",
    "select", "order", "group", "where", "a_b", "i32", "str",
];

/// The tables, each with a row, and one that leads to all of them.
pub fn sql() -> String {
    let alike = ALIKE.iter().map(|(table, _)| *table);
    let mut sql = String::new();
    for table in words().chain(alike) {
        let _ = write!(
            sql,
            "CREATE TABLE \"{table}\" (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL); \
             INSERT INTO \"{table}\" (name) VALUES ('{table}');"
        );
    }
    let keys = words()
        .map(|table| format!(", \"{table}_id\" INTEGER DEFAULT 1 REFERENCES \"{table}\" (id)"));
    let keys: String = keys.collect();
    let columns = COLUMNS
        .iter()
        .map(|name| format!(", \"{name}\" VARCHAR(20)"));
    let columns: String = columns.collect();
    let _ = write!(
        sql,
        "CREATE TABLE odd_links (number INTEGER PRIMARY KEY{keys}, aB VARCHAR(9), a__b VARCHAR(9)); \
         INSERT INTO odd_links DEFAULT VALUES; \
         CREATE TABLE odd_columns (code VARCHAR(9) NOT NULL PRIMARY KEY, id INTEGER{columns});"
    );
    sql
}

/// What `--tables` names.
pub fn tables() -> String {
    let alike = ALIKE.iter().map(|(table, _)| *table);
    let all = words().chain(alike);
    let all: Vec<&str> = all.chain(["odd_links", "odd_columns"]).collect();
    all.join(",")
}

fn record(answer: &Answer, status: u16) -> &Map<String, Value> {
    assert_eq!(answer.status, status, "{answer}");
    answer.json["data"].as_object().expect("a record")
}

/// Each table answers under its key, and each column keeps its value.
pub fn ask(admin: &Client) {
    for (table, key) in ALIKE {
        let found = admin.get(&format!("/api/{key}?filter[name]={table}&sort=name"));
        assert_eq!(found.ids(), [1], "{key}: {found}");
        let stored = admin.post(&format!("/api/{key}"), &json!({ "name": "new" }));
        assert_eq!(record(&stored, 201)["id"], 2, "{key}: {stored}");
    }
    let words: Vec<&str> = words().collect();
    let path = format!("/api/odd_links/1?include={}", words.join(","));
    let answer = admin.get(&path);
    let link = record(&answer, 200);
    for table in words {
        assert_eq!(link[table]["name"], table, "{table}: {answer}");
    }
    columns(admin);
}

fn columns(admin: &Client) {
    let mut body: Map<String, Value> = COLUMNS
        .iter()
        .map(|name| ((*name).to_owned(), json!(format!("of {name}"))))
        .collect();
    body.insert("code".to_owned(), json!("all"));
    let stored = admin.post("/api/odd_columns", &Value::Object(body.clone()));
    record(&stored, 201);
    let shown = admin.get("/api/odd_columns/all");
    for name in COLUMNS {
        assert_eq!(
            record(&shown, 200).get(*name),
            body.get(*name),
            "{name}: {shown}"
        );
        let query = format!("filter[{name}]=of%20{name}&sort=-{name}&page=1");
        let query = query.replace("sort=-page&page=1", "sort=-page");
        let found = admin.get(&format!("/api/odd_columns?{query}"));
        assert_eq!(found.status, 200, "{name}: {found}");
        assert_eq!(found.records().len(), 1, "{name}: {found}");
        let changed = admin.patch("/api/odd_columns/all", &json!({ *name: "x" }));
        assert_eq!(record(&changed, 200)[*name], "x", "{name}: {changed}");
    }
}
