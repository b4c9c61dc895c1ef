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
        ColumnType::Integer | ColumnType::BigInt => format!("CAST({own} AS TEXT)"),
        // A cast keeps 15 digits.
        ColumnType::Float => format!(
            "CASE WHEN CAST(CAST({own} AS TEXT) AS REAL) = {own} THEN CAST({own} AS TEXT) \
             WHEN {own} IS NOT NULL THEN printf('%!.17g', {own}) END"
        ),
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
    /// The text that it was read from.
    written: Option<String>,
}

fn number(before: &Column, own: &str) -> Option<Number> {
    let (sql, scale, exact) = match &before.kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Boolean => (own.to_owned(), 0, true),
        ColumnType::Decimal(_, scale) if !before.native => (own.to_owned(), *scale, true),
        ColumnType::Decimal(..) | ColumnType::Float => (own.to_owned(), 0, false),
        kind if is_text(kind) => {
            let digits = format!(
                "{own} GLOB '*[0-9]*' AND NOT {own} GLOB '[^0-9.+-]*' \
                 AND NOT substr({own}, 2) GLOB '*[^0-9.]*' AND NOT {own} GLOB '*.*.*'"
            );
            (
                format!("CASE WHEN {digits} THEN CAST({own} AS NUMERIC) END"),
                0,
                false,
            )
        }
        _ => return None,
    };
    let written = is_text(&before.kind).then(|| own.to_owned());
    Some(Number {
        sql,
        scale,
        exact,
        written,
    })
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
        let digits = precision.saturating_sub(scale) + self.scale;
        let value = match (self.exact, scale.checked_sub(self.scale)) {
            (false, _) => match &self.written {
                Some(text) => scaled_text(text, scale),
                None => scaled_real(sql, scale),
            },
            (true, Some(0)) => sql.clone(),
            (true, Some(more)) => format!("{sql} * {}", power(more)),
            (true, None) => rounded(sql, self.scale - scale),
        };
        // The range is checked before the computation: SQLite's numbers have 64 bits.
        let fits = match (digits, self.exact) {
            (0..=18, true) if self.scale > scale => {
                let half = 5 * 10_i64.pow(u32::from(self.scale - scale - 1));
                format!("abs({sql}) < {}", 10_i64.pow(u32::from(digits)) - half)
            }
            (0..=18, true) => format!("abs({sql}) < {}", power(digits)),
            (_, true) => format!("{sql} IS NOT NULL"),
            (_, false) => format!("abs({sql}) < {}", greatest(digits, scale)),
        };
        format!("CASE WHEN {fits} THEN {value} END")
    }
}

/// The least number that has too many digits before the point once it is rounded: `99.995`.
fn greatest(whole: u8, scale: u8) -> String {
    let nines = |digits: u8| "9".repeat(usize::from(digits));
    format!("0{}.{}5", nines(whole), nines(scale))
}

/// A floating point number with this many digits as a whole one. Only the part after the point is
/// multiplied: the product of all of it would have more digits than it has room for.
fn scaled_real(sql: &str, scale: u8) -> String {
    let (whole, power) = (format!("CAST({sql} AS INTEGER)"), power(scale));
    format!("({whole} * {power} + CAST(round(({sql} - {whole}) * {power}) AS INTEGER))")
}

/// A text of digits with this many of them after the point as a whole number.
fn scaled_text(text: &str, scale: u8) -> String {
    let point = format!("instr({text} || '.', '.')");
    let noughts = "0".repeat(usize::from(scale) + 1);
    let whole = format!("abs(CAST(substr({text}, 1, {point} - 1) AS INTEGER))");
    let rest = format!(
        "CAST(substr(substr({text}, {point} + 1) || '{noughts}', 1, {}) AS INTEGER)",
        scale + 1
    );
    format!(
        "CASE WHEN {text} GLOB '-*' THEN -1 ELSE 1 END * ({whole} * {} + ({rest} + 5) / 10)",
        power(scale)
    )
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
            ..
        }) => sql,
        Some(Number {
            sql,
            scale,
            exact: true,
            ..
        }) => rounded(&sql, scale),
        // `round` answers with a floating point number, which has 53 bits.
        Some(Number { sql, .. }) => format!(
            "CASE WHEN typeof({sql}) = 'integer' THEN {sql} \
             WHEN {sql} >= -9223372036854775808.0 AND {sql} < 9223372036854775808.0 THEN CAST(round({sql}) AS INTEGER) END"
        ),
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
    let day = format!("substr({own}, 1, 10)");
    // A bare number would be read as a Julian day, and the 31st of February as the 3rd of March.
    let dated =
        format!("{own} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND date({day}) = {day}");
    match (before, after) {
        (DateTime, Date) => format!("substr({own}, 1, 10)"),
        (DateTime, Time) => format!("substr({own}, 12, 8)"),
        (Date, DateTime) => format!("{own} || 'T00:00:00.000000Z'"),
        (kind, Date) if is_text(kind) => {
            let moment = moment_of_text(own);
            format!("CASE WHEN {dated} AND {moment} IS NOT NULL THEN {day} END")
        }
        (kind, Time) if is_text(kind) => {
            let clock = is_clock(own);
            format!("CASE WHEN {clock} THEN substr({own} || ':00', 1, 8) END")
        }
        (kind, DateTime) if is_text(kind) => {
            format!("CASE WHEN {dated} THEN {} END", moment_of_text(own))
        }
        _ => null(),
    }
}

/// Whether a text is a time of day: `09:30`, `09:30:15.7`.
fn is_clock(text: &str) -> String {
    format!(
        "({text} GLOB '[0-2][0-9]:[0-5][0-9]' OR {text} GLOB '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]' \
         OR {text} GLOB '[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9]*' AND NOT substr({text}, 10) GLOB '*[^0-9]*') \
         AND {text} < '24'"
    )
}

/// A text that begins with a day as a moment. Without a zone it is UTC. The fraction of its seconds
/// is put beside what SQLite computes, which has three digits.
fn moment_of_text(own: &str) -> String {
    let zone = format!(
        "CASE WHEN {own} GLOB '*Z' THEN 'Z' \
         WHEN substr({own}, -6) GLOB '[+-][01][0-9]:[0-5][0-9]' THEN substr({own}, -6) ELSE '' END"
    );
    let clock = format!("substr({own}, 12, length({own}) - 11 - length({zone}))");
    let fraction = format!("substr(substr({clock}, 10) || '000000', 1, 6)");
    format!(
        "CASE WHEN length({own}) = 10 THEN {own} || 'T00:00:00.000000Z' \
         WHEN substr({own}, 11, 1) IN ('T', ' ') AND {} THEN \
         strftime('%Y-%m-%dT%H:%M:%S', substr({own}, 1, 11) || substr({clock}, 1, 8) || {zone}) || '.' || \
         {fraction} || 'Z' END",
        is_clock(&clock)
    )
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
