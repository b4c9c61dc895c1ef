//! Values of columns from text: from filters of clients and conditions of manifests.

use super::{Column, Kind};
use crate::{
    decimal,
    value::{Json, Uuid, Value, parse_date, parse_datetime, parse_time},
};

impl Kind {
    /// The value of a text. The error is the end of a sentence that begins with the column's name.
    pub fn read(self, text: &str) -> Result<Value, &'static str> {
        let json = || Json::String(text.to_owned());
        match self {
            Self::Text => Ok(Value::Text(text.to_owned())),
            Self::Integer => i32::from_json(&json()).map(|number| Value::Int(number.into())),
            Self::BigInt => i64::from_json(&json()).map(Value::Int),
            Self::Float => f64::from_json(&json()).map(Value::Float),
            Self::Boolean => bool::from_json(&json()).map(Value::Bool),
            Self::Decimal(scale) => exact(text, scale),
            Self::Date => parse_date(text)
                .map(Value::Date)
                .ok_or("must be a date (YYYY-MM-DD)"),
            Self::Time => parse_time(text)
                .map(Value::Time)
                .ok_or("must be a time (HH:MM:SS)"),
            Self::DateTime => parse_datetime(text)
                .map(Value::DateTime)
                .ok_or("must be a datetime (RFC 3339)"),
            Self::Uuid => Uuid::try_parse(text)
                .map(Value::Uuid)
                .map_err(|_| "must be a UUID"),
            Self::Json => Err("cannot be compared: the attribute is JSON"),
        }
    }
}

fn exact(text: &str, scale: u32) -> Result<Value, &'static str> {
    let number = decimal::number(text).map_err(|_| "must be a number")?;
    if number.normalize().scale() > scale {
        return Err("has too many digits after the decimal point");
    }
    let mut scaled = number;
    scaled.rescale(scale);
    let fits = scaled.scale() == scale && scaled.mantissa().unsigned_abs() < decimal::LIMIT;
    if fits {
        Ok(Value::Decimal(scaled))
    } else {
        Err("has too many digits")
    }
}
