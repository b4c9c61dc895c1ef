//! The data layer over a real database: records, pages, relations, constraints.

#[path = "data/changes.rs"]
mod changes;
#[path = "data/lists.rs"]
mod lists;
#[macro_use]
#[path = "databases/model.rs"]
mod model;
#[path = "data/own_sql.rs"]
mod own_sql;
#[path = "databases/pouring.rs"]
mod pouring;
#[path = "data/related.rs"]
mod related;
#[path = "data/service.rs"]
mod service;
#[path = "data/tables.rs"]
mod tables;
#[path = "data/temporary.rs"]
mod temporary;
#[path = "data/transactions.rs"]
mod transactions;
