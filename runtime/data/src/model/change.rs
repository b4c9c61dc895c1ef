//! Changing records.

use chrono::Datelike;
use formwork_vocabulary::inflect::words;

use super::missing::missing;
use crate::{
    column::{KeyOf, Read, Stamp},
    context::DataContext,
    database::{Db, Fault, Sql, quoted, quoted_list},
    error::{Error, Result, ValidationErrors},
    model::{self, Model, Schema, described},
    relations::Link,
    value::Value,
};

/// Inserts a record; sets its key and its timestamps.
///
/// # Errors
/// 422 naming the column where a constraint is violated; what the database answers otherwise.
pub async fn insert<M: Model>(ctx: &impl DataContext, record: &mut M) -> Result<()> {
    let mut values = new_values(ctx, record)?;
    let schema = Schema::of::<M>();
    let inserted = if values[schema.key_index()].is_null() {
        values.remove(schema.key_index());
        let sql = &schema.sql.insert_counted;
        let counted = ctx.db().insert(sql.into(), values, schema.key).await;
        counted.map(Some)
    } else {
        let sql = &schema.sql.insert;
        ctx.db().perform(sql.into(), values).await.map(|_| None)
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
/// columns but these, the key and `created_at`. Then `record` is the stored row. One statement.
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
    let mut values = new_values(ctx, record)?;
    let schema = Schema::of::<M>();
    let counts = values[schema.key_index()].is_null();
    let mut columns: Vec<&str> = schema.columns.iter().map(|info| info.name).collect();
    if counts {
        values.remove(schema.key_index());
        columns.remove(schema.key_index());
    }
    let sql = upsert_sql(schema, &columns, unique);
    match ctx.db().write(Sql::from(sql), values).await {
        Ok(rows) => match rows.first() {
            Some(row) => record.columns(&mut Read::new(row)),
            None => Err(Error::internal("the database returned no row")),
        },
        Err(fault) => Err(refused(ctx.db(), schema, record, fault).await),
    }
}

fn upsert_sql(schema: &Schema, columns: &[&str], unique: &[&str]) -> String {
    let stays = |name: &str| unique.contains(&name) || name == schema.key || name == "created_at";
    let mut written: Vec<&str> = columns.to_vec();
    written.retain(|name| !stays(name));
    if written.is_empty() {
        // Without a change no row would be returned.
        written.extend(unique.first());
    }
    let sets = written.iter().map(|name| {
        let name = quoted(name);
        format!("{name} = excluded.{name}")
    });
    format!(
        "INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO UPDATE SET {} RETURNING {}",
        quoted(schema.table),
        quoted_list(columns.iter().copied()),
        vec!["?"; columns.len()].join(", "),
        quoted_list(unique.iter().copied()),
        sets.collect::<Vec<_>>().join(", "),
        quoted_list(schema.columns.iter().map(|info| info.name)),
    )
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
    check_years(schema, &values)?;
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
    if old == model::values(record)? {
        return Ok(false);
    }
    record.columns(&mut Stamp {
        now: ctx.now(),
        created: false,
    })?;
    let new = model::values(record)?;
    let changed = |at: &usize| old[*at] != new[*at];
    let columns: Vec<usize> = (0..new.len()).filter(changed).collect();
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

/// Writes all columns but the key; sets `updated_at`.
///
/// # Errors
/// As [`insert`].
pub async fn update_all<M: Model>(ctx: &impl DataContext, record: &mut M) -> Result<()> {
    let schema = Schema::of::<M>();
    record.columns(&mut Stamp {
        now: ctx.now(),
        created: false,
    })?;
    let values = model::values(record)?;
    let key = schema.key_index();
    let columns: Vec<usize> = (0..values.len()).filter(|at| *at != key).collect();
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
    check_years(schema, &values)?;
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
    bound.push(key);
    match ctx.db().perform(Sql::from(sql), bound).await {
        Ok(_) => Ok(()),
        Err(fault) => Err(refused(ctx.db(), schema, record, fault).await),
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

/// A year has four digits, also in values of hooks: other dates could not be read back or sorted.
fn check_years(schema: &Schema, values: &[Value]) -> Result<()> {
    let mut errors = ValidationErrors::default();
    for (info, value) in schema.columns.iter().zip(values) {
        let year = match value {
            Value::Date(day) => day.year(),
            Value::DateTime(moment) => moment.year(),
            _ => continue,
        };
        if !(0..=9999).contains(&year) {
            let label = words(info.name);
            let message = format!("The {label} field must be in the years 0 to 9999.");
            errors.add(info.name, message);
        }
    }
    errors.into_result()
}

/// The client's error for a refused row: a foreign key names the column whose record is missing
/// (docs/contract.md, Errors).
async fn refused<M: Model>(db: &Db, schema: &Schema, record: &mut M, fault: Fault) -> Error {
    if !matches!(fault, Fault::ForeignKey) {
        return fault.into();
    }
    let values = match model::values(record) {
        Ok(values) => values,
        Err(error) => return error,
    };
    match missing(db, schema, &values, &|_| true).await {
        Ok(errors) if errors.is_empty() => Fault::ForeignKey.into(),
        Ok(errors) => Error::Validation(errors),
        Err(error) => error,
    }
}
