//! The formats of stored passwords. Only the format is read: the passwords do not leave the database.

use sqlx::{Executor, FromRow, IntoArguments};

use super::arguments::quoted;
use super::kinds::{LOOKED_AT, texts};
use super::looks::{Looks, Timed, Unlooked};
use crate::import::catalogue::CatalogueTable;
use crate::import::passwords::{FORMATS, OTHER, password};

/// Reads the formats of the passwords of accounts. `quote` is the quote around names.
pub(super) async fn read_hashes<D: Timed>(
    connection: &mut D::Connection,
    tables: &mut [CatalogueTable],
    looks: &mut Looks,
    quote: char,
) where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'r> (String,): FromRow<'r, D::Row>,
    D::Arguments: IntoArguments<D>,
{
    for table in tables.iter_mut().filter(|table| !table.is_view) {
        let Some(column) = password(table) else {
            continue;
        };
        let (own, name) = (quoted(&column.name, quote), quoted(&table.name, quote));
        match texts::<D>(connection, looks, formats(&own, &name)).await {
            Ok(found) => table.hashes_found = found.into_iter().collect(),
            Err(Unlooked::Failed(error)) => table.note_unread(&error),
            Err(Unlooked::Late) => {
                table.note_unlooked("whether the service can verify its passwords is unknown");
            }
        }
    }
}

/// The statement for the formats in a column. Django writes `!` before what is no password.
fn formats(own: &str, table: &str) -> String {
    let cases = FORMATS.iter().map(|(beginning, format)| {
        let length = beginning.len();
        format!("WHEN substr({own}, 1, {length}) = '{beginning}' THEN '{format}'")
    });
    let cases: Vec<String> = cases.collect();
    format!(
        "SELECT DISTINCT CASE {} ELSE '{OTHER}' END FROM (SELECT {own} FROM {table} \
         WHERE {own} <> '' AND substr({own}, 1, 1) <> '!' LIMIT {LOOKED_AT}) AS looked_at ORDER BY 1",
        cases.join(" ")
    )
}
