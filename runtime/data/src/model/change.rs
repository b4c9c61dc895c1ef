//! Changing records.

use chrono::Datelike;
use formwork_vocabulary::inflect::words;

use super::missing::missing;
use crate::{
    column::{KeyOf, Read, Stamp},
    context::DataContext,
    database::{Db, Dialect, Fault, Sql, Upsert, quoted, quoted_list},
    error::{Error, Result, ValidationErrors},
    model::{self, Model, Schema, described, schema::inserting},
    relations::Link,
    value::{Json, Value},
};

/// Inserts a record; sets its key and its timestamps.
///
/// # Errors
/// 422 naming the column where a constraint is violated; what the database answers otherwise.
pub async fn insert<M: Model>(ctx: &impl DataContext, record: &mut M) -> Result<()> {
    let values = new_values(ctx, record)?;
    let schema = Schema::of::<M>();
    let above = match values[schema.key_index()] {
        Value::Int(_) => ctx.db().dialect().counting_above(schema.key),
        _ => None,
    };
    let is_counted = values[schema.key_index()].is_null();
    let (sql, values) = insertion(schema, ctx.db().dialect(), values);
    let inserted = if is_counted {
        ctx.db().insert(sql, values, schema.key).await.map(Some)
    } else {
        let sql = match above {
            Some(end) => format!("{} {end}", sql.0.as_str()).into(),
            None => sql,
        };
        ctx.db().perform(sql, values).await.map(|_| None)
    };
    match inserted {
        Ok(None) => Ok(()),
        Ok(counted) => record.columns(&mut KeyOf {
            counted,
            ..KeyOf::default()
        }),
        Err(fault) => Err(refused(ctx.db(), schema, record, fault).await),
    }
}

