//! Whether rows hold a value.

use super::{
    handle::Db,
    sql::{among, quoted},
};
use crate::{error::Result, value::Value};

impl Db {
    /// Whether a row of a table holds a value in a column; `except` names the row, by its key's
    /// column and value, that does not count.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn holds(
        &self,
        (table, column): (&str, &str),
        value: Value,
        except: Option<(&str, Value)>,
    ) -> Result<bool> {
        let (table, column) = (quoted(table), quoted(column));
        let mut sql = format!("SELECT 1 FROM {table} WHERE {column} = ?");
        let mut values = vec![value];
        if let Some((key, value)) = except {
            sql.push_str(&format!(" AND {} <> ?", quoted(key)));
            values.push(value);
        }
        sql.push_str(" LIMIT 1");
        Ok(!self.rows(sql, values).await?.is_empty())
    }

    /// Which of some values a column of a table holds.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn held(
        &self,
        (table, column): (&str, &str),
        values: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let (table, column) = (quoted(table), quoted(column));
        let condition = among(&column, values.len());
        let sql = format!("SELECT DISTINCT {column} FROM {table} WHERE {condition}");
        Ok(self
            .rows(sql, values)
            .await?
            .into_iter()
            .flatten()
            .collect())
    }
}
