//! The types that fields can have.

use super::{Column, Kind};
use crate::{
    database::{Row, Stored},
    decimal::{self, Decimal},
    error::Result,
    value::{Date, DateTime, Json, Time, Uuid, Value, parse_date, parse_datetime, parse_time},
};

impl Column for String {
    const KIND: Kind = Kind::Text;

    fn read(row: &Row, index: usize) -> Result<Self> {
        row.text(index).map(str::to_owned)
    }

    fn value(&self) -> Value {
        Value::Text(self.clone())
    }

    fn native_value(&self) -> Value {
        Value::Label(self.clone())
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        match json {
            Json::String(text) => Ok(text.clone()),
            // Forms and untyped clients send numbers for texts.
            Json::Number(number) => Ok(number.to_string()),
            _ => Err("must be a string"),
        }
    }
}

impl Column for i64 {
    const KIND: Kind = Kind::BigInt;

    fn read(row: &Row, index: usize) -> Result<Self> {
        row.integer(index)
    }

    fn value(&self) -> Value {
        Value::Int(*self)
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        let whole = match json {
            Json::Number(number) => number.as_i64().or_else(|| whole_float(number.as_f64()?)),
            Json::String(text) => text.parse().ok(),
            Json::Bool(value) => Some(i64::from(*value)),
            _ => None,
        };
        whole.ok_or("must be an integer")
    }
}

/// `3.0` is the integer 3: JSON knows one kind of number (RFC 8259, section 6).
fn whole_float(value: f64) -> Option<i64> {
    // Beyond 2^53 neighbouring integers are one float.
    (value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0).then_some(value as i64)
}

impl Column for i32 {
    const KIND: Kind = Kind::Integer;

    fn read(row: &Row, index: usize) -> Result<Self> {
        let wide = row.integer(index)?;
        Self::try_from(wide).map_err(|_| row.unreadable(index, "a 32-bit integer"))
    }

    fn value(&self) -> Value {
        Value::Int(i64::from(*self))
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        Self::try_from(i64::from_json(json)?)
            .map_err(|_| "must be an integer between -2147483648 and 2147483647")
    }
}

impl Column for f64 {
    const KIND: Kind = Kind::Float;

    fn read(row: &Row, index: usize) -> Result<Self> {
        row.float(index)
    }

    fn value(&self) -> Value {
        Value::Float(*self)
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        let number = match json {
            Json::Number(number) => number.as_f64(),
            Json::String(text) => text.parse().ok(),
            _ => None,
        };
        number
            .filter(|value| value.is_finite())
            .ok_or("must be a number")
    }
}

impl Column for bool {
    const KIND: Kind = Kind::Boolean;

    fn read(row: &Row, index: usize) -> Result<Self> {
        row.boolean(index)
    }

    fn value(&self) -> Value {
        Value::Bool(*self)
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        match json {
            Json::Bool(value) => Ok(*value),
            Json::Number(number) if number.as_i64() == Some(1) => Ok(true),
            Json::Number(number) if number.as_i64() == Some(0) => Ok(false),
            Json::String(text) if matches!(text.as_str(), "1" | "true") => Ok(true),
            Json::String(text) if matches!(text.as_str(), "0" | "false") => Ok(false),
            _ => Err("must be true or false"),
        }
    }
}

/// 10^15: a float holds any 15 digits.
const FLOAT_DIGITS: u128 = 1_000_000_000_000_000;

impl<const S: u32> Column for Decimal<S> {
    const KIND: Kind = Kind::Decimal(S);

    fn read(row: &Row, index: usize) -> Result<Self> {
        match row.stored(index)? {
            Stored::Decimal(number) => Ok(Self::stored(number)),
            _ => row.integer(index).map(Self::from_scaled),
        }
    }

    fn read_native(row: &Row, index: usize) -> Result<Self> {
        let number = match row.stored(index)? {
            Stored::Int(value) => Some(value.into()),
            // The shortest text of the float has the digits that were written, up to 15.
            Stored::Float(value) => {
                let number = decimal::number(&value.to_string()).ok();
                number.map(|number| match Self::rounded(number) {
                    // Further digits are what the arithmetic of floats leaves.
                    Some(rounded) if number.mantissa().unsigned_abs() >= FLOAT_DIGITS => {
                        rounded.number()
                    }
                    _ => number,
                })
            }
            Stored::Text(text) => decimal::number(text).ok(),
            Stored::Decimal(number) => Some(number),
            _ => None,
        };
        number
            .map(Self::stored)
            .ok_or_else(|| row.unreadable(index, "a decimal"))
    }

