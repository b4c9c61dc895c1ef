//! Whether the columns that may be keys tell rows apart, where the catalogue does not promise it.

use sqlx::{Executor, FromRow, IntoArguments};

use super::arguments::quoted;
use super::kinds::{LOOKED_AT, texts};
use super::looks::{Looks, Timed, Unlooked};
use crate::import::catalogue::{CatalogueColumn, CatalogueTable};

/// Looks for null and for values that rows share in columns that look like the key of a view, and in the keys of
/// tables where `of_tables`: SQLite takes null as a primary key. `quote` is the quote around names, `text` the type of
/// texts in a cast.
pub(super) async fn check_keys<D: Timed>(
    connection: &mut D::Connection,
    tables: &mut [CatalogueTable],
    looks: &mut Looks,
    of_tables: bool,
    (quote, text): (char, &str),
) where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    for<'r> (String,): FromRow<'r, D::Row>,
    D::Arguments: IntoArguments<D>,
{
    for table in tables {
        let columns = table.columns.iter();
        let is_key = |column: &&CatalogueColumn| match table.is_view {
            true => column.name.eq_ignore_ascii_case("id") || table.is_unique(&column.name),
            false => of_tables && table.primary == [column.name.as_str()] && !column.is_counted,
        };
        let keys: Vec<String> = columns
            .filter(is_key)
            .map(|column| column.name.clone())
            .collect();
        for key in keys {
            let (own, name) = (quoted(&key, quote), quoted(&table.name, quote));
            let sql = format!(
                "SELECT CAST(count(*) - count(DISTINCT {own}) AS {text}) FROM (SELECT {own} FROM {name} LIMIT {LOOKED_AT}) AS looked_at"
            );
            match texts::<D>(connection, looks, sql).await {
                Ok(answer) if answer == ["0"] => {}
                Ok(_) => leave_out(table, &key),
                Err(Unlooked::Failed(error)) => table.note_unread(&error),
                Err(Unlooked::Late) => {
                    table.note_unlooked(&format!("whether `{key}` tells them apart is unknown"));
                }
            }
        }
    }
}

fn leave_out(table: &mut CatalogueTable, key: &str) {
    let mut columns = table.columns.iter_mut();
    if let Some(column) = columns.find(|column| column.name == key) {
        column.kind = None;
        column.note = Some("rows share a value of it, or have none".to_owned());
    }
}
