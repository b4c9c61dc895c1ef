//! Rules that need the database: `unique` and `exists`.

use std::collections::HashSet;

use formwork_data::{
    column::Kind,
    error::{Result, ValidationErrors},
    model::{self, Model, Schema},
    value::{Json, Value},
};
use formwork_vocabulary::inflect::words;

use crate::{
    context::Context,
    input::{Attribute, Input, Reading, Rule, alone, integer, scalar, targets},
};

/// The values of a record.
#[derive(Default)]
pub(crate) struct TypedRow {
    /// None: a body that belongs to no record.
    schema: Option<&'static Schema>,
    values: Vec<Value>,
}

impl TypedRow {
    /// The values of this record.
    ///
    /// # Errors
    ///
    /// 500 where the model's visitor fails.
    pub fn of<M: Model>(record: &M) -> Result<Self> {
        Ok(Self {
            schema: Some(Schema::of::<M>()),
            values: model::values(&mut record.clone())?,
        })
    }

    /// The values as members of a body.
    pub fn members(&self) -> Input {
        let columns = self.schema.map_or(&[][..], |schema| &schema.columns);
        let members = columns.iter().zip(&self.values).map(|(info, value)| {
            // Serialising a value cannot fail.
            let value = serde_json::to_value(value).unwrap_or_default();
            (info.name.to_owned(), value)
        });
        Input::new(members.collect())
    }

    pub(super) fn value(&self, column: &str) -> Option<&Value> {
        let mut columns = self.schema?.columns.iter();
        self.values
            .get(columns.position(|info| info.name == column)?)
    }
}

/// Checks every attribute that broke no other rule against the database.
///
/// `row` is the record with the body written into it: its values have the types of their columns.
///
/// # Errors
///
/// The database's error; broken rules go to `errors`.
pub(crate) async fn check_database(
    ctx: &Context,
    reading: &Reading<'_>,
    input: &Input,
    row: &TypedRow,
    errors: &mut ValidationErrors,
) -> Result<()> {
    for attribute in reading.writable() {
        for rule in attribute.rules(reading.storing) {
            match rule {
                Rule::Unique => unique(ctx, reading, attribute, input, row, errors).await?,
                Rule::Exists(table, column) => {
                    let place = (*table, *column);
                    exists(ctx, attribute, *rule, place, input, row, errors).await?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// No other row holds it. The record itself does not count.
async fn unique(
    ctx: &Context,
    reading: &Reading<'_>,
    attribute: &Attribute,
    input: &Input,
    row: &TypedRow,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let name = attribute.name();
    if !input.filled(name) || errors.has(name) {
        return Ok(());
    }
    let value = row.value(name).filter(|value| !value.is_null());
    let (Some(schema), Some(value)) = (row.schema, value) else {
        return Ok(());
    };
    let own = row.value(schema.key).filter(|_| !reading.storing);
    let except = own.map(|key| (schema.key, key.clone()));
    if ctx
        .db()
        .holds((schema.table, name), value.clone(), except)
        .await?
    {
        errors.add(name, alone(&words(name), Rule::Unique));
    }
    Ok(())
}

/// A row holds each of them; a list is looked up with one statement.
async fn exists(
    ctx: &Context,
    attribute: &Attribute,
    rule: Rule,
    place: (&str, &str),
    input: &Input,
    row: &TypedRow,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let typed = row.value(attribute.name());
    let kind = kind_of(ctx, place);
    let asked: Vec<(String, Option<Value>)> = targets(input, attribute.name())
        .into_iter()
        .filter(|(path, _)| !errors.has(path))
        .flat_map(|(path, value)| {
            let values = sought(value, typed, attribute);
            let values = values.into_iter().map(move |value| as_stored(kind, value));
            values.map(move |value| (path.clone(), value))
        })
        .collect();
    let values: Vec<Value> = asked
        .iter()
        .filter_map(|(_, value)| value.clone())
        .collect();
    let found = ctx.db().held(place, &values).await?;
    // As text: databases store some types as others.
    let found: HashSet<String> = found.iter().map(Value::to_string).collect();
    for (path, value) in &asked {
        let is_held = |value: &Value| found.contains(&value.to_string());
        if !value.as_ref().is_some_and(is_held) {
            errors.add(path, alone(&words(path), rule));
        }
    }
    Ok(())
}

/// The kind of a column of a registered table.
fn kind_of(ctx: &Context, (table, column): (&str, &str)) -> Option<Kind> {
    let mut schemas = ctx.registry().entries().map(|(_, it)| it.source.schema());
    let schema = schemas.find(|schema| schema.table == table)?;
    Some(schema.column(column)?.kind)
}

/// The value as a column of this kind holds it: not every database compares texts with numbers.
/// `None`: no column of the kind holds such a value.
fn as_stored(kind: Option<Kind>, value: Value) -> Option<Value> {
    match (kind, &value) {
        (Some(kind), Value::Text(_) | Value::Int(_)) => kind.read(&value.to_string()).ok(),
        _ => Some(value),
    }
}

/// The values of a member to look up: its own, or each of a list's.
fn sought(value: Option<&Json>, typed: Option<&Value>, attribute: &Attribute) -> Vec<Value> {
    let empty = |value: &&Json| value.is_null() || value.as_str() == Some("");
    match value.filter(|value| !empty(value)) {
        None => Vec::new(),
        Some(Json::Array(items)) => items.iter().map(|item| plain(item, attribute)).collect(),
        Some(value) => vec![typed.cloned().unwrap_or_else(|| plain(value, attribute))],
    }
}

/// The value of a member that is not a column: a number where its rules say so.
fn plain(value: &Json, attribute: &Attribute) -> Value {
    let number = attribute.rules(true).any(|rule| rule.is_number()) || value.is_number();
    match integer(value).filter(|_| number) {
        Some(integer) => Value::Int(integer),
        None => Value::Text(scalar(value).unwrap_or_default()),
    }
}
