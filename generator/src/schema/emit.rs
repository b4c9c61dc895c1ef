//! Migrations: what a run emits, and what it refuses.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::baseline;
use super::clash;
use super::emitter::Emitter;
use super::loss;
use super::migration::{Emitted, FOLDER, MigrationOptions, Migrations};
use super::previous::Previous;
use super::rekey;
use super::rename::renames;
use super::table::Schema;
use super::was::Former;
use crate::error::{Problem, Refused};
use crate::exit::Exit;
use crate::project::{Database, Project};

const PERMISSION: &str = "the same command with `--allow-destructive` emits what destroys as well";

/// The migrations that lead from the last emitted tables to those of the manifests. Where they
/// would lose data without permission, there are none, and [`Migrations::refused`] says why.
///
/// # Errors
/// [`Refused`] with every change that no migration can make ([`Exit::Usage`]).
pub fn migrations(
    project: &Project,
    previous: &Previous,
    options: &MigrationOptions<'_>,
) -> Result<Migrations, Refused> {
    let former = Former::of(project);
    let every = Schema::of(project);
    let mut wanted = Cow::Borrowed(&every);
    if let Some(units) = options.units {
        leave_others(wanted.to_mut(), &previous.schema, units);
    }
    refuse_impossible(previous, (&wanted, &every), &former, options)?;
    let mut run = Emitter::new(project, previous, &wanted, options);
    emit_all(&mut run, &former);
    if let Some(units) = options.destroyed {
        run.drop_destroyed(units)?;
    }
    if !run.new.is_empty() {
        Refused::unless_empty(Exit::Usage, previous.lost())?;
    }
    let twice = clash::names(&run.schema).into_iter();
    let lost = clash::tables(previous, &run.created).into_iter();
    let twice = twice.chain(lost.map(Problem::from));
    Refused::unless_empty(Exit::Usage, twice.collect::<Vec<_>>())?;
    let of_migrations = run.new.iter().flat_map(|new| &new.losses);
    let losses: Vec<Problem> = run.losses.iter().chain(of_migrations).cloned().collect();
    if !options.allow_destructive && !losses.is_empty() {
        return Ok(Migrations {
            lacking: baseline::lacking(project, &previous.emitted),
            all: previous.emitted.clone(),
            tables: by_unit(&previous.schema),
            refused: Some(Refused {
                exit: Exit::Destructive,
                problems: losses,
                help: vec![PERMISSION.to_owned()],
            }),
            ..Migrations::default()
        });
    }
    Ok(emitted(run, previous, &wanted))
}

/// Refuses what no migration can do.
fn refuse_impossible(
    previous: &Previous,
    (wanted, every): (&Schema, &Schema),
    former: &Former,
    options: &MigrationOptions<'_>,
) -> Result<(), Refused> {
    let mut known = Cow::Borrowed(&previous.schema);
    for rename in renames(&previous.schema, wanted, former) {
        known.to_mut().rename(&rename, 0);
    }
    let keys = rekey::refused(&known, wanted, every, options);
    Refused::unless_empty(Exit::Usage, keys)?;
    Refused::unless_empty(Exit::Usage, of_one_value(&known, wanted))
}

/// Emits everything that leads to the wanted schema.
fn emit_all(run: &mut Emitter<'_>, former: &Former) {
    run.add_databases();
    run.rename_all(former);
    run.replace_values();
    // A new table points to keys of their new types: databases with typed columns insist on it.
    run.rekey_all();
    run.create_all();
    for name in run.wanted.tables.keys() {
        run.alter(name);
    }
    run.drop_pivots();
    run.follow_manifests();
}

/// The migrations of a run, and the state after it.
fn emitted(run: Emitter<'_>, previous: &Previous, wanted: &Schema) -> Migrations {
    let mut all = previous.emitted.clone();
    for migration in &run.new {
        let one = &migration.emitted;
        let is_same =
            |known: &&mut Emitted| known.path(Database::Sqlite) == one.path(Database::Sqlite);
        match all.iter_mut().find(is_same) {
            Some(known) => known.clone_from(one),
            None => all.push(one.clone()),
        }
    }
    let by_unit = by_unit(&run.schema);
    let tables = run.schema.tables;
    let abandoned = tables
        .keys()
        .filter(|name| !wanted.tables.contains_key(*name));
    let gone = previous.schema.tables.keys();
    let gone = gone.chain(&previous.joined);
    let gone = gone.filter(|name| !tables.contains_key(*name));
    let texts = tables
        .values()
        .map(|table| (&table.name, Some(table.to_text())));
    Migrations {
        lacking: baseline::lacking(run.project, &all),
        all,
        state_files: gone
            .map(|name| (name, None))
            .chain(texts)
            .map(|(name, text)| (format!("{FOLDER}/{name}.schema"), text))
            .collect(),
        abandoned: abandoned.cloned().collect(),
        tables: by_unit,
        new: run.new,
        renamed: run.renamed,
        refused: None,
    }
}

fn by_unit(schema: &Schema) -> BTreeMap<String, Vec<String>> {
    let mut units: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for table in schema.tables.values() {
        let tables = units.entry(table.unit.clone()).or_default();
        tables.push(table.name.clone());
    }
    units
}

/// Tables of other units stay as they were.
fn leave_others(wanted: &mut Schema, before: &Schema, units: &BTreeSet<String>) {
    wanted
        .tables
        .retain(|name, table| units.contains(&table.unit) || before.tables.contains_key(name));
    for (name, table) in &mut wanted.tables {
        if let Some(known) = before
            .tables
            .get(name)
            .filter(|_| !units.contains(&table.unit))
        {
            *table = known.clone();
        }
    }
}

/// New unique columns for which all existing rows would get the same value.
fn of_one_value(known: &Schema, wanted: &Schema) -> Vec<Problem> {
    let both = known.pairs(wanted);
    both.flat_map(|(before, after)| loss::of_one_value(before, after))
        .collect()
}
