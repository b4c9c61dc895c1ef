//! Tables of a project, the difference of two states of them, and the migrations that lead from one
//! to the other (regeneration.md, "Schema evolution").
//!
//! What was emitted last is kept in the state, one text per table, so that comparing needs no database.

mod build;
mod dialect;
mod difference;
mod emit;
mod names;
mod order;
mod previous;
mod run;
mod sqlite;
mod table;
mod text;

pub use difference::{Change, difference};
pub use emit::{Migrations, NewMigration, Options, migrations};
pub use previous::{Emitted, Previous};
pub use table::{Column, ForeignKey, Index, Schema, Table};

use crate::project::Database;

/// A database as folders, manifests and the runtime's `Migration` name it.
pub fn database_name(database: Database) -> &'static str {
    match database {
        Database::Sqlite => "sqlite",
        Database::Postgres => "postgres",
        Database::Mysql => "mysql",
    }
}

#[cfg(test)]
mod tests;
