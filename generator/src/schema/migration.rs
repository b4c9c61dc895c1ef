//! Migrations: what one is, and what a run emits.

use std::collections::{BTreeMap, BTreeSet};

use super::databases::database_name;
use crate::error::{Problem, Refused};
use crate::moment::Clock;
use crate::project::Database;

/// Folder of the tables' texts in the state.
pub(crate) const FOLDER: &str = "schema";

/// A migration that was emitted, now or earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// UTC second, `20261121120000`.
    pub version: i64,
    /// The same as in the file's name, which may be `0001` if written by hand.
    pub number: String,
    /// `create_menus`.
    pub name: String,
    /// Folder of the extension.
    pub folder: String,
    /// The unit whose lock lists it.
    pub unit: String,
    /// Databases it has SQL for.
    pub databases: Vec<Database>,
}

impl Emitted {
    /// Path of the SQL below the extension.
    pub fn path_in_extension(&self, database: Database) -> String {
        format!(
            "migrations/{}/{}_{}.sql",
            database_name(database),
            self.number,
            self.name
        )
    }

    /// Whether Formwork emitted it for a resource. One that was written by hand belongs to an extension.
    pub fn is_of_a_resource(&self) -> bool {
        self.unit.contains('.')
    }

    /// Paths of its SQL below the project.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.databases.iter().map(|database| self.path(*database))
    }

    /// Path of the SQL below the project.
    pub fn path(&self, database: Database) -> String {
        format!(
            "extensions/{}/{}",
            self.folder,
            self.path_in_extension(database)
        )
    }
}

/// How migrations are emitted.
#[derive(Debug, Clone, Default)]
pub struct MigrationOptions<'a> {
    /// Where versions come from.
    pub clock: Clock,
    /// Only tables of these units; everything else stays for a later run.
    pub units: Option<&'a BTreeSet<String>>,
    /// `--allow-destructive`.
    pub allow_destructive: bool,
    /// Units whose resources are destroyed: their tables are dropped.
    pub destroyed: Option<&'a BTreeSet<String>>,
}

/// A migration of this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMigration {
    /// The record of the migration.
    pub emitted: Emitted,
    /// Its SQL for each database.
    pub sql: Vec<(Database, String)>,
    /// Its losses, one sentence each; the statement follows the last.
    pub losses: Vec<Problem>,
}

/// The migrations of a run, and the state after it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Migrations {
    /// Every migration, earlier ones first, by version.
    pub all: Vec<Emitted>,
    /// Migrations of this run, in order.
    pub new: Vec<NewMigration>,
    /// Texts of the tables for the state, by path below `.formwork`; `None` removes one.
    pub state_files: BTreeMap<String, Option<String>>,
    /// Tables that no manifest describes any more: they stay until `destroy` drops them.
    pub abandoned: Vec<String>,
    /// Migrations without SQL for one of the project's databases, one sentence each.
    pub lacking: Vec<String>,
    /// The tables of each unit.
    pub tables: BTreeMap<String, Vec<String>>,
    /// Tables and columns that this run renames: former and new.
    pub renamed: Vec<(String, String)>,
    /// The losses, because of which no file is written. Then there are no new migrations.
    pub refused: Option<Refused>,
}

impl Migrations {
    /// Leaves out SQL whose files are gone: a list with a missing file does not compile.
    pub fn leave_out(&mut self, is_gone: impl Fn(&str) -> bool) {
        for one in &mut self.all {
            let databases = std::mem::take(&mut one.databases);
            let left = databases.into_iter();
            one.databases = left
                .filter(|database| !is_gone(&one.path(*database)))
                .collect();
        }
        self.all.retain(|one| !one.databases.is_empty());
    }
}
