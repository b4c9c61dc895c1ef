//! Rows that are found by a text without regard to case, by an index where there is one.

use super::{
    dialect::Dialect,
    handle::Db,
    migrate::lock,
    sql::quoted,
    step::{COMPUTED, LowerIndex, computed},
};
use crate::{error::Result, value::Value};

/// The longest text that an index of MariaDB takes, in characters.
const LONGEST: i64 = 768;

/// How many characters a column takes.
const LENGTH: &str = "SELECT CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?";

impl Db {
    /// Makes the index, unless it is there or its table is not. Programs that do so at once, and
    /// migrations, wait for each other. A column without a bound that an index can hold gets none on
    /// MariaDB, nor does one beside a column that has the name of the computed one.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub(crate) async fn make_lower_index(&self, index: &LowerIndex) -> Result<()> {
        let transaction = self.begin().await?;
        let db = transaction.db();
        lock(db).await?;
        if db.has_table(&index.table).await?
            && let Some(sql) = db.making(index).await?
        {
            db.execute(sql, []).await?;
        }
        transaction.commit().await
    }

    /// The statement that makes the index, where it can be made.
    async fn making(&self, index: &LowerIndex) -> Result<Option<String>> {
        let LowerIndex {
            table,
            column,
            name,
        } = index;
        let (at, own, name) = (quoted(table), quoted(column), quoted(name));
        if self.dialect() != Dialect::Mysql {
            let sql = format!("CREATE INDEX IF NOT EXISTS {name} ON {at} (lower({own}))");
            return Ok(Some(sql));
        }
        let computed = index.computed();
        let there = self.length(table, &computed).await?.is_some();
        let length = self.length(table, column).await?;
        let length = length.filter(|length| !there && *length <= LONGEST);
        let computed = quoted(&computed);
        let sql = |length| {
            format!(
                "ALTER TABLE {at} ADD COLUMN {computed} VARCHAR({length}) \
                 AS (lower({own})) VIRTUAL INVISIBLE, ADD INDEX {name} ({computed})"
            )
        };
        Ok(length.map(sql))
    }

    /// The SQL that equals `lower(?)` where a column holds a text without regard to case; rows are
    /// found by the index where there is one.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn lowered(&self, table: &str, column: &str) -> Result<String> {
        let computed = computed(column);
        let by_column =
            self.dialect() == Dialect::Mysql && self.is_computed(table, &computed).await?;
        Ok(match by_column {
            true => quoted(&computed),
            false => format!("lower({})", quoted(column)),
        })
    }

    async fn is_computed(&self, table: &str, column: &str) -> Result<bool> {
        let table = self.own_tables().stored(table);
        let rows = self.rows(COMPUTED, [Value::from(&*table), column.into()]);
        Ok(!rows.await?.is_empty())
    }

    async fn length(&self, table: &str, column: &str) -> Result<Option<i64>> {
        let table = self.own_tables().stored(table);
        let rows = self
            .rows(LENGTH, [Value::from(&*table), column.into()])
            .await?;
        Ok(rows.first().and_then(|row| row.first()?.as_int()))
    }
}
