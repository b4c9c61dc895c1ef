//! The definition of a column.

use crate::{
    database::{Dialect, Row},
    decimal,
    error::Result,
    value::{Json, Uuid, Value, parse_date, parse_datetime, parse_time},
};

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text of any length, and words of an enumeration.
    Text,
    /// A 32-bit integer.
    Integer,
    /// A 64-bit integer.
    BigInt,
    /// A floating point number.
    Float,
    /// A decimal with so many digits after the point.
    Decimal(u32),
    /// True or false.
    Boolean,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A moment.
    DateTime,
    /// Any JSON.
    Json,
    /// A UUID.
    Uuid,
}

/// A column of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name in the table, and in bodies.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it has the database's own type for it (`storage: native`): a number for a decimal, an
    /// enum for a text, an array for a list; a moment as another program writes it.
    pub native: bool,
}

impl ColumnInfo {
    /// A value in the form that the column stores.
    pub(crate) fn stored(&self, dialect: Dialect, value: Value) -> Value {
        match value {
            Value::DateTime(moment) if self.native => dialect.foreign_moment(moment),
            value => value,
        }
    }
}

/// A type of field that a column can hold. `Option` of one is one that may be null.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a column",
    label = "no column holds this type",
    note = "fields are String, a `text_enum!`, i32, i64, f64, Decimal<S>, bool, Date, Time, DateTime, Json, Uuid, or an Option of one of them"
)]
pub trait Column: Clone + Send + Sync + 'static {
    /// The kind of the column's values.
    const KIND: Kind;
    /// Whether it may be null.
    const NULLABLE: bool = false;

    /// The field from the column at `index` of a row.
    ///
    /// # Errors
    /// When the database holds another kind of value.
    fn read(row: &Row, index: usize) -> Result<Self>;

    /// As [`Column::read`], from a column with `storage: native`.
    ///
    /// # Errors
    /// As [`Column::read`].
    fn read_native(row: &Row, index: usize) -> Result<Self> {
        Self::read(row, index)
    }

    /// The value to store.
    fn value(&self) -> Value;

    /// As [`Column::value`], for a column with `storage: native`.
    fn native_value(&self) -> Value {
        self.value()
    }

    /// The field from a member of a body; the error says what it must be, to follow the
    /// attribute's name: "must be an integer".
    ///
    /// # Errors
    /// The requirement that the value breaks.
    fn from_json(json: &Json) -> Result<Self, &'static str>;
}

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
