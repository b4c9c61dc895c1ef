//! A value of one type as a value of another, on databases whose columns have types. A value
//! without an equivalent becomes NULL, or the default of a NOT NULL column, as on SQLite
//! (`sqlite/convert.rs`).

use super::difference::holds;
use super::table::Column;
use crate::column;
use crate::project::{ColumnType, Database};

/// A day in a text, as a regular expression: `2026-01-31`.
pub(super) const DAY: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";

/// A time of day: `09:30`, `09:30:15.7`.
pub(super) const CLOCK: &str = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?";

/// A zone: `Z`, `+02:00`.
pub(super) const ZONE: &str = "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])";

/// The expressions of one database.
pub(super) trait Casts {
    /// The database whose literals these are.
    fn database(&self) -> Database;

    /// A name.
    fn quote(&self, name: &str) -> String;

    /// A value of any type as text, as SQLite has it.
    fn text(&self, kind: &ColumnType, own: &str) -> String;

    /// The first characters of a text.
    fn first(&self, text: &str, length: u32) -> String;

    /// The exact number that a value is or that a text holds; `None` for types without one.
    fn number(&self, kind: &ColumnType, own: &str) -> Option<String>;

    /// A number as a whole one of 32 or of 64 bits.
    fn whole(&self, number: &str, bits: u8) -> String;

    /// A number as a floating point number.
    fn float(&self, number: &str) -> String;

    /// A number with this precision and scale.
    fn decimal(&self, number: &str, precision: u8, scale: u8) -> String;

    /// A text as JSON: the text itself where it is JSON, else a string of JSON.
    fn json_of_text(&self, text: &str, may_be_json: bool) -> String;

    /// A number or a boolean as JSON.
    fn json_of_number(&self, kind: &ColumnType, own: &str) -> String;

    /// A moment, or a text, as a date, a time or a moment; `None` where there is none.
    fn moment(&self, before: &ColumnType, after: &ColumnType, own: &str) -> Option<String>;

    /// A text as a uuid.
    fn uuid_of_text(&self, own: &str) -> String;

    /// A whole number as a uuid, one for each.
    fn uuid_of_number(&self, own: &str) -> String;
}

/// The key of a row after the change; NULL where there is none.
pub(super) fn key(casts: &dyn Casts, before: &Column, after: &Column) -> String {
    converted(casts, before, after, &casts.quote(&before.name))
}

/// The expression that gives the column after the change; the column's own name where the database
/// converts it by itself, without loss.
pub(super) fn value(casts: &dyn Casts, before: &Column, after: &Column) -> String {
    let own = casts.quote(&before.name);
    let value = converted(casts, before, after, &own);
    let fits = is_text(&after.kind) || holds(&before.kind, &after.kind);
    let lacking = before.nullable || (value != own && !fits);
    // No row is known that a foreign key could name, and no key is made up.
    if after.nullable || !lacking || after.references.is_some() {
        return value;
    }
    format!("coalesce({value}, {})", filler(casts.database(), after))
}

/// The value of rows without one for a NOT NULL column.
pub(super) fn filler(database: Database, column: &Column) -> String {
    column::sql(database, &column.kind, column.native, &column.filler())
}

/// Whether rows get a value for a new column that their database would not fill by its default.
pub(super) fn needs_filler(column: &Column) -> bool {
    column.needs_value() && column.references.is_none()
}

fn converted(casts: &dyn Casts, before: &Column, after: &Column, own: &str) -> String {
    use ColumnType::{
        BigInt, Boolean, Date, DateTime, Decimal, Enum, Float, Integer, Json, String, Text, Time,
        Uuid,
    };
    let (from, to) = (&before.kind, &after.kind);
    if from == to || (matches!((from, to), (Decimal(..), Decimal(..))) && holds(from, to)) {
        return own.to_owned();
    }
    let text = || match is_text(from) {
        true => own.to_owned(),
        false => casts.text(from, own),
    };
    let number = |as_type: &dyn Fn(&str) -> std::string::String| {
        let number = casts.number(from, own);
        number.map_or_else(null, |number| as_type(&number))
    };
    match to {
        Text | Enum(_) => text(),
        String(_) if holds(from, to) => text(),
        String(length) => casts.first(&text(), *length),
        BigInt if *from == Integer => own.to_owned(),
        Integer => number(&|number| casts.whole(number, 32)),
        BigInt => number(&|number| casts.whole(number, 64)),
        Float => number(&|number| casts.float(number)),
        Boolean if is_text(from) => {
            let (yes, no) = match casts.database() {
                Database::Postgres => ("TRUE", "FALSE"),
                Database::Sqlite | Database::Mysql => ("1", "0"),
            };
            format!(
                "CASE lower({own}) WHEN 'true' THEN {yes} WHEN '1' THEN {yes} \
                 WHEN 'false' THEN {no} WHEN '0' THEN {no} END"
            )
        }
        Boolean => number(&|number| format!("({number} <> 0)")),
        Decimal(precision, scale) => number(&|number| casts.decimal(number, *precision, *scale)),
        Json if matches!(from, Integer | BigInt | Float | Boolean) => {
            casts.json_of_number(from, own)
        }
        Json => casts.json_of_text(&text(), is_text(from)),
        Date | Time | DateTime => casts.moment(from, to, own).unwrap_or_else(null),
        Uuid if is_text(from) => casts.uuid_of_text(own),
        Uuid if matches!(from, Integer | BigInt) => casts.uuid_of_number(own),
        Uuid => null(),
    }
}

fn null() -> String {
    "NULL".to_owned()
}

/// Whether values of a type are texts.
pub(super) fn is_text(kind: &ColumnType) -> bool {
    matches!(
        kind,
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_)
    )
}

/// `1` and as many noughts.
pub(super) fn power(digits: u8) -> String {
    format!("1{}", "0".repeat(usize::from(digits)))
}
