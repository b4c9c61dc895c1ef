//! The values of `*_type` columns, which name the table of a polymorphic row.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, Database, Executor, FromRow, IntoArguments};

use super::arguments::quoted;
use crate::import::catalogue::{CatalogueColumn, CatalogueTable};

/// How many values of a column are looked for.
const MOST_KINDS: usize = 50;

/// Rows of a table that are looked at, on each database.
pub(super) const LOOKED_AT: u32 = 100_000;

/// Reads the values of `*_type` columns; a table whose rows cannot be read gets a note. `quote` is the quote around
/// names, `text` the type of texts in a cast.
pub(super) async fn read_kinds<D: Database>(
    connection: &mut D::Connection,
    tables: &mut [CatalogueTable],
    (quote, text): (char, &str),
) where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'r> (String,): FromRow<'r, D::Row>,
    D::Arguments: IntoArguments<D>,
{
    for table in tables {
        let name = quoted(&table.name, quote);
        let (mut kinds, mut failed) = (BTreeMap::new(), None);
        let named = table.columns.iter();
        for column in named.filter(|one| names_a_kind(&one.name, &table.columns)) {
            let own = quoted(&column.name, quote);
            let sql = AssertSqlSafe(format!(
                "SELECT DISTINCT CAST({own} AS {text}) FROM (SELECT {own} FROM {name} \
                 WHERE {own} IS NOT NULL LIMIT {LOOKED_AT}) AS looked_at ORDER BY 1 LIMIT {MOST_KINDS}"
            ));
            match sqlx::query_scalar(sql).fetch_all(&mut *connection).await {
                Ok(values) => {
                    kinds.insert(column.name.clone(), values);
                }
                Err(error) => failed = Some(error),
            }
        }
        table.kinds_found = kinds;
        failed.iter().for_each(|error| table.note_unread(error));
    }
}

/// Whether a column may name the kind of a row of another table: `commentable_type` beside
/// `commentable_id`.
fn names_a_kind(column: &str, all: &[CatalogueColumn]) -> bool {
    let Some(stem) = column.strip_suffix("_type") else {
        return false;
    };
    let id = format!("{stem}_id");
    all.iter().any(|other| other.name == id)
}
