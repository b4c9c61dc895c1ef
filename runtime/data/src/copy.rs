//! Copies the rows of a service's database into another one, of any kind.

mod column;
mod table;

use std::collections::HashMap;

use crate::{
    database::{Db, quoted},
    error::{Error, Result},
    model::Schema,
};
use formwork_vocabulary::table::is_runtime;
use table::TableCopy;

/// The table of applied migrations, which belongs to its database.
const MIGRATIONS: &str = "formwork_migrations";

/// A table whose rows were copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedTable {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
}

/// Copies all rows of `from` into the tables of `to`, in one transaction: all rows, or none. The
/// rows that `to` had are deleted. Returns its tables, sorted by name.
///
/// Values are converted to the types of `models`, and those that no model describes to the types of the
/// columns of `to`.
///
/// # Errors
/// 500 with a sentence where a table or a column of `from` is not in `to`, or, without `replace`,
/// where a table of `to` has rows: those of the runtime's own tables do not count. Otherwise the
/// error of a database.
pub async fn copy(
    from: &Db,
    to: &Db,
    models: &[&Schema],
    replace: bool,
) -> Result<Vec<CopiedTable>> {
    let tables = tables(to).await?;
    require_known(from, &tables).await?;
    if !replace {
        require_empty(to, &tables).await?;
    }
    let ordered = parents_first(to, tables).await?;
    let transaction = to.begin().await?;
    transaction.defer_foreign_keys().await?;
    let to = transaction.db();
    for table in ordered.iter().rev() {
        to.execute(format!("DELETE FROM {}", quoted(table)), [])
            .await?;
    }
    let mut copied = Vec::with_capacity(ordered.len());
    for name in ordered {
        let rows = match from.has_table(&name).await? {
            true => TableCopy::new(from, to, &name, models).await?.run().await?,
            false => 0,
        };
        copied.push(CopiedTable { name, rows });
    }
    transaction.commit().await?;
    copied.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(copied)
}

async fn tables(db: &Db) -> Result<Vec<String>> {
    let mut tables = db.tables().await?;
    tables.retain(|table| table != MIGRATIONS);
    Ok(tables)
}

/// Rows of a table that `to` does not have would be lost.
async fn require_known(from: &Db, known: &[String]) -> Result<()> {
    let mut unknown = tables(from).await?;
    unknown.retain(|table| !known.contains(table));
    let unknown = with_rows(from, unknown).await?;
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Error::internal(format!(
        "this database has no table {}: apply its migrations, or delete the rows there",
        unknown.join(", ")
    )))
}

async fn require_empty(to: &Db, tables: &[String]) -> Result<()> {
    let own = tables.iter().filter(|table| !is_runtime(table));
    let filled = with_rows(to, own.cloned().collect()).await?;
    if filled.is_empty() {
        return Ok(());
    }
    Err(Error::internal(format!(
        "this database has rows in {}: `--replace` deletes them",
        filled.join(", ")
    )))
}

/// The tables that have rows.
async fn with_rows(db: &Db, tables: Vec<String>) -> Result<Vec<String>> {
    let mut filled = Vec::new();
    for table in tables {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", quoted(&table));
        if !db.rows(sql, []).await?.is_empty() {
            filled.push(table);
        }
    }
    Ok(filled)
}

/// The tables, each behind those that its foreign keys lead to. In a cycle the first by name comes
/// first: its keys are checked at the end of the transaction.
async fn parents_first(db: &Db, mut tables: Vec<String>) -> Result<Vec<String>> {
    tables.sort();
    let mut parents = HashMap::new();
    for table in &tables {
        let keys = db.foreign_keys(table).await?.into_iter();
        let others = keys.map(|key| key.table).filter(|parent| parent != table);
        parents.insert(table.clone(), others.collect::<Vec<_>>());
    }
    let mut ordered = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waits = |table: &String| parents[table].iter().any(|parent| tables.contains(parent));
        let next = tables.iter().position(|table| !waits(table));
        ordered.push(tables.remove(next.unwrap_or_default()));
    }
    Ok(ordered)
}
