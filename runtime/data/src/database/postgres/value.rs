//! Values on their way into PostgreSQL and out of it.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use sqlx::{
    Arguments as _, Decode, Encode, Postgres, Type, TypeInfo, ValueRef,
    encode::IsNull,
    error::BoxDynError,
    postgres::{
        PgArgumentBuffer, PgArguments, PgTypeInfo, PgTypeKind, PgValueFormat, PgValueRef,
        types::Oid,
    },
    types,
};

use crate::{
    database::{fault::Fault, stored::Stored},
    error::Error,
    value::{
        Date, DateTime, Json, Time, Uuid, Value, date_text, datetime_text,
        text::{whole_seconds, without_leap_second},
        time_text,
    },
};

/// The values of a statement without nulls, which are in its text.
pub(super) fn arguments(values: Vec<Value>) -> Result<PgArguments, Fault> {
    let mut arguments = PgArguments::default();
    for value in values {
        add(&mut arguments, value).map_err(|error| Fault::Other(Error::internal(error)))?;
    }
    Ok(arguments)
}

fn add(arguments: &mut PgArguments, value: Value) -> Result<(), BoxDynError> {
    match value {
        Value::Null => Ok(()),
        Value::Bool(value) => arguments.add(value),
        Value::Int(value) => arguments.add(value),
        Value::Float(value) => arguments.add(value),
        Value::Text(value) => arguments.add(value),
        Value::Label(value) => arguments.add(Label(value)),
        Value::Decimal(value) | Value::Native(value) => arguments.add(value),
        Value::Date(value) => arguments.add(value),
        // `TIME(0)` would round half a second up, to 24:00:00 at worst.
        Value::Time(value) => arguments.add(whole_seconds(value)),
        Value::DateTime(value) => arguments.add(without_leap_second(value)),
        Value::Json(value) => arguments.add(types::Json(value)),
        Value::Uuid(value) => arguments.add(value),
        Value::Array(items) => add_array(arguments, &items),
    }
}

impl<'r> TryFrom<PgValueRef<'r>> for Stored<'r> {
    type Error = BoxDynError;

    fn try_from(raw: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let kind = raw.type_info().into_owned();
        Ok(match kind.name() {
            "BOOL" => Self::Bool(read(raw)?),
            "INT2" => Self::Int(read::<i16>(raw)?.into()),
            "INT4" => Self::Int(read::<i32>(raw)?.into()),
            "INT8" => Self::Int(read(raw)?),
            "FLOAT4" => Self::Float(read::<f32>(raw)?.into()),
            "FLOAT8" => Self::Float(read(raw)?),
            // NaN, and numbers of more digits.
            "NUMERIC" => read(raw).map_or(Self::Other, Self::Decimal),
            "DATE" if is_beyond(&raw)? => Self::Other,
            "DATE" => Self::Date(read(raw)?),
            "TIME" if is_beyond(&raw)? => Self::Other,
            "TIME" => Self::Time(read(raw)?),
            "TIMESTAMPTZ" | "TIMESTAMP" if is_beyond(&raw)? => Self::Other,
            "TIMESTAMPTZ" => Self::DateTime(read(raw)?),
            "TIMESTAMP" => Self::DateTime(read::<NaiveDateTime>(raw)?.and_utc()),
            "UUID" => Self::Uuid(read(raw)?),
            "TEXT" | "VARCHAR" | "CHAR" | "NAME" | "UNKNOWN" | "citext" => {
                Self::Text(raw.as_str()?)
            }
            "JSON" => Self::Text(raw.as_str()?),
            "JSONB" => Self::Text(jsonb(raw.as_bytes()?)?),
            _ if matches!(kind.kind(), PgTypeKind::Enum(_)) => Self::Text(raw.as_str()?),
            _ => Self::Other,
        })
    }
}

/// A text whose type the server infers: of an enum, the bytes are those of its label.
struct Label(String);

impl Type<Postgres> for Label {
    fn type_info() -> PgTypeInfo {
        // No type is given (PostgreSQL's documentation, "Message Formats", Parse).
        PgTypeInfo::with_oid(Oid(0))
    }
}

impl Encode<'_, Postgres> for Label {
    fn encode_by_ref(&self, to: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Postgres>::encode_by_ref(&self.0, to)
    }
}

