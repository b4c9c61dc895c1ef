//! The only table of types: a type of the manifest, and its form in Rust, in each database, in
//! rules, in OpenAPI and JSON Schema.

mod literal;

use std::borrow::Cow;

pub use literal::{is_uuid, is_zero, json, json_tokens, rust, rust_words, sql, text};

use crate::project::{ColumnType, Database, Rule};

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeRow {
    /// The type in the form that manifests use, such as `decimal(15,4)`.
    pub manifest: Cow<'static, str>,
    /// Rust type of a field that is never null.
    pub rust: Cow<'static, str>,
    /// Whether the Rust type is `Copy`.
    pub copy: bool,
    /// Function of `formwork::literal` that writes a value, where there is one.
    pub literal: Option<&'static str>,
    /// Column type in SQLite.
    pub sqlite: &'static str,
    /// Column type in PostgreSQL.
    pub postgres: Cow<'static, str>,
    /// Column type in MySQL.
    pub mysql: Cow<'static, str>,
    /// The rule the type brings.
    pub rule: Option<Rule>,
    /// `type` in OpenAPI and JSON Schema; `None` is any value.
    pub json_type: Option<&'static str>,
    /// `format` in OpenAPI and JSON Schema.
    pub json_format: Option<&'static str>,
}

impl TypeRow {
    /// Column type in a database. A decimal with `storage: native` is the database's own number.
    pub fn sql(&self, database: Database, native: bool) -> &str {
        match database {
            Database::Sqlite if native => "NUMERIC",
            Database::Sqlite => self.sqlite,
            Database::Postgres => &self.postgres,
            Database::Mysql => &self.mysql,
        }
    }
}

/// The row of a type.
pub fn column(kind: &ColumnType) -> TypeRow {
    match kind {
        ColumnType::String(length) => text_row(format!("string({length})"), Some(*length)),
        ColumnType::Text => text_row("text", None),
        ColumnType::Enum(values) => {
            let rule = Some(Rule::In(values.clone()));
            TypeRow {
                rule,
                ..text_row(format!("enum({})", values.join(", ")), Some(255))
            }
        }
        ColumnType::Integer => number("integer", "i32", "INTEGER", "INT", Some("int32")),
        ColumnType::BigInt => number("bigint", "i64", "BIGINT", "BIGINT", Some("int64")),
        ColumnType::Float => TypeRow {
            sqlite: "REAL",
            rule: Some(Rule::Numeric),
            json_type: Some("number"),
            ..number("float", "f64", "DOUBLE PRECISION", "DOUBLE", Some("double"))
        },
        ColumnType::Decimal(precision, scale) => decimal(*precision, *scale),
        ColumnType::Boolean => TypeRow {
            rule: Some(Rule::Boolean),
            json_type: Some("boolean"),
            ..number("boolean", "bool", "BOOLEAN", "TINYINT(1)", None)
        },
        ColumnType::Date => moment("date", "Date", "DATE", "DATE", Rule::Date),
        ColumnType::Time => moment("time", "Time", "TIME(0)", "TIME", Rule::Time),
        ColumnType::DateTime => TypeRow {
            json_format: Some("date-time"),
            ..moment(
                "datetime",
                "DateTime",
                "TIMESTAMPTZ",
                "DATETIME(6)",
                Rule::DateTime,
            )
        },
        ColumnType::Uuid => moment("uuid", "Uuid", "UUID", "CHAR(36)", Rule::Uuid),
        ColumnType::Json => TypeRow {
            rust: "Json".into(),
            postgres: "JSONB".into(),
            mysql: "JSON".into(),
            rule: None,
            json_type: None,
            ..text_row("json", None)
        },
    }
}

/// Digits a decimal holds exactly on every database.
pub const MOST_DIGITS: u8 = 18;

/// The digits of a bound (`min`, `max`, …) that a service reads.
pub const LONGEST_BOUND: usize = 28;

/// The most characters that MariaDB has room for in a column: 65,535 bytes at up to four a character.
/// Other columns of the row take of the same bytes, and an index has room for fewer.
pub const LONGEST_STRING: u32 = 16_383;

/// The type that a manifest writes so, but for `enum`: `string(40)` is the word `string` with the arguments `40`.
pub fn parse(word: &str, arguments: Option<&str>) -> Option<ColumnType> {
    match (word, arguments) {
        ("string", None) => Some(ColumnType::String(255)),
        ("string", Some(length)) => {
            let length = length.trim().parse().ok()?;
            let legal = (1..=LONGEST_STRING).contains(&length);
            legal.then_some(ColumnType::String(length))
        }
        ("decimal", Some(digits)) => decimal_of(digits),
        (word, None) => plain(word),
        (_, Some(_)) => None,
    }
}

fn decimal_of(digits: &str) -> Option<ColumnType> {
    let (precision, scale) = digits.split_once(',')?;
    let precision: u8 = precision.trim().parse().ok()?;
    let scale: u8 = scale.trim().parse().ok()?;
    let legal = (1..=MOST_DIGITS).contains(&precision) && scale <= precision;
    legal.then_some(ColumnType::Decimal(precision, scale))
}

fn plain(word: &str) -> Option<ColumnType> {
    Some(match word {
        "text" => ColumnType::Text,
        "integer" => ColumnType::Integer,
        "bigint" => ColumnType::BigInt,
        "float" => ColumnType::Float,
        "boolean" => ColumnType::Boolean,
        "date" => ColumnType::Date,
        "time" => ColumnType::Time,
        "datetime" => ColumnType::DateTime,
        "json" => ColumnType::Json,
        "uuid" => ColumnType::Uuid,
        _ => return None,
    })
}