    fn value(&self) -> Value {
        Value::Decimal(self.number())
    }

    fn native_value(&self) -> Value {
        Value::Native(self.number())
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        let number = match json {
            Json::Number(number) => decimal::number(&number.to_string()),
            Json::String(text) => decimal::number(text),
            _ => return Err("must be a number"),
        };
        number.and_then(Self::exact).map_err(|error| match error {
            decimal::DecimalError::Malformed => "must be a number",
            decimal::DecimalError::TooPrecise(_) => "has too many digits after the decimal point",
            decimal::DecimalError::TooLarge => "has too many digits",
        })
    }
}

/// Columns that are text in one canonical form, where the database has no type for them.
macro_rules! text_column {
    ($type:ty, $kind:ident, $what:literal, $parse:expr, $message:literal) => {
        impl Column for $type {
            const KIND: Kind = Kind::$kind;

            fn read(row: &Row, index: usize) -> Result<Self> {
                let value = match row.stored(index)? {
                    Stored::$kind(value) => Some(value),
                    Stored::Text(text) => $parse(text),
                    _ => None,
                };
                value.ok_or_else(|| row.unreadable(index, $what))
            }

            fn value(&self) -> Value {
                Value::$kind(self.clone())
            }

            fn from_json(json: &Json) -> Result<Self, &'static str> {
                json.as_str().and_then($parse).ok_or($message)
            }
        }
    };
}

text_column!(
    Date,
    Date,
    "a date",
    parse_date,
    "must be a date (YYYY-MM-DD)"
);
text_column!(
    Time,
    Time,
    "a time",
    parse_time,
    "must be a time (HH:MM:SS)"
);
text_column!(
    DateTime,
    DateTime,
    "a datetime",
    parse_datetime,
    "must be a datetime (RFC 3339)"
);
text_column!(Uuid, Uuid, "a UUID", parse_uuid, "must be a UUID");

fn parse_uuid(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok()
}

impl Column for Json {
    const KIND: Kind = Kind::Json;

    fn read(row: &Row, index: usize) -> Result<Self> {
        match row.stored(index)? {
            Stored::Text(text) => serde_json::from_str(text).ok(),
            // SQLite stores a number in a column that is declared `json`.
            Stored::Int(number) => Some(number.into()),
            Stored::Float(number) => Some(number.into()),
            _ => None,
        }
        .ok_or_else(|| row.unreadable(index, "JSON"))
    }

    fn read_native(row: &Row, index: usize) -> Result<Self> {
        row.list(index).map(Self::Array)
    }

    fn value(&self) -> Value {
        Value::Json(self.clone())
    }

    fn native_value(&self) -> Value {
        match self {
            Self::Array(items) => Value::Array(items.clone()),
            other => other.value(),
        }
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        // PostgreSQL stores no U+0000.
        if holds_nul(json) {
            return Err("must not contain U+0000");
        }
        Ok(json.clone())
    }
}

fn holds_nul(json: &Json) -> bool {
    match json {
        Json::String(text) => text.contains('\0'),
        Json::Array(items) => items.iter().any(holds_nul),
        Json::Object(members) => {
            let mut members = members.iter();
            members.any(|(name, value)| name.contains('\0') || holds_nul(value))
        }
        _ => false,
    }
}

impl<T: Column> Column for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;

    fn read(row: &Row, index: usize) -> Result<Self> {
        if row.is_null(index)? {
            Ok(None)
        } else {
            T::read(row, index).map(Some)
        }
    }

    fn read_native(row: &Row, index: usize) -> Result<Self> {
        if row.is_null(index)? {
            Ok(None)
        } else {
            T::read_native(row, index).map(Some)
        }
    }

    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::value)
    }

    fn native_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::native_value)
    }

    fn from_json(json: &Json) -> Result<Self, &'static str> {
        if json.is_null() {
            Ok(None)
        } else {
            T::from_json(json).map(Some)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_holds_no_nul() {
        for wrong in [
            json!("\0"),
            json!({"a": [1, "a\0b"]}),
            json!({"a": {"\0": 1}}),
        ] {
            assert!(Json::from_json(&wrong).is_err(), "{wrong}");
        }
        let fine = json!({"a": ["\\0", null, 1, true]});
        assert_eq!(Json::from_json(&fine), Ok(fine.clone()));
    }
}