/// Whether a day, a time or a moment is none of chrono's, as infinity, year 300000 and 24:00: the
/// driver would panic, or read another time.
fn is_beyond(raw: &PgValueRef<'_>) -> Result<bool, BoxDynError> {
    if raw.format() == PgValueFormat::Text {
        return Ok(raw.as_str()?.trim_start_matches('-') == "infinity");
    }
    let bytes = raw.as_bytes()?;
    let epoch = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
    Ok(match raw.type_info().name() {
        "DATE" => {
            let days = TimeDelta::days(i32::from_be_bytes(bytes.try_into()?).into());
            epoch.checked_add_signed(days).is_none()
        }
        "TIME" => i64::from_be_bytes(bytes.try_into()?) >= 86_400_000_000,
        _ => {
            let moment = TimeDelta::microseconds(i64::from_be_bytes(bytes.try_into()?));
            let epoch = NaiveDateTime::from(epoch);
            epoch.checked_add_signed(moment).is_none()
        }
    })
}

fn read<'r, T: Decode<'r, Postgres>>(raw: PgValueRef<'r>) -> Result<T, BoxDynError> {
    T::decode(raw)
}

/// The text behind the version of the format.
fn jsonb(bytes: &[u8]) -> Result<&str, BoxDynError> {
    match bytes {
        [1, text @ ..] => Ok(std::str::from_utf8(text)?),
        _ => Err("jsonb in an unknown format".into()),
    }
}

/// The type of an array with these items; `None` where all are null, which fits every type.
pub(super) fn array_name(items: &[Json]) -> Option<&'static str> {
    let mut known = items.iter().filter(|item| !item.is_null()).peekable();
    known.peek()?;
    let all = |is: fn(&Json) -> bool| known.clone().all(is);
    Some(if all(Json::is_boolean) {
        "bool[]"
    } else if all(Json::is_i64) {
        "int8[]"
    } else if all(Json::is_number) {
        "float8[]"
    } else {
        "text[]"
    })
}

/// An array of so many nulls, as SQL without a type.
pub(super) fn nulls(count: usize) -> String {
    format!("'{{{}}}'", vec!["NULL"; count].join(","))
}

/// Adds an array with the type of [`array_name`].
fn add_array(arguments: &mut PgArguments, items: &[Json]) -> Result<(), BoxDynError> {
    match array_name(items) {
        None => Ok(()),
        Some("bool[]") => arguments.add(options(items, Json::as_bool)),
        Some("int8[]") => arguments.add(options(items, Json::as_i64)),
        Some("float8[]") => arguments.add(options(items, Json::as_f64)),
        Some(_) => arguments.add(options(items, |item| match item {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        })),
    }
}

fn options<T>(items: &[Json], read: impl Fn(&Json) -> Option<T>) -> Vec<Option<T>> {
    items.iter().map(read).collect()
}

/// The items of an array; `None` for another type.
pub(in crate::database) fn items(raw: PgValueRef<'_>) -> Result<Option<Vec<Json>>, BoxDynError> {
    let kind = raw.type_info().into_owned();
    let PgTypeKind::Array(of) = kind.kind() else {
        return Ok(None);
    };
    let items = match of.name() {
        "BOOL" => read_items(raw, |item: bool| item.into()),
        "INT2" => read_items(raw, |item: i16| item.into()),
        "INT4" => read_items(raw, |item: i32| item.into()),
        "INT8" => read_items(raw, |item: i64| item.into()),
        "FLOAT4" => read_items(raw, |item: f32| item.into()),
        "FLOAT8" => read_items(raw, |item: f64| item.into()),
        "NUMERIC" => read_items(raw, |item: rust_decimal::Decimal| item.to_string().into()),
        "DATE" => read_items(raw, |item: Date| date_text(item).into()),
        "TIME" => read_items(raw, |item: Time| time_text(item).into()),
        "TIMESTAMPTZ" => read_items(raw, |item: DateTime| datetime_text(item).into()),
        "UUID" => read_items(raw, |item: Uuid| item.to_string().into()),
        _ => read_items(raw, |item: String| item.into()),
    };
    items.map(Some)
}

fn read_items<'r, T>(
    raw: PgValueRef<'r>,
    json: impl Fn(T) -> Json,
) -> Result<Vec<Json>, BoxDynError>
where
    Vec<Option<T>>: Decode<'r, Postgres>,
{
    let items = Vec::<Option<T>>::decode(raw)?.into_iter();
    Ok(items.map(|item| item.map_or(Json::Null, &json)).collect())
}
