//! Values of the manifest as Rust, SQL and JSON.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::column;
use crate::project::{ColumnType, Database, Literal};

/// A value as a Rust expression of the column's type: `decimal("4.9900")`, `"x".to_owned()`.
pub fn rust(kind: &ColumnType, value: &Literal) -> String {
    let quoted = |text: &str| rust_words(text);
    match (column(kind).literal, value) {
        (_, Literal::Null) => "None".to_owned(),
        (Some("decimal"), value) => format!("decimal({})", quoted(&fixed(kind, &plain(value)))),
        (Some("time"), value) => format!("time({})", quoted(&time(&plain(value)))),
        (Some(function), value) => format!("{function}({})", quoted(&plain(value))),
        (None, Literal::Bool(value)) => value.to_string(),
        (None, value) if *kind == ColumnType::Float => {
            format!("{:?}", plain(value).parse::<f64>().unwrap_or_default())
        }
        (None, Literal::Int(value)) => value.to_string(),
        (None, Literal::Number(value)) => value.clone(),
        (None, Literal::Text(value)) if *kind != ColumnType::Json => {
            format!("{}.to_owned()", quoted(value))
        }
        (None, Literal::Text(value)) => format!("json!({})", quoted(value)),
        (None, Literal::Json(value)) => format!("json!({})", json_tokens(&parsed(value))),
    }
}

/// A text as a Rust string literal.
pub fn rust_words(text: &str) -> String {
    let is_plain = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    match text.bytes().all(is_plain) {
        true => ["\"", text, "\""].concat(),
        false => format!("{text:?}"),
    }
}

/// A value as an SQL literal, in the form the runtime stores.
pub fn sql(database: Database, kind: &ColumnType, native: bool, value: &Literal) -> String {
    match (kind, value) {
        (_, Literal::Null) => "NULL".to_owned(),
        (ColumnType::Decimal(..), value) => {
            let number = fixed(kind, &plain(value));
            let scaled = database == Database::Sqlite && !native;
            if scaled {
                without_point(&number)
            } else {
                number
            }
        }
        (ColumnType::DateTime, value) => {
            // Of fixed width, so that text sorts as time does. MySQL's type has no zone.
            let zone = if database == Database::Mysql { "" } else { "Z" };
            quote(&plain(value).replace('Z', &format!(".000000{zone}")))
        }
        (ColumnType::Time, value) => quote(&time(&plain(value))),
        (ColumnType::Json, value) => text(database, &json(value).to_string()),
        (_, Literal::Bool(value)) => boolean(database, *value),
        (_, Literal::Int(value)) => value.to_string(),
        (_, Literal::Number(value)) => value.clone(),
        (_, Literal::Text(value) | Literal::Json(value)) => text(database, value),
    }
}

/// A text as an SQL literal. The backslash escapes in MySQL or does not, as `sql_mode` says, and a
/// line that ends in `;` ends a statement there, so that such a text is written by its bytes.
pub fn text(database: Database, value: &str) -> String {
    let is_plain = |letter: char| letter != '\\' && !letter.is_control();
    if database == Database::Mysql && !value.chars().all(is_plain) {
        let bytes = value.bytes().map(|byte| format!("{byte:02X}"));
        return format!("_utf8mb4 X'{}'", bytes.collect::<String>());
    }
    quote(value)
}

/// A value as it is written in a body.
pub fn json(value: &Literal) -> Value {
    match value {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::from(*value),
        Literal::Int(value) => Value::from(*value),
        Literal::Number(value) | Literal::Text(value) => Value::from(value.clone()),
        Literal::Json(value) => parsed(value),
    }
}

/// Serializes the value in the form that bodies use.
impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        json(self).serialize(to)
    }
}

/// Serializes the type in the form that manifests use, such as `decimal(15,4)`.
impl Serialize for ColumnType {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&column(self).manifest)
    }
}

/// Whether a text is a UUID with its hyphens (RFC 9562, section 4), as databases and requests write it.
pub fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12])
        && text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Whether a value is the `Default` of this type's field.
pub fn is_zero(kind: &ColumnType, nullable: bool, value: &Literal) -> bool {
    if nullable || *value == Literal::Null {
        return *value == Literal::Null;
    }
    match (kind, value) {
        (_, Literal::Null) => true,
        (ColumnType::Json, value) => json(value).is_null(),
        (_, Literal::Bool(value)) => !value,
        (_, Literal::Int(value)) => *value == 0,
        (_, Literal::Number(value)) => !value.contains(|c: char| ('1'..='9').contains(&c)),
        (ColumnType::Uuid, Literal::Text(value)) => !value.contains(|c: char| c != '0' && c != '-'),
        (_, Literal::Text(value)) => value.is_empty(),
        (_, Literal::Json(_)) => false,
    }
}

