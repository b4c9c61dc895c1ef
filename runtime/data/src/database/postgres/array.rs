//! Arrays on their way into PostgreSQL and out of it. A field has them as a list of JSON.

use sqlx::{
    Decode, Postgres, TypeInfo, ValueRef,
    error::BoxDynError,
    postgres::{PgArguments, PgTypeKind, PgValueRef},
};

use crate::value::{Date, DateTime, Json, Time, Uuid, date_text, datetime_text, time_text};

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
pub(super) fn add(arguments: &mut PgArguments, items: &[Json]) -> Result<(), BoxDynError> {
    use sqlx::Arguments as _;
    match array_name(items) {
        None => Ok(()),
        Some("bool[]") => arguments.add(each(items, Json::as_bool)),
        Some("int8[]") => arguments.add(each(items, Json::as_i64)),
        Some("float8[]") => arguments.add(each(items, Json::as_f64)),
        Some(_) => arguments.add(each(items, |item| match item {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        })),
    }
}

fn each<T>(items: &[Json], read: impl Fn(&Json) -> Option<T>) -> Vec<Option<T>> {
    items.iter().map(read).collect()
}

/// The items of an array; `None` for another type.
pub(in crate::database) fn items(raw: PgValueRef<'_>) -> Result<Option<Vec<Json>>, BoxDynError> {
    let kind = raw.type_info().into_owned();
    let PgTypeKind::Array(of) = kind.kind() else {
        return Ok(None);
    };
    let items = match of.name() {
        "BOOL" => read(raw, |item: bool| item.into()),
        "INT2" => read(raw, |item: i16| item.into()),
        "INT4" => read(raw, |item: i32| item.into()),
        "INT8" => read(raw, |item: i64| item.into()),
        "FLOAT4" => read(raw, |item: f32| item.into()),
        "FLOAT8" => read(raw, |item: f64| item.into()),
        "NUMERIC" => read(raw, |item: rust_decimal::Decimal| item.to_string().into()),
        "DATE" => read(raw, |item: Date| date_text(item).into()),
        "TIME" => read(raw, |item: Time| time_text(item).into()),
        "TIMESTAMPTZ" => read(raw, |item: DateTime| datetime_text(item).into()),
        "UUID" => read(raw, |item: Uuid| item.to_string().into()),
        _ => read(raw, |item: String| item.into()),
    };
    items.map(Some)
}

fn read<'r, T>(raw: PgValueRef<'r>, json: impl Fn(T) -> Json) -> Result<Vec<Json>, BoxDynError>
where
    Vec<Option<T>>: Decode<'r, Postgres>,
{
    let items = Vec::<Option<T>>::decode(raw)?.into_iter();
    Ok(items.map(|item| item.map_or(Json::Null, &json)).collect())
}
