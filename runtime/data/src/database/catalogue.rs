//! Tables as the database describes them.

use super::handle::Db;
use crate::{error::Result, value::Value};

/// A column that leads to another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The column.
    pub column: String,
    /// The table it leads to.
    pub table: String,
    /// The column there.
    pub target: String,
}

/// A column of a table, as the database describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// Its type, in capital letters; `INTEGER` for numbers.
    pub kind: String,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it has a default.
    pub default: bool,
    /// Table and column it points to.
    pub parent: Option<(String, String)>,
}

impl Db {
    /// Whether there is a table of this name.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn has_table(&self, table: &str) -> Result<bool> {
        let sql = self.dialect().has_table();
        Ok(!self.rows(sql, [Value::from(table)]).await?.is_empty())
    }

    /// The columns of a table that lead to others.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn foreign_keys(&self, table: &str) -> Result<Vec<ForeignKey>> {
        let sql = self.dialect().foreign_keys();
        let rows = self.rows(sql, [Value::from(table)]).await?;
        let read = |row: Vec<Value>| match <[Value; 3]>::try_from(row) {
            Ok([Value::Text(column), Value::Text(table), Value::Text(target)]) => {
                Some(ForeignKey {
                    column,
                    table,
                    target,
                })
            }
            _ => None,
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// The columns of a table but its key.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn columns(&self, table: &str) -> Result<Vec<TableColumn>> {
        let sql = self.dialect().columns();
        let rows = self.rows(sql, [table, table].map(Value::from)).await?;
        Ok(rows.iter().filter_map(|row| column(row)).collect())
    }
}

fn column(row: &[Value]) -> Option<TableColumn> {
    let [name, kind, nullable, default, table, to] = row else {
        return None;
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Some(TableColumn {
        name: text(name)?,
        kind: text(kind)?,
        nullable: nullable.is_true(),
        default: default.is_true(),
        parent: text(table).zip(text(to)),
    })
}
