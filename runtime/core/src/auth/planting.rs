//! Rows that accounts of tests point to.

use std::{future::Future, pin::Pin};

use formwork_data::{database::Db, error::Result};

use super::{
    CustomerTable,
    account_row::{first, insert, row},
};

/// A future that contains another of its kind.
pub(crate) type Planting<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// Inserts an empty row into every table that a row of this one must point to, so that tests can
/// make accounts in a database without data.
pub fn plant_parents<'a>(db: &'a Db, table: &'a str, customers: &'a CustomerTable) -> Planting<'a> {
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