/// The value's digits or letters, without quotes.
fn plain(value: &Literal) -> String {
    match value {
        Literal::Null => String::new(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Number(value) | Literal::Text(value) | Literal::Json(value) => value.clone(),
    }
}

/// A decimal with all digits of its scale.
fn fixed(kind: &ColumnType, number: &str) -> String {
    let scale = if let ColumnType::Decimal(_, scale) = kind {
        usize::from(*scale)
    } else {
        0
    };
    let number = number.strip_prefix('+').unwrap_or(number);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = match whole {
        "" => "0",
        "-" => "-0",
        whole => whole,
    };
    if scale == 0 {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction:0<scale$}")
    }
}

/// The scaled integer of a decimal with all its digits.
fn without_point(number: &str) -> String {
    let negative = number.starts_with('-');
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    match (digits, negative) {
        ("", _) => "0".to_owned(),
        (digits, true) => format!("-{digits}"),
        (digits, false) => digits.to_owned(),
    }
}

fn time(text: &str) -> String {
    if text.len() == 5 {
        format!("{text}:00")
    } else {
        text.to_owned()
    }
}

fn boolean(database: Database, value: bool) -> String {
    match database {
        Database::Postgres => value.to_string().to_uppercase(),
        Database::Sqlite | Database::Mysql => u8::from(value).to_string(),
    }
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// JSON as tokens of `json!`: numbers beyond 32 bits and texts need Rust's own spelling.
pub fn json_tokens(value: &Value) -> String {
    match value {
        Value::String(text) => rust_words(text),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) if i32::try_from(value).is_ok() => value.to_string(),
            (Some(value), _) => format!("{value}_i64"),
            (None, Some(value)) => format!("{value}_u64"),
            (None, None) => format!("{:?}", number.as_f64().unwrap_or_default()),
        },
        Value::Array(items) => {
            format!(
                "[{}]",
                items.iter().map(json_tokens).collect::<Vec<_>>().join(", ")
            )
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{}: {}", rust_words(name), json_tokens(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Literal {
        Literal::Number(text.to_owned())
    }

    fn word(text: &str) -> Literal {
        Literal::Text(text.to_owned())
    }

    #[test]
    fn defaults_in_rust() {
        let decimal = ColumnType::Decimal(15, 4);
        assert_eq!(rust(&decimal, &number("4.99")), "decimal(\"4.9900\")");
        assert_eq!(rust(&decimal, &Literal::Int(3)), "decimal(\"3.0000\")");
        assert_eq!(
            rust(&ColumnType::Decimal(9, 0), &Literal::Int(-3)),
            "decimal(\"-3\")"
        );
        assert_eq!(
            rust(&ColumnType::String(9), &word("a\"b")),
            "\"a\\\"b\".to_owned()"
        );
        assert_eq!(rust(&ColumnType::Float, &Literal::Int(2)), "2.0");
        assert_eq!(
            rust(&ColumnType::Time, &word("09:30")),
            "time(\"09:30:00\")"
        );
        assert_eq!(
            rust(&ColumnType::DateTime, &word("2026-01-31T11:00:00Z")),
            "datetime(\"2026-01-31T11:00:00Z\")"
        );
        assert_eq!(
            rust(
                &ColumnType::Json,
                &Literal::Json("{\"a\": [1, 5000000000, \"\\u00e9\"]}".into())
            ),
            "json!({ \"a\": [1, 5000000000_i64, \"é\"] })"
        );
        assert_eq!(rust(&ColumnType::Boolean, &Literal::Bool(true)), "true");
    }

    #[test]
    fn defaults_in_sqlite() {
        let sqlite = |kind, native, value| sql(Database::Sqlite, &kind, native, &value);
        assert_eq!(
            sqlite(ColumnType::Decimal(15, 4), false, number("4.99")),
            "49900"
        );
        assert_eq!(
            sqlite(ColumnType::Decimal(15, 4), false, number("-0.5")),
            "-5000"
        );
        assert_eq!(
            sqlite(ColumnType::Decimal(15, 4), false, Literal::Int(0)),
            "0"
        );
        assert_eq!(
            sqlite(ColumnType::Decimal(15, 4), true, number("4.99")),
            "4.9900"
        );
        assert_eq!(sqlite(ColumnType::Boolean, false, Literal::Bool(true)), "1");
        assert_eq!(sqlite(ColumnType::Text, false, word("it's")), "'it''s'");
        assert_eq!(
            sqlite(ColumnType::DateTime, false, word("2026-01-31T12:00:00Z")),
            "'2026-01-31T12:00:00.000000Z'"
        );
        assert_eq!(
            sqlite(ColumnType::Json, false, Literal::Json("[ 1 ]".into())),
            "'[1]'"
        );
    }

    #[test]
    fn the_zero_value_of_a_type_is_recognised() {
        assert!(is_zero(
            &ColumnType::Decimal(15, 4),
            false,
            &number("0.0000")
        ));
        assert!(!is_zero(
            &ColumnType::Decimal(15, 4),
            true,
            &number("0.0000")
        ));
        assert!(is_zero(&ColumnType::Text, true, &Literal::Null));
        assert!(!is_zero(&ColumnType::Boolean, false, &Literal::Bool(true)));
        assert!(!is_zero(&ColumnType::Date, false, &word("2026-01-31")));
    }
}
