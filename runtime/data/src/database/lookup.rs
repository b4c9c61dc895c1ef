//! Whether rows hold a value.

use super::{
    fault::Fault,
    handle::Db,
    pivot::CHUNK,
    row::Row,
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
        Ok(!self.compared(sql, values).await?.is_empty())
    }

    /// Which of some values a column of a table holds, each once; one statement for 500 of them.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn held(
        &self,
        (table, column): (&str, &str),
        values: &[Value],
    ) -> Result<Vec<Value>> {
        let (table, column) = (quoted(table), quoted(column));
        let mut held = Vec::new();
        for chunk in values.chunks(CHUNK) {
            let condition = among(&column, chunk.len());
            let sql = format!("SELECT DISTINCT {column} FROM {table} WHERE {condition}");
            let rows = self.compared(sql, chunk.to_vec()).await?;
            held.extend(rows.into_iter().flatten());
        }
        Ok(held)
    }

    /// The rows of a comparison. A column holds no text that it cannot be compared with.
    async fn compared(&self, sql: String, values: Vec<Value>) -> Result<Vec<Vec<Value>>> {
        match self.fetch(sql.into(), values).await {
            Ok(rows) => rows.iter().map(Row::values).collect(),
            Err(Fault::Incomparable) => Ok(Vec::new()),
            Err(fault) => Err(fault.into()),
        }
    }
}