/// Inserts a record; where a row has the same values in the columns `unique`, updates that row: all
/// columns but these, the key and `created_at`. Then `record` is the stored row. One statement, where
/// the database knows `ON CONFLICT`.
///
/// # Errors
/// As [`insert`]; 500 where the table has no unique index over exactly these columns.
pub async fn upsert<M: Model>(
    ctx: &impl DataContext,
    record: &mut M,
    unique: &[&'static str],
) -> Result<()> {
    // The row may be updated.
    record.columns(&mut Stamp {
        now: ctx.now(),
        created: false,
    })?;
    let values = new_values(ctx, record)?;
    let schema = Schema::of::<M>();
    let (columns, values) = written(schema, values);
    let upsert = Upsert {
        table: schema.table,
        key: schema.key,
        columns: &columns,
        unique,
        returned: quoted_list(schema.columns.iter().map(|info| info.name)),
    };
    match ctx.db().upsert(&upsert, values).await {
        Ok(row) => record.columns(&mut Read::new(&row)),
        Err(fault) => Err(refused(ctx.db(), schema, record, fault).await),
    }
}

/// An INSERT of these values, and those that it writes.
fn insertion(schema: &Schema, dialect: Dialect, mut values: Vec<Value>) -> (Sql, Vec<Value>) {
    if !schema.defaulted.is_empty() || !schema.computed.is_empty() {
        let (columns, values) = written(schema, values);
        if columns.is_empty() {
            return (default_row(schema, dialect), values);
        }
        return (inserting(&quoted(schema.table), &columns).into(), values);
    }
    if !values[schema.key_index()].is_null() {
        return ((&schema.sql.insert).into(), values);
    }
    values.remove(schema.key_index());
    if values.is_empty() {
        return (default_row(schema, dialect), values);
    }
    ((&schema.sql.insert_counted).into(), values)
}

/// An INSERT of a row whose values the database sets, all of them.
fn default_row(schema: &Schema, dialect: Dialect) -> Sql {
    let row = dialect.default_row();
    format!("INSERT INTO {} {row}", quoted(schema.table)).into()
}

/// The columns that an INSERT writes, and their values: a null key is left to the database, and so
/// are columns that it sets.
fn written(schema: &Schema, values: Vec<Value>) -> (Vec<&'static str>, Vec<Value>) {
    let names = schema.columns.iter().map(|info| info.name);
    let is_written = |(name, value): &(&'static str, Value)| {
        let is_counted = *name == schema.key && value.is_null();
        !is_counted && !schema.leaves_out(name, value)
    };
    names.zip(values).filter(is_written).unzip()
}

/// The values of a record that is about to be inserted; its timestamps are set, and its key where
/// the service makes it. A null key is left to the database.
fn new_values<M: Model>(ctx: &impl DataContext, record: &mut M) -> Result<Vec<Value>> {
    record.columns(&mut Stamp {
        now: ctx.now(),
        created: true,
    })?;
    let mut key = KeyOf {
        generate: true,
        ..KeyOf::default()
    };
    record.columns(&mut key)?;
    let schema = Schema::of::<M>();
    let mut values = model::values(record)?;
    values[schema.key_index()] = key.value;
    check_values(schema, &values)?;
    schema.store(ctx.db().dialect(), &mut values);
    Ok(values)
}

/// Writes the columns in which `record` differs from `before`; returns whether there were any.
/// Without any, no statement runs, and `updated_at` stays.
///
/// # Errors
/// As [`insert`].
pub async fn update<M: Model>(ctx: &impl DataContext, before: &M, record: &mut M) -> Result<bool> {
    let schema = Schema::of::<M>();
    let old = model::values(&mut before.clone())?;
    let columns = changed(schema, &old, &model::values(record)?);
    if columns.is_empty() {
        return Ok(false);
    }
    record.columns(&mut Stamp {
        now: ctx.now(),
        created: false,
    })?;
    let new = model::values(record)?;
    let columns = changed(schema, &old, &new);
    write(
        ctx,
        schema,
        record,
        new,
        &columns,
        old[schema.key_index()].clone(),
    )
    .await?;
    Ok(true)
}

/// The places of the columns that an UPDATE writes.
fn changed(schema: &Schema, old: &[Value], new: &[Value]) -> Vec<usize> {
    let is_changed = |at: &usize| old[*at] != new[*at] && !is_computed(schema, *at);
    (0..new.len()).filter(is_changed).collect()
}

fn is_computed(schema: &Schema, at: usize) -> bool {
    schema.computed.contains(&schema.columns[at].name)
}

/// Writes all columns but the key; sets `updated_at`.
///
/// # Errors
/// As [`insert`]; 404 where the row was deleted.
pub async fn update_all<M: Model>(ctx: &impl DataContext, record: &mut M) -> Result<()> {
    let schema = Schema::of::<M>();
    record.columns(&mut Stamp {
        now: ctx.now(),
        created: false,
    })?;
    let values = model::values(record)?;
    let key = schema.key_index();
    let is_written = |at: &usize| *at != key && !is_computed(schema, *at);
    let columns: Vec<usize> = (0..values.len()).filter(is_written).collect();
    let id = values[key].clone();
    write(ctx, schema, record, values, &columns, id).await
}

async fn write<M: Model>(
    ctx: &impl DataContext,
    schema: &Schema,
    record: &mut M,
    mut values: Vec<Value>,
    columns: &[usize],
    key: Value,
) -> Result<()> {
    check_values(schema, &values)?;
    schema.store(ctx.db().dialect(), &mut values);
    let sets = columns
        .iter()
        .map(|at| format!("{} = ?", quoted(schema.columns[*at].name)));
    let sets = sets.collect::<Vec<_>>().join(", ");
    let (table, key_column) = (quoted(schema.table), quoted(schema.key));
    let sql = format!("UPDATE {table} SET {sets} WHERE {key_column} = ?");
    let mut bound: Vec<Value> = columns
        .iter()
        .map(|at| std::mem::take(&mut values[*at]))
        .collect();
    bound.push(key.clone());
    match ctx.db().perform(Sql::from(sql), bound).await {
        // Of a view that a trigger writes to, no row counts as changed.
        Ok(0) => check_exists(ctx.db(), schema, key).await,
        Ok(_) => Ok(()),
        Err(fault) => Err(refused(ctx.db(), schema, record, fault).await),
    }
}

/// # Errors
/// 404 where no row has this key.
async fn check_exists(db: &Db, schema: &Schema, key: Value) -> Result<()> {
    let keys = [key];
    let found = db.held((schema.table, schema.key), &keys).await?;
    match found.is_empty() {
        true => Err(Error::record_not_found(&keys[0])),
        false => Ok(()),
    }
}

/// Deletes a record, and detaches it from its many-to-many relations.
///
/// # Errors
/// 409 where other records depend on it; what the database answers otherwise.
pub async fn delete<M: Model>(ctx: &impl DataContext, record: &M) -> Result<()> {
    let id: Value = record.key().into();
    let transaction = ctx.db().begin().await?;
    let db = transaction.db();
    for relation in &described::<M>().relations {
        if let Link::Pivot(pivot, morph) = &relation.info.link {
            let (table, own) = (quoted(pivot.table), quoted(pivot.own));
            let mut sql = format!("DELETE FROM {table} WHERE {own} = ?");
            let mut values = vec![id.clone()];
            if let Some(morph) = morph {
                sql.push_str(&format!(" AND {} = ?", quoted(&morph.type_column())));
                values.push(morph.word.into());
            }
            db.perform(Sql::from(sql), values).await?;
        }
    }
    db.perform((&Schema::of::<M>().sql.delete).into(), vec![id])
        .await?;
    transaction.commit().await
}

/// Refuses values that one of the databases could not read back, also those that hooks set.
fn check_values(schema: &Schema, values: &[Value]) -> Result<()> {
    let mut errors = ValidationErrors::default();
    for (info, value) in schema.columns.iter().zip(values) {
        let must = match value {
            Value::Date(day) => has_four_digits(day.year()),
            Value::DateTime(moment) => has_four_digits(moment.year()),
            Value::Text(text) | Value::Label(text) => has_no_nul(text),
            Value::Json(_) if info.native => Err("must be a list"),
            Value::Json(json) => is_storable(json, JSON_LEVELS),
            Value::Array(items) => are_storable(items, JSON_LEVELS),
            _ => Ok(()),
        };
        if let Err(must) = must {
            let label = words(info.name);
            errors.add(info.name, format!("The {label} field {must}."));
        }
    }
    errors.into_result()
}

/// Other years could not be read back or sorted.
fn has_four_digits(year: i32) -> Result<(), &'static str> {
    match year {
        0..=9999 => Ok(()),
        _ => Err("must be in the years 0 to 9999"),
    }
}

