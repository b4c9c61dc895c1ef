//! The data layer over a real SQLite database: records, pages, relations, constraints.

#[path = "data/changes.rs"]
mod changes;
#[path = "data/lists.rs"]
mod lists;
#[path = "data/own_sql.rs"]
mod own_sql;
#[path = "data/related.rs"]
mod related;
#[path = "data/service.rs"]
mod service;
#[path = "data/tables.rs"]
mod tables;
#[path = "data/transactions.rs"]
mod transactions;
