//! Conversions in the words of MySQL and MariaDB. A cast of a text that is no value stops an UPDATE
//! in strict mode, so that each is checked by a pattern before.

use super::super::convert::{CLOCK, DAY, ZONE};
use super::super::convert::{Casts, is_text, power};
use super::syntax::quote;
use crate::project::{ColumnType, Database};

/// The conversions of MySQL and MariaDB.
pub(super) struct MySql;

impl Casts for MySql {
    fn database(&self) -> Database {
        Database::Mysql
    }

    fn quote(&self, name: &str) -> String {
        quote(name)
    }

    fn text(&self, kind: &ColumnType, own: &str) -> String {
        match kind {
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

    fn number(&self, kind: &ColumnType, own: &str) -> Option<String> {
        // The most digits that DECIMAL(65, 30) has before the point.
        let exact = |condition: String| {
            format!("CASE WHEN {condition} THEN CAST({own} AS DECIMAL(65, 30)) END")
        };
        Some(match kind {
            ColumnType::Integer
            | ColumnType::BigInt
            | ColumnType::Boolean
            | ColumnType::Decimal(..) => own.to_owned(),
            // A cast to DECIMAL keeps 17 digits. From 2^53 on, all numbers are whole.
            ColumnType::Float => format!(
                "CASE WHEN ABS({own}) BETWEEN 9007199254740992e0 AND 9223372036854774784e0 \
                 THEN CAST(CAST({own} AS SIGNED) AS DECIMAL(65, 30)) \
                 WHEN ABS({own}) < 1e34 THEN CAST({own} AS DECIMAL(65, 30)) END"
            ),
            kind if is_text(kind) => exact(format!(
                "CHAR_LENGTH({own}) < 35 AND {own} REGEXP '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+){END}'"
            )),
            _ => return None,
        })
    }

    fn whole(&self, number: &str, bits: u8) -> String {
        let (least, most) = match bits {
            32 => ("-2147483648", "2147483647"),
            _ => ("-9223372036854775808", "9223372036854775807"),
        };
        format!(
            "CASE WHEN ROUND({number}) BETWEEN {least} AND {most} THEN CAST(ROUND({number}) AS SIGNED) END"
        )
    }

    fn float(&self, number: &str) -> String {
        format!("({number} + 0e0)")
    }

    fn decimal(&self, number: &str, precision: u8, scale: u8) -> String {
        let limit = power(precision.saturating_sub(scale));
        let rounded = format!("ROUND({number}, {scale})");
        format!("CASE WHEN ABS({rounded}) < {limit} THEN {rounded} END")
    }

    fn json_of_text(&self, text: &str, may_be_json: bool) -> String {
        match may_be_json {
            true => format!(
                "CASE WHEN JSON_VALID({text}) THEN {text} WHEN {text} IS NOT NULL THEN JSON_QUOTE({text}) END"
            ),
            // A result of JSON_QUOTE meets no literal of a session with another collation.
            false => format!(
                "CASE WHEN {text} IS NOT NULL THEN CONVERT(JSON_QUOTE({text}) USING utf8mb4) END"
            ),
        }
    }

    fn json_of_number(&self, kind: &ColumnType, own: &str) -> String {
        self.text(kind, own)
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