/// PostgreSQL stores no text with U+0000.
fn has_no_nul(text: &str) -> Result<(), &'static str> {
    if text.contains('\0') {
        return Err("must not contain U+0000");
    }
    Ok(())
}

/// Lists and objects within each other that MariaDB takes for JSON.
const JSON_LEVELS: usize = 31;

fn is_storable(json: &Json, levels: usize) -> Result<(), &'static str> {
    match json {
        Json::String(text) => has_no_nul(text),
        Json::Array(items) => are_storable(items, levels),
        Json::Object(members) => {
            members.keys().try_for_each(|name| has_no_nul(name))?;
            are_storable(members.values(), levels)
        }
        _ => Ok(()),
    }
}

/// Checks the values inside a list or an object.
fn are_storable<'j>(
    inner: impl IntoIterator<Item = &'j Json>,
    levels: usize,
) -> Result<(), &'static str> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err("must not be nested deeper than 31 levels");
    };
    let mut inner = inner.into_iter();
    inner.try_for_each(|json| is_storable(json, levels))
}

/// The client's error for a refused row: a foreign key names the column whose record is missing.
async fn refused<M: Model>(db: &Db, schema: &Schema, record: &mut M, fault: Fault) -> Error {
    match fault {
        Fault::ForeignKey | Fault::NoParent(_) | Fault::UnfitValue(_) => {}
        Fault::Check(name) => return checked(schema, name).into(),
        fault => return fault.into(),
    }
    let values = match model::values(record) {
        Ok(values) => values,
        Err(error) => return error,
    };
    if let Fault::UnfitValue(why) = fault {
        return unfit(db, schema, &values, why).await;
    }
    match missing(db, schema, &values, &|_| true).await {
        Ok(errors) if errors.is_empty() => fault.into(),
        Ok(errors) => Error::Validation(errors),
        Err(error) => error,
    }
}

/// The error of a value that is too large for its column, which the database did not name.
async fn unfit(db: &Db, schema: &Schema, values: &[Value], why: &'static str) -> Error {
    let names = schema.columns.iter().map(|info| info.name);
    let columns: Vec<_> = names.zip(values).collect();
    match db.unfit_column(schema.table, &columns).await {
        Ok(Some(column)) => Error::from(Fault::Unfit {
            column: column.to_owned(),
            why,
        }),
        Ok(None) => Fault::UnfitValue(why).into(),
        Err(error) => error,
    }
}

/// The fault of a check constraint: about a column where it is named so, `menus_price_check`. PostgreSQL
/// names the check of a column that way, and SQL written by hand does on each database.
fn checked(schema: &Schema, name: String) -> Fault {
    let part = name.strip_prefix(schema.table);
    let part = part.and_then(|part| part.strip_prefix('_'));
    let part = part.and_then(|part| part.rsplit_once("_check"));
    match part.and_then(|(column, _)| schema.column(column)) {
        Some(info) => Fault::Unfit {
            column: info.name.to_owned(),
            why: "is invalid",
        },
        None => Fault::Check(name),
    }
}
