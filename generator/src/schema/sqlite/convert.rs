//! A value of one type as a value of another, in the forms SQLite stores. A value without an
//! equivalent becomes NULL, or the default of a NOT NULL column.

use super::super::difference::holds;
use super::super::table::Column;
use super::syntax::quote;
use crate::column;
use crate::project::{ColumnType, Database};

/// The key of a row after the change; NULL where there is none.
pub(super) fn key(before: &Column, after: &Column) -> String {
    converted(before, after, &quote(&before.name))
}

/// The expression that gives the column after the change; the column's own name where no conversion
/// is needed.
pub(super) fn value(before: &Column, after: &Column) -> String {
    let own = quote(&before.name);
    let value = converted(before, after, &own);
    // Everything has a text.
    let fits = is_text(&after.kind) || holds(&before.kind, &after.kind);
    let lacking = before.nullable || (value != own && !fits);
    // No row is known that a foreign key could name, and no key is made up.
    if after.nullable || !lacking || after.references.is_some() {
        return value;
    }
    let filler = column::sql(Database::Sqlite, &after.kind, after.native, &after.filler());
    format!("coalesce({value}, {filler})")
}

fn converted(before: &Column, after: &Column, own: &str) -> String {
    use ColumnType::{
        BigInt, Boolean, Date, DateTime, Decimal, Enum, Float, Integer, Json, String, Text, Time,
        Uuid,
    };
    if before.kind == after.kind && before.native == after.native {
        return own.to_owned();
    }
    let written = || as_text(before, own);
    match &after.kind {
        Text | Enum(_) => written(),
        String(_) if holds(&before.kind, &after.kind) => written(),
        String(length) => format!("substr({}, 1, {length})", written()),
        Integer => match &before.kind {
            BigInt | Boolean => in_range(own),
            _ => in_range(&whole(before, own)),
        },
        BigInt => whole(before, own),
        Float => number(before, own).map_or_else(null, |number| number.real()),
        Boolean => truth(before, own),
        Decimal(precision, scale) => {
            let number = number(before, own);
            number.map_or_else(null, |number| {
                if after.native {
                    number.real()
                } else {
                    number.scaled(*precision, *scale)
                }
            })
        }
        Json => json(before, own),
        Date | Time | DateTime => moment(&before.kind, &after.kind, own),
        Uuid if is_text(&before.kind) => uuid(own),
        Uuid if matches!(before.kind, Integer | BigInt) => numbered_uuid(own),
        Uuid => null(),
    }
}

fn null() -> String {
    "NULL".to_owned()
}

fn is_text(kind: &ColumnType) -> bool {
    matches!(
        kind,
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_)
    )
}

/// `1` and nine noughts.
fn power(digits: u8) -> String {
    format!("1{}", "0".repeat(usize::from(digits)))
}

fn as_text(before: &Column, own: &str) -> String {
    match &before.kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Float => {
            format!("CAST({own} AS TEXT)")
        }
        ColumnType::Boolean => format!("CASE {own} WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"),
        ColumnType::Decimal(_, 0) => format!("CAST({own} AS TEXT)"),
        ColumnType::Decimal(_, scale) if before.native => {
            format!("CASE WHEN {own} IS NOT NULL THEN printf('%.{scale}f', {own}) END")
        }
        ColumnType::Decimal(_, scale) => {
            let power = power(*scale);
            format!(
                "CASE WHEN {own} IS NOT NULL THEN printf('%s%d.%0{scale}d', CASE WHEN {own} < 0 THEN '-' ELSE '' END, \
                 abs({own}) / {power}, abs({own}) % {power}) END"
            )
        }
        _ => own.to_owned(),
    }
}

/// A number on its way to another type.
struct Number {
    sql: String,
    /// The number of its digits after the point.
    scale: u8,
    /// A whole number, exactly.
    exact: bool,
}

fn number(before: &Column, own: &str) -> Option<Number> {
    let (sql, scale, exact) = match &before.kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Boolean => (own.to_owned(), 0, true),
        ColumnType::Decimal(_, scale) if !before.native => (own.to_owned(), *scale, true),
        ColumnType::Decimal(..) | ColumnType::Float => (own.to_owned(), 0, false),
        kind if is_text(kind) => {
            let digits = format!("{own} GLOB '*[0-9]*' AND NOT {own} GLOB '*[^0-9.+-]*'");
            (
                format!("CASE WHEN {digits} THEN CAST({own} AS NUMERIC) END"),
                0,
                false,
            )
        }
        _ => return None,
    };
    Some(Number { sql, scale, exact })
}

