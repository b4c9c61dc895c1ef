//! Tables of a project, the difference of two states of them, and the migrations that lead from one
//! to the other (regeneration.md, "Schema evolution").
//!
//! What was emitted last is kept in the state, one text per table, so that comparing needs no database.

mod alter;
mod ancestry;
mod build;
mod clash;
mod damage;
mod destroy;
mod dialect;
mod difference;
mod emit;
mod loss;
mod names;
mod order;
mod previous;
mod rekey;
mod rename;
mod run;
mod sqlite;
mod step;
mod table;
mod text;
mod twins;
mod was;

pub use destroy::destroy;
pub use emit::{Migrations, NewMigration, Options, migrations};
pub use previous::{Emitted, Previous};
pub use table::{Column, ForeignKey, Index, Part, Schema, Table};

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
