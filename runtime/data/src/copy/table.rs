//! The rows of one table.

use super::column::CopiedColumn;
use crate::{
    column::Kind,
    database::{Db, Row, RowStream, quoted, quoted_list},
    error::{Error, Result},
    model::Schema,
    value::Value,
};

/// Values in one INSERT at most: less than any database's limit.
const VALUES: usize = 2_000;

/// A table on its way from one database to another.
pub(super) struct TableCopy<'d> {
    from: &'d Db,
    to: &'d Db,
    name: &'d str,
    columns: Vec<CopiedColumn>,
}

impl<'d> TableCopy<'d> {
    /// Compares the columns.
    ///
    /// # Errors
    /// 500 where a column of `from` is not in `to`.
    pub async fn new(from: &'d Db, to: &'d Db, name: &'d str, models: &[&Schema]) -> Result<Self> {
        let there = from.column_types(name).await?;
        let here = to.column_types(name).await?;
        let mut columns = Vec::with_capacity(there.len());
        for (column, _) in there {
            let Some((_, of)) = here.iter().find(|(known, _)| *known == column) else {
                let message = format!("this database has no column `{column}` in `{name}`");
                return Err(Error::internal(message));
            };
            let of_table = models.iter().filter(|schema| schema.table == name);
            let info = of_table.filter_map(|schema| schema.column(&column)).next();
            columns.push(match info {
                Some(info) => CopiedColumn::of_model(info),
                None => CopiedColumn::of_type(column, of),
            });
        }
        Ok(Self {
            from,
            to,
            name,
            columns,
        })
    }

    /// Copies its rows; returns how many there were.
    pub async fn run(&self) -> Result<u64> {
        let names = || quoted_list(self.columns.iter().map(|column| column.name.as_str()));
        let table = quoted(self.name);
        let select = format!("SELECT {} FROM {table}", names());
        let insert = format!("INSERT INTO {table} ({}) VALUES ", names());
        let from = self.from;
        let mut rows = RowStream::new(Row::values, |to| async move {
            Ok(from.send_rows(select.into(), Vec::new(), &to).await?)
        });
        let (mut count, mut batch) = (0, Vec::new());
        while let Some(values) = rows.try_next().await? {
            count += 1;
            batch.extend(self.typed(values)?);
            if batch.len() + self.columns.len() > VALUES {
                self.insert(&insert, std::mem::take(&mut batch)).await?;
            }
        }
        if !batch.is_empty() {
            self.insert(&insert, batch).await?;
        }
        self.continue_counting().await?;
        Ok(count)
    }

    async fn insert(&self, insert: &str, values: Vec<Value>) -> Result<()> {
        let width = self.columns.len();
        let row = format!("({})", vec!["?"; width].join(", "));
        let rows = vec![row; values.len() / width].join(", ");
        let sql = format!("{insert}{rows}");
        self.to.execute(sql, values).await.map(drop)
    }

    /// The values as the columns of `to` hold them.
    fn typed(&self, values: Vec<Value>) -> Result<Vec<Value>> {
        let columns = self.columns.iter().zip(values);
        let typed = columns.map(|(column, value)| column.typed(self.name, value));
        typed.collect()
    }

    /// New rows get keys above those that were copied.
    async fn continue_counting(&self) -> Result<()> {
        let Some(sql) = self.to.dialect().continue_counting() else {
            return Ok(());
        };
        let counted =
            |column: &&CopiedColumn| matches!(column.kind, Some(Kind::BigInt | Kind::Integer));
        for column in self.columns.iter().filter(counted) {
            let (table, name) = (quoted(self.name), quoted(&column.name));
            let sql = sql.replace("{table}", &table).replace("{column}", &name);
            let values = [self.name, &column.name].map(Value::from);
            self.to.rows(sql, values).await?;
        }
        Ok(())
    }
}
