//! Tables of a project, the difference of two states of them, and the migrations that lead from one
//! to the other.
//!
//! The last emitted tables are kept in the state, one text per table, so that comparing needs no
//! database.

mod alter;
mod ancestry;
mod baseline;
mod build;
mod change;
mod clash;
mod convert;
mod damage;
mod databases;
mod destroy;
mod dialect;
mod difference;
mod emit;
mod emitter;
mod enum_values;
mod loss;
mod migration;
mod mysql;
mod names;
mod order;
mod postgres;
mod previous;
mod rekey;
mod rename;

mod sql;
mod sqlite;
mod step;
mod table;
mod text;
mod twins;
mod was;

pub use databases::{database_name, database_named};
pub use emit::migrations;
pub use migration::{Emitted, MigrationOptions, Migrations, NewMigration};
pub use previous::{EnumValues, Previous};
pub use table::{Column, ForeignKey, Index, Part, Schema, Table};

#[cfg(test)]
mod tests;
