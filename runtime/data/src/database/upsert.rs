//! Rows that are inserted, or updated where there is one.

use super::{
    fault::Fault,
    handle::Db,
    row::Row,
    sql::{Sql, among, quoted, quoted_list},
};
use crate::{error::Error, value::Value};

/// A row that is inserted; where a row has the same values in the columns `unique`, that row is
/// updated, but for these, the key and `created_at`.
pub(crate) struct Upsert<'u> {
    pub table: &'u str,
    pub key: &'u str,
    /// The columns that have values.
    pub columns: &'u [&'u str],
    pub unique: &'u [&'u str],
    /// The columns of the row that is returned.
    pub returned: String,
}

impl Db {
    /// Writes the row, and returns it as it is stored.
    ///
    /// # Errors
    /// As [`Db::perform`]; 500 where no unique index has exactly these columns.
    pub(crate) async fn upsert(
        &self,
        upsert: &Upsert<'_>,
        values: Vec<Value>,
    ) -> Result<Row, Fault> {
        let row = if self.dialect().has_on_conflict() {
            let rows = self.write(upsert.on_conflict(), values).await?;
            rows.into_iter().next()
        } else {
            upsert.write_and_read(self, values).await?
        };
        row.ok_or_else(|| Error::internal("the database returned no row").into())
    }
}

impl Upsert<'_> {
    fn insert(&self) -> String {
        let marks = vec!["?"; self.columns.len()].join(", ");
        let columns = quoted_list(self.columns.iter().copied());
        format!(
            "INSERT INTO {} ({columns}) VALUES ({marks})",
            quoted(self.table)
        )
    }

    /// Assignments of new values, each of which is written by this function.
    fn assignments(&self, new: impl Fn(&str) -> String) -> String {
        let stays =
            |name: &str| self.unique.contains(&name) || name == self.key || name == "created_at";
        let mut written: Vec<&str> = self.columns.to_vec();
        written.retain(|name| !stays(name));
        if written.is_empty() {
            // Without a change no row would be returned.
            written.extend(self.unique.first());
        }
        let sets = written.iter().map(|name| {
            let name = quoted(name);
            format!("{name} = {}", new(&name))
        });
        sets.collect::<Vec<_>>().join(", ")
    }

    fn on_conflict(&self) -> Sql {
        Sql::from(format!(
            "{} ON CONFLICT ({}) DO UPDATE SET {} RETURNING {}",
            self.insert(),
            quoted_list(self.unique.iter().copied()),
            self.assignments(|name| format!("excluded.{name}")),
            self.returned,
        ))
    }

    /// For databases whose upsert is about any unique index, and which do not return its row. Where
    /// the updated row was found by another index, its values in `unique` are others: then it is
    /// undone, and the row is refused as by an INSERT.
    async fn write_and_read(&self, db: &Db, values: Vec<Value>) -> Result<Option<Row>, Fault> {
        self.require_index(db).await?;
        let savepoint = db.savepoint().await?;
        let inner = savepoint.db();
        let sets = self.assignments(|name| format!("VALUES({name})"));
        let upsert = format!("{} ON DUPLICATE KEY UPDATE {sets}", self.insert());
        let counted = inner
            .insert(upsert.into(), values.clone(), self.key)
            .await?;
        let (condition, found_by) = self.condition(&values, counted);
        let table = quoted(self.table);
        let find = format!("SELECT {} FROM {table} WHERE {condition}", self.returned);
        let row = inner.first(find.into(), found_by).await?;
        if row.is_some() {
            savepoint.commit().await?;
            return Ok(row);
        }
        drop(savepoint);
        db.perform(self.insert().into(), values).await?;
        Ok(None)
    }

    /// The condition for the written row. A row with a null in `unique` is always a new one, and is
    /// found by its key.
    fn condition(&self, values: &[Value], counted: i64) -> (String, Vec<Value>) {
        let value = |name: &str| {
            let mut all = self.columns.iter().zip(values);
            all.find(|(it, _)| **it == name).map(|(_, value)| value)
        };
        let wanted = self.unique.iter().map(|name| value(name).cloned());
        let wanted: Vec<Value> = wanted.map(Option::unwrap_or_default).collect();
        if wanted.iter().any(Value::is_null) {
            let key = value(self.key).cloned();
            let key = key.unwrap_or(Value::Int(counted));
            return (format!("{} = ?", quoted(self.key)), vec![key]);
        }
        let same = self
            .unique
            .iter()
            .map(|name| format!("{} = ?", quoted(name)));
        (same.collect::<Vec<_>>().join(" AND "), wanted)
    }

    /// `ON DUPLICATE KEY` needs no index; without one each upsert would be an INSERT.
    async fn require_index(&self, db: &Db) -> Result<(), Fault> {
        let count = self.unique.len();
        let sql = format!(
            "SELECT 1 FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() \
             AND TABLE_NAME = ? AND NON_UNIQUE = 0 GROUP BY INDEX_NAME \
             HAVING COUNT(*) = {count} AND SUM({}) = {count} LIMIT 1",
            among("COLUMN_NAME", count),
        );
        let names = std::iter::once(&self.table).chain(self.unique);
        let values = names.map(|name| Value::from(*name)).collect();
        match db.first(sql.into(), values).await? {
            Some(_) => Ok(()),
            None => {
                let (table, unique) = (self.table, self.unique.join(", "));
                let message = format!("the table `{table}` has no unique index over {unique}");
                Err(Error::internal(message).into())
            }
        }
    }
}
