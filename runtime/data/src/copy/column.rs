//! A column that is copied, and its values.

use rust_decimal::{Decimal, prelude::FromPrimitive};

use crate::{
    column::{ColumnInfo, Kind},
    error::{Error, Result},
    value::{Json, Value},
};

/// A column of the table that is written.
pub(super) struct CopiedColumn {
    pub name: String,
    /// The kind of its values; `None` where they need no conversion.
    pub kind: Option<Kind>,
    /// Decimals are the database's own numbers.
    native: bool,
}

impl CopiedColumn {
    /// The column that a model describes.
    pub fn of_model(info: &ColumnInfo) -> Self {
        Self {
            name: info.name.to_owned(),
            kind: Some(info.kind),
            native: info.native,
        }
    }

    /// The column of this type in the database, which no model describes.
    pub fn of_type(name: String, of: &str) -> Self {
        Self {
            name,
            kind: kind(of),
            native: true,
        }
    }

    /// The value as the column holds it.
    ///
    /// # Errors
    /// 500 where it is no value of the column.
    pub fn typed(&self, table: &str, value: Value) -> Result<Value> {
        let Some(kind) = self.kind else {
            return Ok(value);
        };
        let typed = match (kind, value) {
            (Kind::Boolean, Value::Int(number)) => Some(Value::Bool(number != 0)),
            (Kind::Json, Value::Text(text)) => json(&text),
            (Kind::Decimal(scale), value) => self.decimal(scale, value),
            (Kind::Text, value) => Some(value),
            (kind, Value::Text(text)) => kind.read(&text).ok(),
            (_, value) => Some(value),
        };
        typed.ok_or_else(|| {
            let name = &self.name;
            Error::internal(format!(
                "a value in the column `{name}` of `{table}` does not have the type of the column"
            ))
        })
    }

    /// A decimal is an integer of its last digit in databases without decimals, unless it is native.
    fn decimal(&self, scale: u32, value: Value) -> Option<Value> {
        let number = match value {
            Value::Null => return Some(Value::Null),
            Value::Int(scaled) if !self.native => Decimal::try_new(scaled, scale).ok()?,
            Value::Int(whole) => whole.into(),
            Value::Float(number) => Decimal::from_f64(number)?,
            Value::Text(text) => text.parse().ok()?,
            Value::Decimal(number) | Value::Native(number) => number,
            _ => return None,
        };
        let mut scaled = number;
        scaled.rescale(scale);
        Some(match self.native {
            true => Value::Native(scaled),
            false => Value::Decimal(scaled),
        })
    }
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str::<Json>(text).ok().map(Value::Json)
}

/// The kind of a column of this type, if its values may come in another form.
fn kind(of: &str) -> Option<Kind> {
    let word = of.split(['(', ' ']).next().unwrap_or_default();
    match word {
        _ if of == "TINYINT(1)" => Some(Kind::Boolean),
        "BOOLEAN" => Some(Kind::Boolean),
        "INTEGER" | "BIGINT" | "INT" | "SMALLINT" => Some(Kind::BigInt),
        "UUID" => Some(Kind::Uuid),
        "TIMESTAMP" | "DATETIME" => Some(Kind::DateTime),
        "DATE" => Some(Kind::Date),
        "TIME" => Some(Kind::Time),
        "JSON" | "JSONB" => Some(Kind::Json),
        _ => None,
    }
}
