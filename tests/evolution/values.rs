//! What rows hold after a column changed its type, on each database.

use std::fmt::Write as _;

use formwork_cli::project::{ColumnType, Database as Kind};
use formwork_cli::schema::Column;

use crate::server::{self, databases};
use crate::world::{Manifests, World};

const TAGS: &str = "shop/models/tags.yaml";

/// Type before, type after, the value that is there, and what it becomes. Values are written as an API
/// writes them.
const CASES: &str = r#"
decimal(10,2) required                     | decimal(12,4) required                     | -12.5                                  | -12.5
decimal(10,4) required                     | decimal(10,2) required                     | 1.2355                                 | 1.24
decimal(10,4) required                     | decimal(10,2) required                     | -1.2355                                | -1.24
decimal(10,2) required                     | text required                              | -0.05                                  | -0.05
decimal(10,2) required                     | string(13) required                        | 1234.56                                | 1234.56
decimal(10,2) required                     | integer required                           | 12.5                                   | 13
decimal(10,2) required                     | integer required                           | -12.5                                  | -13
decimal(10,2) required                     | float required                             | 12.5                                   | 12.5
decimal(10,2) required                     | boolean required                           | 12.5                                   | true
decimal(10,2) required                     | decimal(4,2) nullable                      | 12345.67                               | NULL
decimal(4,2) required                      | decimal(3,1) nullable                      | 99.95                                  | NULL
decimal(4,2) required                      | decimal(3,1) nullable                      | 99.94                                  | 99.9
decimal(18,4) required                     | decimal(18,2) required                     | -12345678901234.5678                   | -12345678901234.57
decimal(18,4) required                     | bigint required                            | 12345678901234.5678                    | 12345678901235
decimal(18,4) required                     | json required                              | 12345678901234.5678                    | "12345678901234.5678"
integer required                           | decimal(10,2) required                     | 7                                      | 7
integer required                           | text required                              | -7                                     | -7
integer required                           | boolean required                           | 0                                      | false
integer required                           | json required                              | -7                                     | -7
integer required                           | uuid required                              | 255                                    | 00000000-0000-0000-0000-0000000000ff
bigint required                            | integer required                           | 5000000000                             | 0
bigint required                            | integer nullable                           | 5000000000                             | NULL
bigint required                            | { type: integer, default: 3 }              | 5000000000                             | 3
bigint required                            | decimal(18,0) required                     | 999999999999999999                     | 999999999999999999
bigint required                            | string required                            | -9223372036854775808                   | -9223372036854775808
float required                             | integer required                           | 2.5                                    | 3
float required                             | integer required                           | -2.5                                   | -3
float required                             | bigint required                            | 1152921504606846976                    | 1152921504606846976
float required                             | bigint nullable                            | 1e19                                   | NULL
float required                             | decimal(18,2) required                     | 123456789012345.75                     | 123456789012345.75
float required                             | decimal(4,2) nullable                      | 99.996                                 | NULL
float required                             | decimal(18,17) required                    | 0.30000000000000004                    | 0.30000000000000004
float required                             | text required                              | 0.30000000000000004                    | 0.30000000000000004
float required                             | text required                              | 0.1                                    | 0.1
boolean required                           | text required                              | true                                   | true
boolean required                           | json required                              | false                                  | false
boolean required                           | bigint required                            | true                                   | 1
boolean required                           | decimal(4,2) required                      | true                                   | 1
text required                              | integer required                           | 12                                     | 12
text required                              | integer nullable                           | twelve                                 | NULL
text required                              | integer nullable                           | 1-2                                    | NULL
text required                              | integer nullable                           | 12\n                                   | NULL
text required                              | bigint required                            | 9007199254740993                       | 9007199254740993
text required                              | bigint required                            | -9223372036854775808                   | -9223372036854775808
text required                              | bigint nullable                            | 9223372036854775808                    | NULL
text required                              | decimal(10,2) required                     | 12.5                                   | 12.5
text required                              | decimal(10,2) required                     | -.055                                  | -0.06
text required                              | decimal(18,2) required                     | 1234567890123456.784                   | 1234567890123456.78
text required                              | decimal(4,2) nullable                      | 99.995                                 | NULL
text required                              | decimal(10,2) nullable                     | 1.2.3                                  | NULL
text required                              | float required                             | -0.25                                  | -0.25
text required                              | boolean nullable                           | True                                   | true
text required                              | boolean nullable                           | perhaps                                | NULL
text required                              | date nullable                              | 2026-01-31 12:00                       | 2026-01-31
text required                              | date nullable                              | 2026-02-31                             | NULL
text required                              | date nullable                              | 2026-01-31 junk                        | NULL
text required                              | date nullable                              | 2026-01-31T25:00                       | NULL
text required                              | datetime nullable                          | 2026-01-31 12:00:00                    | 2026-01-31T12:00:00.000000Z
text required                              | datetime nullable                          | 2026-01-31                             | 2026-01-31T00:00:00.000000Z
text required                              | datetime nullable                          | 2026-01-31T12:00                       | 2026-01-31T12:00:00.000000Z
text required                              | datetime nullable                          | 2026-01-31T12:00:00.1234567Z           | 2026-01-31T12:00:00.123456Z
text required                              | datetime nullable                          | 2026-01-31T23:59:59.9999999            | 2026-01-31T23:59:59.999999Z
text required                              | datetime nullable                          | 2026-01-31T00:30:00.5+02:00            | 2026-01-30T22:30:00.500000Z
text required                              | datetime nullable                          | 2026-01-31T20:30-05:30                 | 2026-02-01T02:00:00.000000Z
text required                              | datetime nullable                          | 2026-02-31T12:00:00                    | NULL
text required                              | datetime nullable                          | 2026-01-31T24:00:00                    | NULL
text required                              | datetime nullable                          | 2026-01-31T12:00:00 or so              | NULL
text required                              | datetime nullable                          | 12                                     | NULL
text required                              | time nullable                              | 09:30                                  | 09:30:00
text required                              | time nullable                              | 09:30:15.7                             | 09:30:15
text required                              | time nullable                              | 23:59:59.9                             | 23:59:59
text required                              | time nullable                              | 24:00                                  | NULL
text required                              | time nullable                              | 09:60                                  | NULL
text required                              | time nullable                              | 09:30+02:00                            | NULL
text required                              | uuid nullable                              | 00000000-0000-4000-8000-0000000000AB   | 00000000-0000-4000-8000-0000000000ab
text required                              | uuid nullable                              | me                                     | NULL
text required                              | uuid nullable                              | 00000000-0000-4000-8000-0000000000AB\n | NULL
text required                              | json required                              | it's                                   | "it's"
text required                              | json required                              | [1]                                    | [1]
text nullable                              | json nullable                              | NULL                                   | NULL
text required                              | enum(a, b) required                        | c                                      | c
enum(a, bcd) required                      | string(3) required                         | bcd                                    | bcd
date required                              | datetime required                          | 2026-01-31                             | 2026-01-31T00:00:00.000000Z
date required                              | json required                              | 2026-01-31                             | "2026-01-31"
date required                              | string(4) required                         | 2026-01-31                             | 2026
date required                              | time nullable                              | 2026-01-31                             | NULL
time required                              | text required                              | 09:30:00                               | 09:30:00
datetime required                          | date required                              | 2026-01-31T23:30:00.000000Z            | 2026-01-31
datetime required                          | time required                              | 2026-01-31T12:30:59.999999Z            | 12:30:59
datetime required                          | text required                              | 2026-01-31T12:30:59.000001Z            | 2026-01-31T12:30:59.000001Z
uuid required                              | string(36) required                        | 00000000-0000-4000-8000-0000000000ab   | 00000000-0000-4000-8000-0000000000ab
uuid required                              | json required                              | 00000000-0000-4000-8000-0000000000ab   | "00000000-0000-4000-8000-0000000000ab"
json required                              | text required                              | [1]                                    | [1]
json nullable                              | integer nullable                           | [1]                                    | NULL
string required                            | string(3) required                         | abcde                                  | abc
string required                            | string(3) required                         | 🧀🧀🧀🧀                               | 🧀🧀🧀
string nullable                            | string required                            | NULL                                   | (empty)
string nullable                            | { type: string, default: x }               | NULL                                   | x
{ type: "decimal(10,2)", storage: native } | decimal(10,2) required                     | 12.5                                   | 12.5
decimal(10,2) required                     | { type: "decimal(10,2)", storage: native } | 12.5                                   | 12.5
{ type: "decimal(10,2)", storage: native } | text required                              | 12.5                                   | 12.50
"#;

