//! Rows that accounts of tests point to.

use formwork_data::{database::Db, error::Result};
use futures_util::future::BoxFuture;

use super::{
    CustomerTable,
    account_row::{first, insert, row},
};

/// Inserts an empty row into every table that a row of this one must point to, so that tests can
/// make accounts in a database without data.
pub fn plant_parents<'a>(
    db: &'a Db,
    table: &'a str,
    customers: &'a CustomerTable,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let needed = db
            .columns(table)
            .await?
            .into_iter()
            .filter(|column| !column.nullable);
        for (parent, key) in needed.filter_map(|column| column.parent) {
            if parent != table && first(db, &parent, &key).await?.is_none() {
                plant_parents(db, &parent, customers).await?;
                let (row, _) = row(db, (&parent, customers), |_| None).await?;
                insert(db, &parent, &key, row).await?;
            }
        }
        Ok(())
    })
}