/// The Rust type of a field, `Option<String>`.
pub fn rust_type(kind: &ColumnType, nullable: bool) -> String {
    let field_type = column(kind).rust;
    if nullable {
        format!("Option<{field_type}>")
    } else {
        field_type.into_owned()
    }
}

fn text_row(manifest: impl Into<Cow<'static, str>>, length: Option<u32>) -> TypeRow {
    let (postgres, mysql) = match length {
        Some(length) => {
            let sized = format!("VARCHAR({length})");
            (sized.clone().into(), sized.into())
        }
        None => ("TEXT".into(), "LONGTEXT".into()),
    };
    TypeRow {
        manifest: manifest.into(),
        rust: "String".into(),
        copy: false,
        literal: None,
        sqlite: "TEXT",
        postgres,
        mysql,
        rule: Some(Rule::String),
        json_type: Some("string"),
        json_format: None,
    }
}

fn number(
    manifest: impl Into<Cow<'static, str>>,
    field_type: impl Into<Cow<'static, str>>,
    postgres: impl Into<Cow<'static, str>>,
    mysql: impl Into<Cow<'static, str>>,
    json_format: Option<&'static str>,
) -> TypeRow {
    TypeRow {
        manifest: manifest.into(),
        rust: field_type.into(),
        copy: true,
        literal: None,
        sqlite: "INTEGER",
        postgres: postgres.into(),
        mysql: mysql.into(),
        rule: Some(Rule::Integer),
        json_type: Some("integer"),
        json_format,
    }
}

fn decimal(precision: u8, scale: u8) -> TypeRow {
    let sized = format!("({precision}, {scale})");
    TypeRow {
        literal: Some("decimal"),
        rule: Some(Rule::Decimal(precision, scale)),
        json_type: Some("string"),
        ..number(
            format!("decimal({precision},{scale})"),
            format!("Decimal<{scale}>"),
            format!("NUMERIC{sized}"),
            format!("DECIMAL{sized}"),
            Some("decimal"),
        )
    }
}

/// Dates, times, datetimes and uuids: texts that have a Rust type and a literal of their own.
fn moment(
    name: &'static str,
    field_type: &'static str,
    postgres: &'static str,
    mysql: &'static str,
    rule: Rule,
) -> TypeRow {
    TypeRow {
        rust: field_type.into(),
        copy: true,
        literal: Some(name),
        postgres: postgres.into(),
        mysql: mysql.into(),
        rule: Some(rule),
        json_format: Some(name),
        ..text_row(name, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<ColumnType> {
        vec![
            ColumnType::String(40),
            ColumnType::Text,
            ColumnType::Integer,
            ColumnType::BigInt,
            ColumnType::Float,
            ColumnType::Decimal(15, 4),
            ColumnType::Boolean,
            ColumnType::Date,
            ColumnType::Time,
            ColumnType::DateTime,
            ColumnType::Json,
            ColumnType::Uuid,
            ColumnType::Enum(vec!["F".to_owned(), "P".to_owned()]),
        ]
    }

    #[test]
    fn every_type_is_a_row() {
        let rows: Vec<String> = all()
            .iter()
            .map(|kind| {
                let row = column(kind);
                format!(
                    "{} {} {} {} {}",
                    row.manifest, row.rust, row.sqlite, row.postgres, row.mysql
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                "string(40) String TEXT VARCHAR(40) VARCHAR(40)",
                "text String TEXT TEXT LONGTEXT",
                "integer i32 INTEGER INTEGER INT",
                "bigint i64 INTEGER BIGINT BIGINT",
                "float f64 REAL DOUBLE PRECISION DOUBLE",
                "decimal(15,4) Decimal<4> INTEGER NUMERIC(15, 4) DECIMAL(15, 4)",
                "boolean bool INTEGER BOOLEAN TINYINT(1)",
                "date Date TEXT DATE DATE",
                "time Time TEXT TIME(0) TIME",
                "datetime DateTime TEXT TIMESTAMPTZ DATETIME(6)",
                "json Json TEXT JSONB JSON",
                "uuid Uuid TEXT UUID CHAR(36)",
                "enum(F, P) String TEXT VARCHAR(255) VARCHAR(255)",
            ]
        );
    }

    #[test]
    fn native_decimals_are_numbers_of_the_database() {
        let row = column(&ColumnType::Decimal(15, 4));
        assert_eq!(row.sql(Database::Sqlite, true), "NUMERIC");
        assert_eq!(row.sql(Database::Sqlite, false), "INTEGER");
        assert_eq!(row.sql(Database::Postgres, false), "NUMERIC(15, 4)");
    }

    #[test]
    fn values_of_json_are_described() {
        let described: Vec<_> = all()
            .iter()
            .map(column)
            .map(|row| {
                (
                    row.json_type.unwrap_or("any"),
                    row.json_format.unwrap_or_default(),
                )
            })
            .collect();
        assert_eq!(described[3], ("integer", "int64"));
        assert_eq!(described[5], ("string", "decimal"));
        assert_eq!(described[9], ("string", "date-time"));
        assert_eq!(described[10], ("any", ""));
    }

    #[test]
    fn nullable_fields_are_options() {
        assert_eq!(
            rust_type(&ColumnType::Decimal(10, 2), true),
            "Option<Decimal<2>>"
        );
        assert_eq!(rust_type(&ColumnType::Json, false), "Json");
    }
}
