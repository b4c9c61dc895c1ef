//! Values as sea-query carries them.

use sea_query::{Expr, Value as Bound};

use crate::{
    column::{ColumnInfo, Kind},
    model::Schema,
    value::Value,
};

/// A column of a table.
pub fn column(schema: &Schema, name: &'static str) -> Expr {
    Expr::col((schema.table, name))
}

/// A value for comparison with a column: a decimal at the column's scale.
pub fn bound(schema: &Schema, name: &str, value: Value) -> Bound {
    match schema.column(name) {
        Some(info) => plain_bound(at_scale(info, of_kind(info.kind, value))),
        None => plain_bound(value),
    }
}

/// A text as a value of the column, as in conditions of manifests. A text that cannot be converted
/// stays as it is, and matches no row.
pub(super) fn of_kind(kind: Kind, value: Value) -> Value {
    match value {
        Value::Text(text) => kind.read(&text).unwrap_or(Value::Text(text)),
        other => other,
    }
}

/// Decimals are stored as integers at their column's scale, so others must be brought to it.
fn at_scale(info: &ColumnInfo, value: Value) -> Value {
    let Kind::Decimal(scale) = info.kind else {
        return value;
    };
    let mut number = match value {
        Value::Decimal(number) | Value::Native(number) => number,
        Value::Int(whole) => whole.into(),
        other => return other,
    };
    number.rescale(scale);
    if info.native {
        Value::Native(number)
    } else {
        Value::Decimal(number)
    }
}

/// A value as it is; drivers bring it into the database's form.
pub(super) fn plain_bound(value: Value) -> Bound {
    match value {
        Value::Bool(value) => Bound::Bool(Some(value)),
        Value::Int(value) => Bound::BigInt(Some(value)),
        Value::Float(value) => Bound::Double(Some(value)),
        Value::Text(value) => Bound::String(Some(value)),
        // No value equals null: a value that cannot be stored matches no row.
        Value::Null => Bound::BigInt(None),
        Value::Decimal(number) if i64::try_from(number.mantissa()).is_err() => Bound::BigInt(None),
        Value::Decimal(number) => Bound::Decimal(Some(number)),
        // A native decimal is compared as a number: the expression has no column's affinity.
        Value::Native(number) => Bound::Double(number.to_string().parse().ok()),
        Value::Date(value) => Bound::ChronoDate(Some(value)),
        Value::Time(value) => Bound::ChronoTime(Some(value)),
        Value::DateTime(value) => Bound::ChronoDateTimeUtc(Some(value)),
        Value::Json(value) => Bound::Json(Some(Box::new(value))),
        Value::Uuid(value) => Bound::Uuid(Some(value)),
    }
}

/// The value that sea-query carried.
pub(super) fn unbound(value: Bound) -> Value {
    match value {
        Bound::Bool(value) => value.into(),
        Bound::TinyInt(value) => value.map(i64::from).into(),
        Bound::SmallInt(value) => value.map(i64::from).into(),
        Bound::Int(value) => value.into(),
        Bound::BigInt(value) => value.into(),
        Bound::TinyUnsigned(value) => value.map(i64::from).into(),
        Bound::SmallUnsigned(value) => value.map(i64::from).into(),
        Bound::Unsigned(value) => value.into(),
        // Limits and offsets; larger ones than any table has rows.
        Bound::BigUnsigned(value) => value
            .map(|value| i64::try_from(value).unwrap_or(i64::MAX))
            .into(),
        Bound::Float(value) => value.map(f64::from).into(),
        Bound::Double(value) => value.into(),
        Bound::String(value) => value.into(),
        Bound::Char(value) => value.map(String::from).into(),
        Bound::Decimal(value) => value.map_or(Value::Null, Value::Decimal),
        Bound::ChronoDate(value) => value.into(),
        Bound::ChronoTime(value) => value.into(),
        Bound::ChronoDateTimeUtc(value) => value.into(),
        Bound::Json(value) => value.map(|value| *value).into(),
        Bound::Uuid(value) => value.into(),
        _ => Value::Null,
    }
}
