//! A value of one type as a value of another. A value without an equivalent becomes NULL, or the
//! default of a NOT NULL column.

use super::difference::holds;
use super::table::{Column, Table};
use crate::column;
use crate::project::{ColumnType, Database};

/// A day in a text, as a regular expression: `2026-01-31`.
pub(super) const DAY: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";

/// A time of day: `09:30`, `09:30:15.7`.
pub(super) const CLOCK: &str = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?";

/// A zone: `Z`, `+02:00`.
pub(super) const ZONE: &str = "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])";

/// A number on its way to another type.
#[derive(Debug, Default)]
pub(crate) struct Number {
    /// Its expression.
    pub sql: String,
    /// On SQLite, the number of its digits after the point if it is stored as a whole number.
    pub scale: u8,
    /// On SQLite, whether it is stored as a whole number.
    pub exact: bool,
    /// On SQLite, the text that it was read from.
    pub written: Option<String>,
}

/// The expressions of one database. `own` is the expression of the value, `before` its column.
pub(crate) trait Casts {
    /// The database whose literals these are.
    fn database(&self) -> Database;

    /// A name.
    fn quote(&self, name: &str) -> String;

    /// Whether the database reads values of a column as values of another without a conversion.
    fn is_same(&self, before: &Column, after: &Column) -> bool {
        let is_decimal = matches!(before.kind, ColumnType::Decimal(..));
        before.kind == after.kind
            || is_decimal
                && matches!(after.kind, ColumnType::Decimal(..))
                && holds(&before.kind, &after.kind)
    }

    /// A value of any other type as text, as SQLite has it.
    fn text(&self, before: &Column, own: &str) -> String;

    /// The first characters of a text.
    fn first(&self, text: &str, length: u32) -> String;

    /// The number that a value is or that a text holds; `None` for types without one.
    fn number(&self, before: &Column, own: &str) -> Option<Number>;

    /// A number as a whole one of 32 or of 64 bits.
    fn whole(&self, number: &Number, bits: u8) -> String;

    /// A number as a floating point number.
    fn float(&self, number: &Number) -> String;

    /// A number with this precision and scale.
    fn decimal(&self, number: &Number, precision: u8, scale: u8, is_native: bool) -> String;

    /// A value as JSON: a text itself if it is JSON, else a string of JSON.
    fn json(&self, before: &Column, own: &str) -> String;

    /// A moment, or a text, as a date, a time or a moment; `None` where there is none.
    fn moment(&self, before: &ColumnType, after: &ColumnType, own: &str) -> Option<String>;

    /// A text as a uuid.
    fn uuid_of_text(&self, own: &str) -> String;

    /// A whole number as a uuid, one for each, so that keys and what points to them stay together.
    fn uuid_of_number(&self, own: &str) -> String;
}

/// The expression that gives the column of a table after the change; the column's own name if the
/// database converts it by itself, without loss. A key without a value in its new type is NULL.
pub(super) fn value(casts: &dyn Casts, table: &Table, before: &Column, after: &Column) -> String {
    let own = casts.quote(&before.name);
    let value = converted(casts, before, after, &own).unwrap_or_else(|| "NULL".to_owned());
    // Everything has a text.
    let fits = is_text(&after.kind) || holds(&before.kind, &after.kind);
    let lacking = before.nullable || (value != own && !fits);
    // No row is known that a foreign key could name, and no key is made up.
    let is_key = table.primary.contains(&after.name) || after.references.is_some();
    if is_key || after.nullable || !lacking {
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

fn converted(casts: &dyn Casts, before: &Column, after: &Column, own: &str) -> Option<String> {
    use ColumnType::{
        BigInt, Boolean, Date, DateTime, Decimal, Enum, Float, Integer, Json, String, Text, Time,
        Uuid,
    };
    let (from, to) = (&before.kind, &after.kind);
    if casts.is_same(before, after) {
        return Some(own.to_owned());
    }
    let text = || match is_text(from) {
        true => own.to_owned(),
        false => casts.text(before, own),
    };
    let number = || casts.number(before, own);
    match to {
        Text | Enum(_) => Some(text()),
        String(_) if holds(from, to) => Some(text()),
        String(length) => Some(casts.first(&text(), *length)),
        BigInt if *from == Integer => Some(own.to_owned()),
        Integer => Some(casts.whole(&number()?, 32)),
        BigInt => Some(casts.whole(&number()?, 64)),
        Float => Some(casts.float(&number()?)),
        Boolean if is_text(from) => {
            let (yes, no) = match casts.database() {
                Database::Postgres => ("TRUE", "FALSE"),
                Database::Sqlite | Database::Mysql => ("1", "0"),
            };
            Some(format!(
                "CASE lower({own}) WHEN 'true' THEN {yes} WHEN '1' THEN {yes} \
                 WHEN 'false' THEN {no} WHEN '0' THEN {no} END"
            ))
        }
        Boolean => Some(format!("({} <> 0)", number()?.sql)),
        Decimal(precision, scale) => {
            Some(casts.decimal(&number()?, *precision, *scale, after.native))
        }
        Json => Some(casts.json(before, own)),
        Date | Time | DateTime => casts.moment(from, to, own),
        Uuid if is_text(from) => Some(casts.uuid_of_text(own)),
        Uuid if matches!(from, Integer | BigInt) => Some(casts.uuid_of_number(own)),
        Uuid => None,
    }
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