/// Types before and after, a value, and what it becomes.
type Case = [&'static str; 4];

fn cases() -> Vec<Case> {
    let lines = CASES.lines().filter(|line| !line.is_empty());
    let parts = |line: &'static str| -> Case {
        let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
        parts.try_into().expect(line)
    };
    lines.map(parts).collect()
}

/// A table with a column for each case.
fn manifests(kinds: impl Iterator<Item = &'static str>) -> Manifests {
    let mut text = "model:\n  timestamps: false\n  attributes:\n".to_owned();
    for (number, kind) in kinds.enumerate() {
        let _ = writeln!(text, "    c{number}: {kind}");
    }
    [(TAGS.to_owned(), text)].into()
}

#[test]
fn values_mean_the_same_in_another_type() {
    for kind in databases() {
        // A row of MariaDB has 65,535 bytes.
        for cases in cases().chunks(32) {
            assert_converts(kind, cases);
        }
    }
}

fn assert_converts(kind: Kind, cases: &[Case]) {
    let mut world = World::created_on(kind, &manifests(cases.iter().map(|[before, ..]| *before)));
    let columns = columns(&world);
    let stored = columns.iter().zip(cases);
    let stored = stored.map(|(column, [_, _, value, _])| literal(kind, column, value));
    let stored: Vec<String> = stored.collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let (names, values) = (names.join(", "), stored.join(", "));
    let insert = format!("INSERT INTO tags ({names}) VALUES ({values})");
    world.database.execute(&insert).expect("a row");
    let run = world.emit(&manifests(cases.iter().map(|[_, after, ..]| *after)), true);
    let applied = world.apply(&run.expect("allowed"));
    applied.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
    let mut wrong = Vec::new();
    for (column, case) in self::columns(&world).iter().zip(cases) {
        let [before, after, value, expected] = case;
        let expected = literal(kind, column, expected);
        let sql = format!(
            "SELECT CASE WHEN {} THEN '' ELSE {} END FROM tags",
            is(kind, column, &expected),
            server::literal(kind, &column.name)
        );
        let found = world.database.query(&sql).concat().concat();
        if !found.is_empty() {
            wrong.push(format!(
                "{before} to {after}: {value} is {found}, not {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{kind:?}: {wrong:#?}");
}

/// The columns of the cases, in their order.
fn columns(world: &World) -> Vec<Column> {
    let table = &world.schema().tables["tags"];
    let columns = table.columns.iter();
    let columns = columns.filter(|column| !table.primary.contains(&column.name));
    let mut columns: Vec<Column> = columns.cloned().collect();
    columns.sort_by_key(|column| column.name[1..].parse::<u32>().expect("a number"));
    columns
}

/// A value as SQL, in the form that the runtime stores.
fn literal(kind: Kind, column: &Column, value: &str) -> String {
    let quoted = |value: &str| format!("'{}'", value.replace('\'', "''"));
    match &column.kind {
        _ if value == "NULL" => "NULL".to_owned(),
        _ if value == "(empty)" => "''".to_owned(),
        ColumnType::Decimal(_, scale) if kind == Kind::Sqlite && !column.native => {
            let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
            let digits = format!("{whole}{fraction:0<width$}", width = usize::from(*scale));
            digits.parse::<i64>().expect(value).to_string()
        }
        ColumnType::Boolean if kind != Kind::Postgres => i32::from(value == "true").to_string(),
        ColumnType::Integer
        | ColumnType::BigInt
        | ColumnType::Decimal(..)
        | ColumnType::Boolean => value.to_owned(),
        ColumnType::Float => format!("{:e}", value.parse::<f64>().expect(value)),
        ColumnType::DateTime if kind == Kind::Mysql => quoted(value.trim_end_matches('Z')),
        // A line break is no part of a case's line.
        _ => quoted(&value.replace("\\n", "\n")),
    }
}

/// Whether a column holds this value, in this form.
fn is(kind: Kind, column: &Column, literal: &str) -> String {
    let name = &column.name;
    match kind {
        Kind::Sqlite => format!("quote({name}) = quote({literal})"),
        Kind::Postgres => format!("{name} IS NOT DISTINCT FROM {literal}"),
        Kind::Mysql => format!("{name} <=> {literal}"),
    }
}
