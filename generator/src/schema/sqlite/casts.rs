//! Conversions in the forms that SQLite stores.

use super::super::convert::{Casts, Number, is_text, power};
use super::super::table::Column;
use super::syntax::quote;
use crate::project::{ColumnType, Database};

/// SQLite's SQL.
pub(crate) struct Sqlite;

impl Casts for Sqlite {
    fn database(&self) -> Database {
        Database::Sqlite
    }

    fn quote(&self, name: &str) -> String {
        quote(name)
    }

    /// Decimals of any scale are stored differently.
    fn is_same(&self, before: &Column, after: &Column) -> bool {
        before.kind == after.kind && before.native == after.native
    }

    fn text(&self, before: &Column, own: &str) -> String {
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

    fn first(&self, text: &str, length: u32) -> String {
        format!("substr({text}, 1, {length})")
    }

    fn number(&self, before: &Column, own: &str) -> Option<Number> {
        let (sql, scale, exact) = match &before.kind {
            ColumnType::Integer | ColumnType::BigInt | ColumnType::Boolean => {
                (own.to_owned(), 0, true)
            }
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

    fn whole(&self, number: &Number, bits: u8) -> String {
        let sql = &number.sql;
        let value = match number.exact {
            true => rounded(sql, number.scale),
            // `round` answers with a floating point number, which has 53 bits.
            false => format!(
                "CASE WHEN typeof({sql}) = 'integer' THEN {sql} \
                 WHEN {sql} >= -9223372036854775808.0 AND {sql} < 9223372036854775808.0 THEN CAST(round({sql}) AS INTEGER) END"
            ),
        };
        match bits {
            32 => format!("CASE WHEN {value} BETWEEN -2147483648 AND 2147483647 THEN {value} END"),
            _ => value,
        }
    }

    fn float(&self, number: &Number) -> String {
        match number.scale {
            0 => format!("CAST({} AS REAL)", number.sql),
            scale => format!("({} / {}.0)", number.sql, power(scale)),
        }
    }

    fn decimal(&self, number: &Number, precision: u8, scale: u8, is_native: bool) -> String {
        match is_native {
            true => self.float(number),
            false => scaled(number, precision, scale),
        }
    }

    fn json(&self, before: &Column, own: &str) -> String {
        match &before.kind {
            ColumnType::Integer | ColumnType::BigInt | ColumnType::Float | ColumnType::Boolean => {
                self.text(before, own)
            }
            kind if is_text(kind) => {
                format!(
                    "CASE WHEN json_valid({own}) THEN {own} WHEN {own} IS NOT NULL THEN json_quote({own}) END"
                )
            }
            _ => {
                let written = self.text(before, own);
                format!("CASE WHEN {own} IS NOT NULL THEN json_quote({written}) END")
            }
        }
    }

    fn moment(&self, before: &ColumnType, after: &ColumnType, own: &str) -> Option<String> {
        use ColumnType::{Date, DateTime, Time};
        let day = format!("substr({own}, 1, 10)");
        // A bare number would be read as a Julian day, and the 31st of February as the 3rd of March.
        let dated = format!(
            "{own} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND date({day}) = {day}"
        );
        Some(match (before, after) {
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
            _ => return None,
        })
    }

    fn uuid_of_text(&self, own: &str) -> String {
        let pattern: Vec<String> = [8, 4, 4, 4, 12]
            .iter()
            .map(|digits| "[0-9a-f]".repeat(*digits))
            .collect();
        let pattern = pattern.join("-");
        format!("CASE WHEN lower({own}) GLOB '{pattern}' THEN lower({own}) END")
    }

    fn uuid_of_number(&self, own: &str) -> String {
        let digits = format!("printf('%016x', {own})");
        format!(
            "CASE WHEN {own} IS NOT NULL THEN '00000000-0000-0000-' || substr({digits}, 1, 4) || '-' || substr({digits}, 5) END"
        )
    }
}

/// As a whole number with this many digits after the point; NULL where it has too many before
/// it.
fn scaled(number: &Number, precision: u8, scale: u8) -> String {
    let sql = &number.sql;
    let digits = precision.saturating_sub(scale) + number.scale;
    let value = match (number.exact, scale.checked_sub(number.scale)) {
        (false, _) => match &number.written {
            Some(text) => scaled_text(text, scale),
            None => scaled_real(sql, scale),
        },
        (true, Some(0)) => sql.clone(),
        (true, Some(more)) => format!("{sql} * {}", power(more)),
        (true, None) => rounded(sql, number.scale - scale),
    };
    // The range is checked before the computation: SQLite's numbers have 64 bits.
    let fits = match (digits, number.exact) {
        (0..=18, true) if number.scale > scale => {
            let half = 5 * 10_i64.pow(u32::from(number.scale - scale - 1));
            format!("abs({sql}) < {}", 10_i64.pow(u32::from(digits)) - half)
        }
        (0..=18, true) => format!("abs({sql}) < {}", power(digits)),
        (_, true) => format!("{sql} IS NOT NULL"),
        (_, false) => format!("abs({sql}) < {}", greatest(digits, scale)),
    };
    format!("CASE WHEN {fits} THEN {value} END")
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
    if digits == 0 {
        return sql.to_owned();
    }
    let power = power(digits);
    let half = format!("5{}", "0".repeat(usize::from(digits - 1)));
    format!("({sql} + CASE WHEN {sql} < 0 THEN -{half} ELSE {half} END) / {power}")
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
