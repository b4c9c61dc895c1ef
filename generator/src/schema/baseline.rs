//! A database that a project adds later (`database.kinds`). Its tables are made as they are now, by one
//! migration each; the older migrations are comments there, and the new ones are comments where the tables
//! are already, so that the sequence is the same on every database.

use std::collections::BTreeSet;

use super::ancestry;
use super::change::Change;
use super::databases::database_name;
use super::dialect::Alteration;
use super::emitter::{Emitter, down_part};
use super::migration::{Emitted, NewMigration};
use super::order;
use super::previous::Previous;
use super::step::MigrationStep;
use super::table::{Schema, Table};
use crate::project::{Database, Project};

impl Emitter<'_> {
    /// Makes the tables that there are on the databases that no migration has SQL for.
    pub(super) fn add_databases(&mut self) {
        let new = added(self.project, self.previous);
        if new.is_empty() {
            return;
        }
        self.comment_on_older(&new);
        let tables: Vec<Table> = self.schema.tables.values().cloned().collect();
        let mut unconstrained = Vec::new();
        for mut table in order::order(tables, &Schema::default()) {
            let known = self.schema.tables[&table.name].clone();
            for (column, known) in table.columns.iter_mut().zip(&known.columns) {
                column.deferred |= known.deferred;
            }
            if table.columns != known.columns {
                unconstrained.push(Alteration::new(table.clone(), known));
            }
            let note = format!("Creates the table {} on {}.", table.name, names(&new));
            let change = Change::CreateTable(table);
            let mut step = change.describe(&[]);
            step.notes = vec![note];
            self.emit_on(&new, step, &change);
        }
        // The constraints of tables that were made before the tables they point to.
        for alteration in unconstrained {
            let table = &alteration.after;
            let name = format!("add_foreign_keys_to_{}", table.name);
            let note = format!(
                "Adds the foreign keys of {} on {}.",
                table.name,
                names(&new)
            );
            let step = MigrationStep::new(&table.unit, name, note).touching(&table.name);
            self.emit_on(&new, step, &Change::Alter(vec![alteration]));
        }
    }

    /// Emits the migration of a change for the new databases; it is a comment for the others.
    fn emit_on(&mut self, new: &BTreeSet<Database>, step: MigrationStep, change: &Change) {
        self.emit(step, |dialect| match new.contains(&dialect.database()) {
            true => change.sql(dialect),
            false => {
                let name = database_name(dialect.database());
                let comment = format!("-- On {name} it is there already.\n");
                (comment.into(), Ok(String::new()))
            }
        });
    }

    /// Gives every migration that Formwork emitted a comment as its SQL for the new databases.
    fn comment_on_older(&mut self, new: &BTreeSet<Database>) {
        let (previous, emitted) = (self.previous, &self.previous.emitted);
        for one in emitted.iter().filter(|one| one.is_of_a_resource()) {
            let header = ancestry::header_of(one, previous.root());
            let sql = new.iter().map(|database| {
                let name = database_name(*database);
                let note = format!(
                    "-- Older than the project's use of {name}: later migrations make its tables."
                );
                let down = down_part(&Ok(String::new()));
                (*database, format!("{note}\n{header}{down}"))
            });
            self.new.push(NewMigration {
                emitted: Emitted {
                    databases: one.databases.iter().chain(new).copied().collect(),
                    ..one.clone()
                },
                sql: sql.collect(),
                losses: Vec::new(),
            });
        }
    }
}

/// Databases of the project that no migration has SQL for, though there are migrations.
pub(super) fn added(project: &Project, previous: &Previous) -> BTreeSet<Database> {
    let emitted = previous.emitted.iter();
    let known: BTreeSet<Database> = emitted.flat_map(|one| one.databases.clone()).collect();
    match known.is_empty() {
        true => BTreeSet::new(),
        false => project.databases.difference(&known).copied().collect(),
    }
}

/// Migrations of the project that have no SQL for a database it names, one sentence each.
pub(super) fn lacking(project: &Project, all: &[Emitted]) -> Vec<String> {
    let lacks = |one: &Emitted| {
        let lacking = project.databases.iter();
        let lacking = lacking.filter(|database| !one.databases.contains(database));
        let lacking: BTreeSet<Database> = lacking.copied().collect();
        let (first, known) = (lacking.first()?, one.databases.first()?);
        Some(format!(
            "{} has no SQL for {}: write {}, or a comment if there is nothing to do",
            one.path(*known),
            names(&lacking),
            one.path(*first)
        ))
    };
    all.iter().filter_map(lacks).collect()
}

fn names(databases: &BTreeSet<Database>) -> String {
    let names: Vec<&str> = databases.iter().map(|one| database_name(*one)).collect();
    names.join(" and ")
}
