//! Indexes over texts without regard to case.

use super::{dialect::Dialect, handle::Db, sql::quoted};
use crate::{error::Result, value::Value};

/// The longest text that an index of MariaDB takes, in characters.
const LONGEST: i64 = 768;

/// Finds a column that is computed.
const COMPUTED: &str = "SELECT 1 FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() \
    AND TABLE_NAME = ? AND COLUMN_NAME = ? AND COALESCE(GENERATION_EXPRESSION, '') <> ''";

/// How many characters a column takes.
const LENGTH: &str = "SELECT CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?";

/// A column of texts that rows are found by without regard to case.
///
/// MariaDB has no index over an expression, and uses that of a computed column only where a
/// statement names the column: `email_lower` of `email`. `SELECT *` does not show it.
#[derive(Debug, Clone, Copy)]
pub struct LowerIndex<'n> {
    /// The table.
    pub table: &'n str,
    /// The column.
    pub column: &'n str,
    /// The name of the index.
    pub name: &'n str,
}

impl Db {
    /// Makes the index, unless it is there. A column without a bound that an index can hold gets none
    /// on MariaDB, nor does one beside a column that has the name of the computed one.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn make_lower_index(&self, index: LowerIndex<'_>) -> Result<()> {
        let LowerIndex {
            table,
            column,
            name,
        } = index;
        let (at, own, name) = (quoted(table), quoted(column), quoted(name));
        let sql = match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres => {
                format!("CREATE INDEX IF NOT EXISTS {name} ON {at} (lower({own}))")
            }
            Dialect::Mysql => {
                let computed = computed(column);
                let there = self.length(table, &computed).await?.is_some();
                let length = self.length(table, column).await?;
                let Some(length) = length.filter(|length| !there && *length <= LONGEST) else {
                    return Ok(());
                };
                let computed = quoted(&computed);
                format!(
                    "ALTER TABLE {at} ADD COLUMN {computed} VARCHAR({length}) \
                     AS (lower({own})) VIRTUAL INVISIBLE, ADD INDEX {name} ({computed})"
                )
            }
        };
        self.execute(sql, []).await.map(drop)
    }

    /// Drops the index, if it is there: a column with an index over it cannot be dropped or replaced.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn drop_lower_index(&self, index: LowerIndex<'_>) -> Result<()> {
        let LowerIndex {
            table,
            column,
            name,
        } = index;
        let sql = match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres => {
                format!("DROP INDEX IF EXISTS {}", quoted(name))
            }
            Dialect::Mysql => {
                if !self.is_computed(table, &computed(column)).await? {
                    return Ok(());
                }
                let (table, computed) = (quoted(table), quoted(&computed(column)));
                format!("ALTER TABLE {table} DROP COLUMN {computed}")
            }
        };
        self.execute(sql, []).await.map(drop)
    }

    /// What equals `lower(?)` where a column holds a text without regard to case; rows are found by
    /// the index where there is one.
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
        let table = self.own.stored(table);
        let rows = self.rows(COMPUTED, [Value::from(&*table), column.into()]);
        Ok(!rows.await?.is_empty())
    }

    async fn length(&self, table: &str, column: &str) -> Result<Option<i64>> {
        let table = self.own.stored(table);
        let rows = self
            .rows(LENGTH, [Value::from(&*table), column.into()])
            .await?;
        Ok(rows.first().and_then(|row| row.first()?.as_int()))
    }
}

fn computed(column: &str) -> String {
    format!("{column}_lower")
}
