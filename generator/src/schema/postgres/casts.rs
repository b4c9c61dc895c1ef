//! Conversions in PostgreSQL's words.

use super::super::convert::{CLOCK, Casts, DAY, Number, ZONE, is_text, power};
use super::super::difference::ColumnChange;
use super::super::table::Column;
use super::syntax::quote;
use crate::project::{ColumnType, Database};

/// A function of the session that reads a text, and returns NULL (for JSON: a string) where the text
/// is no value of its type; a cast would stop. PostgreSQL has `pg_input_is_valid` from version 16 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Date,
    Moment,
    Json,
}

impl Reader {
    /// The order in which they are created.
    const ALL: [Reader; 3] = [Reader::Date, Reader::Moment, Reader::Json];

    /// The one that a conversion between these types calls.
    fn of(before: &ColumnType, after: &ColumnType) -> Option<Reader> {
        match after {
            _ if !is_text(before) => None,
            ColumnType::Date => Some(Reader::Date),
            ColumnType::DateTime => Some(Reader::Moment),
            ColumnType::Json => Some(Reader::Json),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Reader::Date => "formwork_date",
            Reader::Moment => "formwork_moment",
            Reader::Json => "formwork_json",
        }
    }

    fn call(self, text: &str) -> String {
        format!("pg_temp.{}({text})", self.name())
    }

    fn create(self) -> String {
        let (kind, otherwise) = match self {
            Reader::Date => ("date", "NULL"),
            Reader::Moment => ("timestamptz", "NULL"),
            Reader::Json => ("jsonb", "to_jsonb($1)"),
        };
        let function = self.call("text");
        format!(
            "CREATE FUNCTION {function} RETURNS {kind} LANGUAGE plpgsql AS $read$ BEGIN\n    \
             RETURN $1::{kind};\nEXCEPTION WHEN others THEN\n    RETURN {otherwise};\nEND $read$;\n"
        )
    }

    fn drop(self) -> String {
        format!("DROP FUNCTION {};\n", self.call("text"))
    }
}

/// SQL that creates the functions that these conversions call, and SQL that drops them.
pub(super) fn functions(changes: &[&ColumnChange]) -> (String, String) {
    let is_called = |reader: &Reader| {
        let mut readers = changes
            .iter()
            .map(|(known, wanted)| Reader::of(&known.kind, &wanted.kind));
        readers.any(|one| one == Some(*reader))
    };
    let called = Reader::ALL.into_iter().filter(is_called);
    called
        .map(|reader| (reader.create(), reader.drop()))
        .unzip()
}

/// PostgreSQL's SQL.
pub(crate) struct Postgres;

impl Casts for Postgres {
    fn database(&self) -> Database {
        Database::Postgres
    }

    fn quote(&self, name: &str) -> String {
        quote(name)
    }

    fn text(&self, before: &Column, own: &str) -> String {
        match before.kind {
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

    fn number(&self, before: &Column, own: &str) -> Option<Number> {
        let sql = match &before.kind {
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
        };
        Some(Number {
            sql,
            ..Number::default()
        })
    }

    fn whole(&self, number: &Number, bits: u8) -> String {
        let (kind, least, most) = match bits {
            32 => ("int", "-2147483648", "2147483647"),
            _ => ("bigint", "-9223372036854775808", "9223372036854775807"),
        };
        let rounded = format!("round(({})::numeric)", number.sql);
        format!("CASE WHEN {rounded} BETWEEN {least} AND {most} THEN {rounded}::{kind} END")
    }

    fn float(&self, number: &Number) -> String {
        format!("({})::double precision", number.sql)
    }

    fn decimal(&self, number: &Number, precision: u8, scale: u8, _is_native: bool) -> String {
        let rounded = format!("round(({})::numeric, {scale})", number.sql);
        let limit = power(precision.saturating_sub(scale));
        format!("CASE WHEN abs({rounded}) < {limit} THEN {rounded} END")
    }

    fn json(&self, before: &Column, own: &str) -> String {
        use ColumnType::{BigInt, Boolean, Float, Integer};
        match before.kind {
            Integer | BigInt | Float | Boolean => format!("to_jsonb({own})"),
            ref kind if is_text(kind) => Reader::Json.call(own),
            _ => format!("to_jsonb({})", self.text(before, own)),
        }
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
                let day = Reader::Date.call(&format!("left({own}, 10)"));
                format!("CASE WHEN {own} ~ '^{DAY}([T ]{CLOCK}({ZONE})?)?$' THEN {day} END")
            }
            (kind, Time) if is_text(kind) => {
                format!("CASE WHEN {own} ~ '^{CLOCK}$' THEN left({own}, 8)::time(0) END")
            }
            // Without a zone it is UTC, whatever the session's zone is. A cast would round the seventh digit.
            (kind, DateTime) if is_text(kind) => {
                let moment = Reader::Moment.call(&format!(
                    "regexp_replace({own}, '([.][0-9]{{6}})[0-9]+', '\\1') || \
                     CASE WHEN {own} ~ '{ZONE}$' THEN '' ELSE 'Z' END"
                ));
                format!("CASE WHEN {own} ~ '^{DAY}([T ]{CLOCK}({ZONE})?)?$' THEN {moment} END")
            }
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
