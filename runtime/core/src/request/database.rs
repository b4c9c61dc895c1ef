//! Rules that ask the database: `unique` and `exists`.

use std::collections::HashSet;

use formwork_data::{
    database::quoted,
    error::{Result, ValidationErrors},
    model::{Model, value_of},
    value::{Json, Value},
};
use formwork_vocabulary::inflect::words;

use crate::{
    context::Context,
    input::{Attribute, Input, Reading, Rule, alone, integer, scalar, targets},
};

/// Asks the database about every attribute that broke no other rule.
///
/// `record` is the record with the body written into it: it knows the types of its columns.
///
/// # Errors
///
/// What the database answers; broken rules go to `errors`.
pub(crate) async fn check_database<M: Model>(
    ctx: &Context,
    reading: &Reading<'_>,
    input: &Input,
    record: &M,
    errors: &mut ValidationErrors,
) -> Result<()> {
    for attribute in reading.writable() {
        for rule in attribute.rules(reading.storing) {
            match rule {
                Rule::Unique => unique(ctx, reading, attribute, input, record, errors).await?,
                Rule::Exists(table, column) => {
                    let place = Place { table, column };
                    exists(ctx, attribute, *rule, place, input, record, errors).await?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// No other row holds it. The record itself does not count.
async fn unique<M: Model>(
    ctx: &Context,
    reading: &Reading<'_>,
    attribute: &Attribute,
    input: &Input,
    record: &M,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let name = attribute.name();
    if !input.filled(name) || errors.has(name) {
        return Ok(());
    }
    let Some(value) = value_of(record, name).filter(|value| !value.is_null()) else {
        return Ok(());
    };
    let (table, key) = (quoted(M::TABLE), quoted(M::KEY));
    let mut sql = format!("SELECT 1 FROM {table} WHERE {} = ?", quoted(name));
    let mut values = vec![value];
    if !reading.storing {
        sql.push_str(&format!(" AND {key} <> ?"));
        values.push(record.key().into());
    }
    sql.push_str(" LIMIT 1");
    if !ctx.db().rows(sql, values).await?.is_empty() {
        errors.add(name, alone(&words(name), Rule::Unique));
    }
    Ok(())
}

/// Where a value has to be found.
struct Place {
    table: &'static str,
    column: &'static str,
}

/// A row holds each of them; a list is asked about with one statement.
async fn exists<M: Model>(
    ctx: &Context,
    attribute: &Attribute,
    rule: Rule,
    place: Place,
    input: &Input,
    record: &M,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let typed = value_of(record, attribute.name());
    let asked: Vec<(String, Value)> = targets(input, attribute.name())
        .into_iter()
        .filter(|(path, _)| !errors.has(path))
        .flat_map(|(path, value)| {
            let values = sought(value, typed.as_ref(), attribute);
            values.into_iter().map(move |value| (path.clone(), value))
        })
        .collect();
    // Well below every database's limit of bound values.
    for asked in asked.chunks(500) {
        let found = found(ctx, &place, asked).await?;
        for (path, value) in asked {
            if !found.contains(&value.to_string()) {
                errors.add(path, alone(&words(path), rule));
            }
        }
    }
    Ok(())
}

/// The values a member asks about: its own, or each of a list's.
fn sought(value: Option<&Json>, typed: Option<&Value>, attribute: &Attribute) -> Vec<Value> {
    let empty = |value: &&Json| value.is_null() || value.as_str() == Some("");
    match value.filter(|value| !empty(value)) {
        None => Vec::new(),
        Some(Json::Array(items)) => items.iter().map(|item| plain(item, attribute)).collect(),
        Some(value) => vec![typed.cloned().unwrap_or_else(|| plain(value, attribute))],
    }
}

/// Which of these values are there, as text: databases store some types as others.
async fn found(ctx: &Context, place: &Place, asked: &[(String, Value)]) -> Result<HashSet<String>> {
    let (table, column) = (quoted(place.table), quoted(place.column));
    let marks = vec!["?"; asked.len()].join(", ");
    let sql = format!("SELECT DISTINCT {column} FROM {table} WHERE {column} IN ({marks})");
    let rows = ctx
        .db()
        .rows(sql, asked.iter().map(|(_, value)| value.clone()))
        .await?;
    Ok(rows
        .into_iter()
        .flatten()
        .map(|value| value.to_string())
        .collect())
}

/// The value of something that is no column: a number where its rules say so.
fn plain(value: &Json, attribute: &Attribute) -> Value {
    let number = attribute.rules(true).any(|rule| rule.is_number()) || value.is_number();
    match integer(value).filter(|_| number) {
        Some(integer) => Value::Int(integer),
        None => Value::Text(scalar(value).unwrap_or_default()),
    }
}
