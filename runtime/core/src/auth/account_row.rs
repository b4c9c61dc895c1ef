//! Rows of a project's own tables: their columns are read from the database.

use formwork_data::{
    database::{Db, TableColumn, quoted},
    error::{Error, Result},
    value::Value,
};

use super::CustomerTable;

/// A column that got a value without an argument, because it is NOT NULL and has no default.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    /// The name of the column that no argument gave a value.
    pub column: String,
    /// The value that was stored in it.
    pub value: Value,
    /// The table whose first row the value names, where the column is a foreign key.
    pub parent: Option<String>,
}

/// The values of a row, and the columns among them that were filled without a value of the caller.
pub(super) type Row = (Vec<(String, Value)>, Vec<Filled>);

/// A row of a table with the values of `fill`. Other columns that are NOT NULL get a value that their
/// model accepts, or an empty one if no model has them.
pub(super) async fn row(
    db: &Db,
    (table, customers): (&str, &CustomerTable),
    fill: impl Fn(&TableColumn) -> Option<Value>,
) -> Result<Row> {
    let (mut row, mut filled) = (Vec::new(), Vec::new());
    for column in db.columns(table).await? {
        if let Some(value) = fill(&column) {
            row.push((column.name, value));
            continue;
        }
        let value = match &column.parent {
            _ if column.nullable => continue,
            Some((parent, key)) => first(db, parent, key).await?.ok_or_else(|| {
                let message = format!(
                    "{table}.{} needs a row of {parent}, and {parent} has none",
                    column.name
                );
                Error::validation(&column.name, message)
            })?,
            None if column.default => continue,
            None => {
                let example = customers.example(table, &column.name);
                example.unwrap_or_else(|| blank(&column.kind))
            }
        };
        filled.push(Filled {
            column: column.name.clone(),
            value: value.clone(),
            parent: column.parent.map(|(parent, _)| parent),
        });
        row.push((column.name, value));
    }
    Ok((row, filled))
}

/// Inserts a row; returns its key.
pub(super) async fn insert(
    db: &Db,
    table: &str,
    key: &str,
    row: Vec<(String, Value)>,
) -> Result<i64> {
    let names = row
        .iter()
        .map(|(name, _)| quoted(name))
        .collect::<Vec<_>>()
        .join(", ");
    let marks = vec!["?"; row.len()].join(", ");
    let columns = if row.is_empty() {
        db.dialect().default_row().to_owned()
    } else {
        format!("({names}) VALUES ({marks})")
    };
    let sql = format!("INSERT INTO {} {columns}", quoted(table));
    let values = row.into_iter().map(|(_, value)| value).collect();
    Ok(db.insert(sql.into(), values, key).await?)
}

/// The smallest key of a table.
pub(super) async fn first(db: &Db, table: &str, key: &str) -> Result<Option<Value>> {
    let sql = format!("SELECT min({}) FROM {}", quoted(key), quoted(table));
    let rows = db.rows(sql, []).await?;
    let smallest = rows
        .into_iter()
        .next()
        .and_then(|row| row.into_iter().next());
    Ok(smallest.filter(|key| !key.is_null()))
}

/// The empty value of a NOT NULL column.
fn blank(kind: &str) -> Value {
    match kind {
        "INTEGER" | "REAL" | "NUMERIC" => Value::Int(0),
        _ => Value::from(""),
    }
}
