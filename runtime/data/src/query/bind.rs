//! Values as sea-query carries them.

use sea_query::{Enum, Expr, OptionEnum, Value as Bound};

use crate::{
    column::{ColumnInfo, Kind},
    database::Dialect,
    model::Schema,
    value::Value,
};

/// A column of a table, to compare it and to order by it.
pub fn column(schema: &Schema, name: &'static str) -> Expr {
    comparable(schema, name, Expr::col((schema.table, name)))
}

/// A value for comparison with a column: a decimal at the column's scale.
pub fn bound(schema: &Schema, name: &str, value: Value) -> Expr {
    comparable(schema, name, Expr::val(fitted(schema, name, value)))
}

/// A column or a value of it, in the one form of its moments.
fn comparable(schema: &Schema, name: &str, expr: Expr) -> Expr {
    match schema.column(name) {
        Some(info) if info.native && info.kind == Kind::DateTime => Dialect::moment(expr),
        _ => expr,
    }
}

/// A value of a column: a decimal at the column's scale.
pub(super) fn fitted(schema: &Schema, name: &str, value: Value) -> Bound {
    match schema.column(name) {
        Some(info) => plain_bound(as_stored(info, of_kind(info.kind, value))),
        None => plain_bound(value),
    }
}

/// A value that an UPDATE writes into a column.
pub(super) fn stored(dialect: Dialect, schema: &Schema, name: &str, value: Value) -> Bound {
    match schema.column(name) {
        Some(info) => {
            let value = as_stored(info, of_kind(info.kind, value));
            plain_bound(info.stored(dialect, value))
        }
        None => plain_bound(value),
    }
}

/// A text as a value of the column, as in conditions of manifests, and 0 or 1 as a boolean. One that
/// cannot be converted becomes null, which equals nothing: not every database compares values of
/// different types.
pub(super) fn of_kind(kind: Kind, value: Value) -> Value {
    match value {
        Value::Text(text) if kind == Kind::Json => Value::Text(text),
        Value::Text(text) => kind.read(&text).unwrap_or_default(),
        Value::Int(0) if kind == Kind::Boolean => Value::Bool(false),
        Value::Int(1) if kind == Kind::Boolean => Value::Bool(true),
        Value::Int(_) if kind == Kind::Boolean => Value::Null,
        other => other,
    }
}

/// A value in the form that its column stores.
fn as_stored(info: &ColumnInfo, value: Value) -> Value {
    match (info.kind, value) {
        (Kind::Decimal(scale), Value::Decimal(number) | Value::Native(number)) => {
            at_scale(info, scale, number)
        }
        (Kind::Decimal(scale), Value::Int(whole)) => at_scale(info, scale, whole.into()),
        (Kind::Text, Value::Text(text)) if info.native => Value::Label(text),
        (_, other) => other,
    }
}

/// Decimals are stored as integers at their column's scale, so others must be brought to it.
fn at_scale(info: &ColumnInfo, scale: u32, mut number: rust_decimal::Decimal) -> Value {
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
        // sea-query writes the mark alone; the name of the type is not used.
        Value::Label(value) => Bound::Enum(OptionEnum::Some(Box::new(Enum {
            type_name: "".into(),
            value: value.into(),
        }))),
        Value::Array(items) => Bound::Json(Some(Box::new(items.into()))),
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
        Bound::Enum(OptionEnum::Some(label)) => Value::Label(label.value.into_owned()),
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
