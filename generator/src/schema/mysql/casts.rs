//! Conversions in the words of MySQL and MariaDB. A cast of a text that is no value stops an UPDATE
//! in strict mode, so that each is checked by a pattern before.

use super::super::convert::{CLOCK, Casts, DAY, Number, ZONE, is_text, power};
use super::super::table::Column;
use super::syntax::quote;
use crate::project::{ColumnType, Database};

/// The SQL of MySQL and MariaDB.
pub(crate) struct Mysql;

impl Casts for Mysql {
    fn database(&self) -> Database {
        Database::Mysql
    }

    fn quote(&self, name: &str) -> String {
        quote(name)
    }

    fn text(&self, before: &Column, own: &str) -> String {
        match before.kind {
            ColumnType::Boolean => format!("CASE {own} WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"),
            ColumnType::Date => format!("DATE_FORMAT({own}, '%Y-%m-%d')"),
            ColumnType::Time => format!("TIME_FORMAT({own}, '%H:%i:%s')"),
            ColumnType::DateTime => format!("DATE_FORMAT({own}, '%Y-%m-%dT%H:%i:%s.%fZ')"),
            ColumnType::Uuid => own.to_owned(),
            _ => format!("CAST({own} AS CHAR)"),
        }
    }

    fn first(&self, text: &str, length: u32) -> String {
        format!("LEFT({text}, {length})")
    }

    fn number(&self, before: &Column, own: &str) -> Option<Number> {
        use ColumnType::{BigInt, Boolean, Decimal, Float, Integer};
        let sql = match &before.kind {
            Integer | BigInt | Boolean | Decimal(..) => own.to_owned(),
            // A cast to DECIMAL keeps 17 digits. From 2^53 on, all numbers are whole.
            Float => format!(
                "CASE WHEN ABS({own}) BETWEEN 9007199254740992e0 AND 9223372036854774784e0 \
                 THEN CAST(CAST({own} AS SIGNED) AS DECIMAL(65, 30)) \
                 WHEN ABS({own}) < 1e34 THEN CAST({own} AS DECIMAL(65, 30)) END"
            ),
            // The most digits that DECIMAL(65, 30) has before the point.
            kind if is_text(kind) => format!(
                "CASE WHEN CHAR_LENGTH({own}) < 35 AND {own} REGEXP '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+){END}' \
                 THEN CAST({own} AS DECIMAL(65, 30)) END"
            ),
            _ => return None,
        };
        Some(Number {
            sql,
            ..Number::default()
        })
    }

    fn whole(&self, number: &Number, bits: u8) -> String {
        let (least, most) = match bits {
            32 => ("-2147483648", "2147483647"),
            _ => ("-9223372036854775808", "9223372036854775807"),
        };
        let rounded = format!("ROUND({})", number.sql);
        format!("CASE WHEN {rounded} BETWEEN {least} AND {most} THEN CAST({rounded} AS SIGNED) END")
    }

    fn float(&self, number: &Number) -> String {
        format!("({} + 0e0)", number.sql)
    }

    fn decimal(&self, number: &Number, precision: u8, scale: u8, _is_native: bool) -> String {
        let limit = power(precision.saturating_sub(scale));
        let rounded = format!("ROUND({}, {scale})", number.sql);
        format!("CASE WHEN ABS({rounded}) < {limit} THEN {rounded} END")
    }

    fn json(&self, before: &Column, own: &str) -> String {
        use ColumnType::{BigInt, Boolean, Float, Integer};
        match before.kind {
            Integer | BigInt | Float | Boolean => self.text(before, own),
            ref kind if is_text(kind) => format!(
                "CASE WHEN JSON_VALID({own}) THEN {own} WHEN {own} IS NOT NULL THEN JSON_QUOTE({own}) END"
            ),
            // A result of JSON_QUOTE meets no literal of a session with another collation.
            _ => {
                let text = self.text(before, own);
                format!(
                    "CASE WHEN {text} IS NOT NULL THEN CONVERT(JSON_QUOTE({text}) USING utf8mb4) END"
                )
            }
        }
    }

    fn moment(&self, before: &ColumnType, after: &ColumnType, own: &str) -> Option<String> {
        use ColumnType::{Date, DateTime, Time};
        Some(match (before, after) {
            (DateTime, Date) => format!("CAST({own} AS DATE)"),
            (DateTime, Time) => format!("CAST(TIME_FORMAT({own}, '%H:%i:%s') AS TIME)"),
            (Date, DateTime) => format!("CAST({own} AS DATETIME(6))"),
            (kind, Date) if is_text(kind) => {
                let value = format!("CAST(LEFT({own}, 10) AS DATE)");
                dated(own, &format!("([T ]{CLOCK}({ZONE})?)?{END}"), &value)
            }
            (kind, Time) if is_text(kind) => format!(
                "CASE WHEN {own} REGEXP '^{CLOCK}{END}' THEN CAST(LEFT({own}, 8) AS TIME) END"
            ),
            // In UTC: MySQL's type has no zone.
            (kind, DateTime) if is_text(kind) => {
                let ends_in_zone = format!("{own} REGEXP '[+-][0-9]{{2}}:[0-9]{{2}}{END}'");
                let local = format!(
                    "CASE WHEN {ends_in_zone} THEN LEFT({own}, CHAR_LENGTH({own}) - 6) ELSE REPLACE({own}, 'Z', '') END"
                );
                let zone =
                    format!("CASE WHEN {ends_in_zone} THEN RIGHT({own}, 6) ELSE '00:00' END");
                dated(
                    own,
                    &format!("([T ]{CLOCK}({ZONE})?)?{END}"),
                    &format!(
                        "CAST(REPLACE(LEFT({local}, 26), 'T', ' ') AS DATETIME(6)) - INTERVAL {zone} HOUR_MINUTE"
                    ),
                )
            }
            _ => return None,
        })
    }

    fn uuid_of_text(&self, own: &str) -> String {
        let pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
        format!("CASE WHEN LOWER({own}) REGEXP '{pattern}{END}' THEN LOWER({own}) END")
    }

    fn uuid_of_number(&self, own: &str) -> String {
        let digits = format!("LPAD(LOWER(HEX({own})), 16, '0')");
        format!("CONCAT('00000000-0000-0000-', LEFT({digits}, 4), '-', SUBSTR({digits}, 5))")
    }
}

/// The end of a text: `$` alone is found before a last line break as well.
const END: &str = "$(?![[:space:]])";

/// The value of a text that begins with a day of the calendar.
fn dated(own: &str, rest: &str, value: &str) -> String {
    format!(
        "CASE WHEN {own} REGEXP '^(?!0000){DAY}{rest}' THEN \
         CASE WHEN SUBSTR({own}, 9, 2) <= DAY(LAST_DAY(CONCAT(LEFT({own}, 7), '-01'))) THEN {value} END END"
    )
}
