//! Conversions in PostgreSQL's words.

use super::super::convert::{CLOCK, DAY, ZONE};
use super::super::convert::{Casts, is_text, power};
use super::syntax::quote;
use crate::project::{ColumnType, Database};

/// PostgreSQL's conversions.
pub(super) struct Postgresql;

/// Functions of the session that return NULL where a text is no value of a type; a cast would stop.
/// PostgreSQL has `pg_input_is_valid` from version 16 on.
const READERS: [(&str, &str, &str); 3] = [
    ("formwork_date", "date", "NULL"),
    ("formwork_moment", "timestamptz", "NULL"),
    ("formwork_json", "jsonb", "to_jsonb($1)"),
];

/// SQL that creates the functions that `statements` call, and SQL that drops them.
pub(super) fn functions(statements: &str) -> (String, String) {
    let (mut create, mut drop) = (String::new(), String::new());
    for (name, kind, otherwise) in READERS {
        if statements.contains(&format!("pg_temp.{name}(")) {
            create.push_str(&format!(
                "CREATE FUNCTION pg_temp.{name}(text) RETURNS {kind} LANGUAGE plpgsql AS $read$ BEGIN\n    \
                 RETURN $1::{kind};\nEXCEPTION WHEN others THEN\n    RETURN {otherwise};\nEND $read$;\n"
            ));
            drop.push_str(&format!("DROP FUNCTION pg_temp.{name}(text);\n"));
        }
    }
    (create, drop)
}

impl Casts for Postgresql {
    fn database(&self) -> Database {
        Database::Postgres
    }

    fn quote(&self, name: &str) -> String {
        quote(name)
    }

    fn text(&self, kind: &ColumnType, own: &str) -> String {
        match kind {
            ColumnType::Date => format!("to_char({own}, 'YYYY-MM-DD')"),
            ColumnType::Time => format!("to_char({own}, 'HH24:MI:SS')"),
            ColumnType::DateTime => {
                format!("to_char({own} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
            }
            _ => format!("{own}::text"),
        }
    }

    fn first(&self, text: &str, length: u32) -> String {
        format!("left({text}, {length})")
    }

    fn number(&self, kind: &ColumnType, own: &str) -> Option<String> {
        Some(match kind {
            ColumnType::Integer | ColumnType::BigInt | ColumnType::Decimal(..) => own.to_owned(),
            ColumnType::Boolean => format!("{own}::int"),
            // A cast to numeric keeps 15 digits, a text all that tell a number from its neighbours. From 2^53
            // on, all are whole.
            ColumnType::Float => format!(
                "CASE WHEN abs({own}) BETWEEN 9007199254740992 AND 9223372036854774784 THEN {own}::bigint::numeric \
                 ELSE {own}::text::numeric END"
            ),
            kind if is_text(kind) => {
                let pattern = r"'^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$'";
                format!("CASE WHEN {own} ~ {pattern} THEN {own}::numeric END")
            }
            _ => return None,
        })
    }

    fn whole(&self, number: &str, bits: u8) -> String {
        let (kind, least, most) = match bits {
            32 => ("int", "-2147483648", "2147483647"),
            _ => ("bigint", "-9223372036854775808", "9223372036854775807"),
        };
        let rounded = format!("round(({number})::numeric)");
        format!("CASE WHEN {rounded} BETWEEN {least} AND {most} THEN {rounded}::{kind} END")
    }

    fn float(&self, number: &str) -> String {
        format!("({number})::double precision")
    }

    fn decimal(&self, number: &str, precision: u8, scale: u8) -> String {
        let rounded = format!("round(({number})::numeric, {scale})");
        let limit = power(precision.saturating_sub(scale));
        format!("CASE WHEN abs({rounded}) < {limit} THEN {rounded} END")
    }

    fn json_of_text(&self, text: &str, may_be_json: bool) -> String {
        match may_be_json {
            true => format!("pg_temp.formwork_json({text})"),
            false => format!("to_jsonb({text})"),
        }
    }

    fn json_of_number(&self, _kind: &ColumnType, own: &str) -> String {
        format!("to_jsonb({own})")
    }

    fn moment(&self, before: &ColumnType, after: &ColumnType, own: &str) -> Option<String> {
        use ColumnType::{Date, DateTime, Time};
        Some(match (before, after) {
            (DateTime, Date) => format!("({own} AT TIME ZONE 'UTC')::date"),
            (DateTime, Time) => {
                format!("date_trunc('second', {own} AT TIME ZONE 'UTC')::time(0)")
            }
            (Date, DateTime) => format!("{own}::timestamp AT TIME ZONE 'UTC'"),
            (kind, Date) if is_text(kind) => {
                format!(
                    "CASE WHEN {own} ~ '^{DAY}' THEN pg_temp.formwork_date(left({own}, 10)) END"
                )
            }
            (kind, Time) if is_text(kind) => {
                format!("CASE WHEN {own} ~ '^{CLOCK}$' THEN left({own}, 8)::time(0) END")
            }
            // Without a zone it is UTC, whatever the session's zone is. A cast would round the seventh digit.
            (kind, DateTime) if is_text(kind) => format!(
                "CASE WHEN {own} ~ '^{DAY}([T ]{CLOCK}({ZONE})?)?$' THEN pg_temp.formwork_moment(\
                 regexp_replace({own}, '([.][0-9]{{6}})[0-9]+', '\\1') || \
                 CASE WHEN {own} ~ '{ZONE}$' THEN '' ELSE 'Z' END) END"
            ),
            _ => return None,
        })
    }

    fn uuid_of_text(&self, own: &str) -> String {
        let pattern = "'^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'";
        format!("CASE WHEN lower({own}) ~ {pattern} THEN {own}::uuid END")
    }

    fn uuid_of_number(&self, own: &str) -> String {
        let digits = format!("lpad(to_hex({own}::bigint), 16, '0')");
        format!(
            "('00000000-0000-0000-' || substr({digits}, 1, 4) || '-' || substr({digits}, 5))::uuid"
        )
    }
}
