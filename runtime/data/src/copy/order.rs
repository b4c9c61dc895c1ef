//! The order in which tables are filled.

use std::collections::HashMap;

use crate::{database::Db, error::Result};

/// The tables, each behind those that its foreign keys lead to. In a cycle the first by name comes
/// first: its keys are checked at the end of the transaction.
pub(super) async fn parents_first(db: &Db, mut tables: Vec<String>) -> Result<Vec<String>> {
    tables.sort();
    let mut parents = HashMap::new();
    for table in &tables {
        let keys = db.foreign_keys(table).await?.into_iter();
        let others = keys.map(|key| key.table).filter(|parent| parent != table);
        parents.insert(table.clone(), others.collect::<Vec<_>>());
    }
    let mut ordered = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let waits = |table: &String| parents[table].iter().any(|parent| tables.contains(parent));
        let next = tables.iter().position(|table| !waits(table));
        ordered.push(tables.remove(next.unwrap_or_default()));
    }
    Ok(ordered)
}