impl Number {
    fn real(&self) -> String {
        match self.scale {
            0 => format!("CAST({} AS REAL)", self.sql),
            scale => format!("({} / {}.0)", self.sql, power(scale)),
        }
    }

    /// As a whole number with this many digits after the point; NULL where it has too many before
    /// it.
    fn scaled(&self, precision: u8, scale: u8) -> String {
        let Self { sql, .. } = self;
        let whole = precision.saturating_sub(scale);
        // The range is checked before the computation: SQLite's numbers have 64 bits.
        let fits = |digits: u8| match digits {
            0..=18 => format!("abs({sql}) < {}", power(digits)),
            _ => format!("{sql} IS NOT NULL"),
        };
        let value = match (self.exact, scale.checked_sub(self.scale)) {
            (false, _) => format!("CAST(round({sql} * {}) AS INTEGER)", power(scale)),
            (true, Some(0)) => sql.clone(),
            (true, Some(more)) => format!("{sql} * {}", power(more)),
            (true, None) => rounded(sql, self.scale - scale),
        };
        format!("CASE WHEN {} THEN {value} END", fits(whole + self.scale))
    }
}

/// A whole number without its last digits, half away from zero as databases round decimals.
fn rounded(sql: &str, digits: u8) -> String {
    let power = power(digits);
    let half = format!("5{}", "0".repeat(usize::from(digits.saturating_sub(1))));
    format!("({sql} + CASE WHEN {sql} < 0 THEN -{half} ELSE {half} END) / {power}")
}

fn whole(before: &Column, own: &str) -> String {
    match number(before, own) {
        None => null(),
        Some(Number {
            sql,
            scale: 0,
            exact: true,
        }) => sql,
        Some(Number {
            sql,
            scale,
            exact: true,
        }) => rounded(&sql, scale),
        Some(Number { sql, .. }) => format!("CAST(round({sql}) AS INTEGER)"),
    }
}

fn in_range(value: &str) -> String {
    format!("CASE WHEN {value} BETWEEN -2147483648 AND 2147483647 THEN {value} END")
}

fn truth(before: &Column, own: &str) -> String {
    if is_text(&before.kind) {
        return format!(
            "CASE lower({own}) WHEN 'true' THEN 1 WHEN '1' THEN 1 WHEN 'false' THEN 0 WHEN '0' THEN 0 END"
        );
    }
    match number(before, own) {
        Some(_) => format!("({own} <> 0)"),
        None => null(),
    }
}

fn json(before: &Column, own: &str) -> String {
    match &before.kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Float | ColumnType::Boolean => {
            as_text(before, own)
        }
        kind if is_text(kind) => {
            format!(
                "CASE WHEN json_valid({own}) THEN {own} WHEN {own} IS NOT NULL THEN json_quote({own}) END"
            )
        }
        _ => {
            let written = as_text(before, own);
            format!("CASE WHEN {own} IS NOT NULL THEN json_quote({written}) END")
        }
    }
}

fn moment(before: &ColumnType, after: &ColumnType, own: &str) -> String {
    use ColumnType::{Date, DateTime, Time};
    // A bare number would be read as a Julian day.
    let dated = format!("{own} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'");
    match (before, after) {
        (DateTime, Date) => format!("substr({own}, 1, 10)"),
        (DateTime, Time) => format!("substr({own}, 12, 8)"),
        (Date, DateTime) => format!("{own} || 'T00:00:00.000000Z'"),
        (kind, Date) if is_text(kind) => {
            format!(
                "CASE WHEN {dated} AND date(substr({own}, 1, 10)) = substr({own}, 1, 10) THEN substr({own}, 1, 10) END"
            )
        }
        (kind, Time) if is_text(kind) => {
            format!("CASE WHEN {own} GLOB '[0-9][0-9]:[0-9][0-9]*' THEN time({own}) END")
        }
        (kind, DateTime) if is_text(kind) => {
            format!("CASE WHEN {dated} THEN strftime('%Y-%m-%dT%H:%M:%f000Z', {own}) END")
        }
        _ => null(),
    }
}

/// A number as a uuid, one for each, so that keys and what points to them stay together.
fn numbered_uuid(own: &str) -> String {
    let digits = format!("printf('%016x', {own})");
    format!(
        "CASE WHEN {own} IS NOT NULL THEN '00000000-0000-0000-' || substr({digits}, 1, 4) || '-' || substr({digits}, 5) END"
    )
}

fn uuid(own: &str) -> String {
    let pattern: Vec<String> = [8, 4, 4, 4, 12]
        .iter()
        .map(|digits| "[0-9a-f]".repeat(*digits))
        .collect();
    let pattern = pattern.join("-");
    format!("CASE WHEN lower({own}) GLOB '{pattern}' THEN lower({own}) END")
}
