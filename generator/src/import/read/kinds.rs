//! The values of `*_type` columns, which name the table of a polymorphic row.

use sqlx::{AssertSqlSafe, Executor, FromRow, IntoArguments};

use super::arguments::quoted;
use super::looks::{Looks, Timed, Unlooked};
use crate::import::catalogue::{CatalogueColumn, CatalogueTable};

/// How many values of a column are looked for.
const MOST_KINDS: usize = 50;

/// Rows of a table that are looked at, on each database.
pub(super) const LOOKED_AT: u32 = 100_000;

/// Reads the values of `*_type` columns; a table whose rows cannot be read gets a note. `quote` is the quote around
/// names, `text` the type of texts in a cast.
pub(super) async fn read_kinds<D: Timed>(
    connection: &mut D::Connection,
    tables: &mut [CatalogueTable],
    looks: &mut Looks,
    (quote, text): (char, &str),
) where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'r> (String,): FromRow<'r, D::Row>,
    D::Arguments: IntoArguments<D>,
{
    for table in tables {
        let name = quoted(&table.name, quote);
        let columns = table.columns.iter();
        let kinds = columns.filter(|one| names_a_kind(&one.name, &table.columns));
        let kinds: Vec<String> = kinds.map(|column| column.name.clone()).collect();
        for kind in kinds {
            let own = quoted(&kind, quote);
            let sql = format!(
                "SELECT DISTINCT CAST({own} AS {text}) FROM (SELECT {own} FROM {name} \
                 WHERE {own} IS NOT NULL LIMIT {LOOKED_AT}) AS looked_at ORDER BY 1 LIMIT {MOST_KINDS}"
            );
            match texts::<D>(connection, looks, sql).await {
                Ok(values) => {
                    table.kinds_found.insert(kind, values);
                }
                Err(Unlooked::Failed(error)) => table.note_unread(&error),
                Err(Unlooked::Late) => table.note_unlooked(&format!(
                    "the values of `{kind}` are unknown, so it is no relation"
                )),
            }
        }
    }
}

/// The texts that a look finds.
pub(super) async fn texts<D: Timed>(
    connection: &mut D::Connection,
    looks: &mut Looks,
    sql: String,
) -> Result<Vec<String>, Unlooked>
where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'r> (String,): FromRow<'r, D::Row>,
    D::Arguments: IntoArguments<D>,
{
    let look = looks.begin::<D>(connection).await?;
    let query = sqlx::query_scalar(AssertSqlSafe(sql));
    look.end(query.fetch_all(&mut *connection).await)
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
