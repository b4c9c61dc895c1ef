//! Migrations: what a run emits, and what it refuses.

use std::collections::{BTreeMap, BTreeSet};

use super::database_name;
use super::dialect::dialect;
use super::difference::{Change, difference};
use super::previous::{Emitted, FOLDER, Previous};
use super::run::Run;
use super::table::{Column, Schema};
use crate::error::Refused;
use crate::exit::Exit;
use crate::moment::Clock;
use crate::project::{Database, Project};

/// How migrations are emitted.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// Where versions come from.
    pub clock: Clock,
    /// Only tables of these units; everything else stays for a later run.
    pub units: Option<&'a BTreeSet<String>>,
    /// `--allow-destructive`.
    pub allow_destructive: bool,
}

/// A migration of this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMigration {
    /// What it is.
    pub emitted: Emitted,
    /// Its SQL for each database.
    pub sql: Vec<(Database, String)>,
}

/// What a run emits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Migrations {
    /// Every migration, earlier ones first, by version.
    pub all: Vec<Emitted>,
    /// Those of this run, in order.
    pub new: Vec<NewMigration>,
    /// Texts of the tables for the state, by path below `.formwork`.
    pub state_files: BTreeMap<String, Option<String>>,
    /// Tables that no manifest describes any more: they stay until `destroy` drops them.
    pub abandoned: Vec<String>,
}

/// The migrations that lead from what was emitted before to what the manifests say now.
///
/// # Errors
/// [`Refused`] with every change that cannot be emitted yet ([`Exit::Usage`]), or that would lose
/// data ([`Exit::Destructive`]).
pub fn migrations(
    project: &Project,
    previous: &Previous,
    options: &Options<'_>,
) -> Result<Migrations, Refused> {
    let mut after = Schema::of(project);
    let abandoned = previous
        .schema
        .tables
        .keys()
        .filter(|name| !after.tables.contains_key(*name));
    let abandoned = abandoned.cloned().collect();
    leave_others(&mut after, &previous.schema, options);
    let changes = difference(&previous.schema, &after);
    refuse(project, &changes, options)?;
    let mut run = Run::new(project, previous, options);
    run.take(changes, previous);
    let mut all = previous.emitted.clone();
    all.extend(run.new.iter().map(|migration| migration.emitted.clone()));
    let state_files = run.schema.tables.values().map(|table| {
        (
            format!("{FOLDER}/{}.schema", table.name),
            Some(table.to_text()),
        )
    });
    Ok(Migrations {
        all,
        state_files: state_files.collect(),
        new: run.new,
        abandoned,
    })
}

/// Tables of other units stay as they were.
fn leave_others(after: &mut Schema, before: &Schema, options: &Options<'_>) {
    let Some(units) = options.units else { return };
    after
        .tables
        .retain(|name, table| units.contains(&table.unit) || before.tables.contains_key(name));
    for (name, table) in &mut after.tables {
        if let Some(known) = before
            .tables
            .get(name)
            .filter(|_| !units.contains(&table.unit))
        {
            *table = known.clone();
        }
    }
}

fn refuse(project: &Project, changes: &[Change], options: &Options<'_>) -> Result<(), Refused> {
    let unknown = project
        .databases
        .iter()
        .filter(|one| dialect(**one).is_none());
    let unknown =
        unknown.map(|one| format!("migrations for {} are not emitted yet", database_name(*one)));
    let not_yet: Vec<String> = unknown.chain(changes.iter().filter_map(not_yet)).collect();
    Refused::unless_empty(Exit::Usage, not_yet)?;
    let destructive = changes
        .iter()
        .filter_map(destructive)
        .filter(|_| !options.allow_destructive);
    Refused::unless_empty(Exit::Destructive, destructive.collect())
}

fn not_yet(change: &Change) -> Option<String> {
    match change {
        Change::ChangeKey { table } => Some(format!(
            "table {table}: another primary key is not emitted as a migration yet"
        )),
        Change::DropColumn { table, column } => Some(format!(
            "table {table}: dropping the column {} is not emitted as a migration yet",
            column.name
        )),
        Change::ChangeColumn {
            table,
            before,
            after,
        } => Some(format!(
            "table {table}: changing the column {} ({}) is not emitted as a migration yet",
            after.name,
            differing(before, after)
        )),
        _ => None,
    }
}

fn differing(before: &Column, after: &Column) -> String {
    let null = |column: &Column| {
        if column.nullable {
            "nullable"
        } else {
            "not null"
        }
    };
    let shown = |default: &Option<String>| default.clone().unwrap_or_else(|| "none".to_owned());
    let mut parts = Vec::new();
    if before.type_name() != after.type_name() || before.native != after.native {
        parts.push(format!("{} to {}", before.type_name(), after.type_name()));
    }
    if before.nullable != after.nullable {
        parts.push(format!("{} to {}", null(before), null(after)));
    }
    if before.default != after.default {
        parts.push(format!(
            "default {} to {}",
            shown(&before.default),
            shown(&after.default)
        ));
    }
    if before.references != after.references {
        parts.push("its foreign key".to_owned());
    }
    parts.join(", ")
}

fn destructive(change: &Change) -> Option<String> {
    match change {
        Change::AddColumn { table, column } if needs_value(column) => Some(format!(
            "table {table}: rows that are there have no value for the new column {}: give it a default, \
             make it nullable, or allow it with --allow-destructive",
            column.name
        )),
        _ => None,
    }
}

pub(super) fn needs_value(column: &Column) -> bool {
    !column.nullable && column.default.is_none()
}
