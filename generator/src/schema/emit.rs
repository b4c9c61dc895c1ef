//! Migrations: what a run emits, and what it refuses.

use super::clash;
use super::databases::{database_name, dialect};
use super::loss;
use super::migration::{FOLDER, MigrationOptions, Migrations, NewMigration};
use super::previous::Previous;
use super::rekey;
use super::rename::renames;
use super::run::Run;
use super::table::Schema;
use super::was::Former;
use crate::error::Refused;
use crate::exit::Exit;
use crate::project::Project;

/// The migrations that lead from what was emitted before to what the manifests say now.
///
/// # Errors
/// [`Refused`] with every change that no migration can make ([`Exit::Usage`]), or that would lose
/// data, with the statement that would ([`Exit::Destructive`]).
pub fn migrations(
    project: &Project,
    previous: &Previous,
    options: &MigrationOptions<'_>,
) -> Result<Migrations, Refused> {
    let former = Former::of(project);
    let every = Schema::of(project);
    let mut wanted = every.clone();
    leave_others(&mut wanted, &previous.schema, options);
    let mut known = previous.schema.clone();
    for rename in renames(&previous.schema, &wanted, &former) {
        known.rename(&rename, 0);
    }
    let keys = rekey::refused(&known, &wanted, &every, options);
    Refused::unless_empty(Exit::Usage, unknown(project).chain(keys).collect())?;
    Refused::unless_empty(Exit::Usage, of_one_value(&known, &wanted))?;
    let mut run = Run::new(project, previous, &wanted, options);
    run.emit_all(&former);
    if !run.new.is_empty() {
        Refused::unless_empty(Exit::Usage, previous.lost())?;
    }
    let twice = clash::names(&run.schema).into_iter();
    let twice = twice.chain(clash::tables(previous, &run.new));
    Refused::unless_empty(Exit::Usage, twice.collect())?;
    if !options.allow_destructive {
        Refused::unless_empty(Exit::Destructive, losses(&run.new))?;
    }
    let mut all = previous.emitted.clone();
    all.extend(run.new.iter().map(|migration| migration.emitted.clone()));
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
    Ok(Migrations {
        all,
        state_files: gone
            .map(|name| (name, None))
            .chain(texts)
            .map(|(name, text)| (format!("{FOLDER}/{name}.schema"), text))
            .collect(),
        abandoned: abandoned.cloned().collect(),
        new: run.new,
    })
}

/// Tables of other units stay as they were.
fn leave_others(wanted: &mut Schema, before: &Schema, options: &MigrationOptions<'_>) {
    let Some(units) = options.units else { return };
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

/// Columns that rows which are there would all get the same value for, and that must differ.
fn of_one_value(known: &Schema, wanted: &Schema) -> Vec<String> {
    let both = wanted.tables.values();
    let both = both.filter_map(|after| Some((known.tables.get(&after.name)?, after)));
    both.flat_map(|(before, after)| loss::of_one_value(before, after))
        .collect()
}

/// Databases no migration can be written for.
fn unknown(project: &Project) -> impl Iterator<Item = String> {
    let unknown = project.databases.iter().copied();
    let unknown = unknown.filter(|one| dialect(*one).is_none());
    unknown.map(|one| format!("migrations for {} are not emitted yet", database_name(one)))
}

/// What this run would destroy, and by which statements.
fn losses(new: &[NewMigration]) -> Vec<String> {
    let mut problems = Vec::new();
    for migration in new {
        let sql = migration.sql.first().map_or("", |(_, sql)| sql);
        let mut losses = migration.losses.clone();
        if let (Some(last), Some(statement)) = (losses.last_mut(), statement(sql)) {
            last.push_str(&format!("\n    {statement}"));
        }
        problems.extend(losses);
    }
    if let Some(last) = problems.last_mut() {
        last.push_str("\n--allow-destructive emits what destroys as well");
    }
    problems
}

/// The statement of a migration that destroys.
fn statement(sql: &str) -> Option<&str> {
    let destroys = |line: &&str| {
        let dropped = line.starts_with("ALTER TABLE") && line.contains(" DROP COLUMN ");
        let starts = [
            "UPDATE",
            "INSERT INTO \"formwork_new_",
            "CREATE TABLE \"formwork_rows\" AS",
        ];
        dropped || starts.iter().any(|start| line.starts_with(start))
    };
    let dropped = |line: &&str| line.starts_with("DROP TABLE");
    let found = sql.lines().find(destroys);
    found
        .or_else(|| sql.lines().find(dropped))
        // Nothing, on a database that stores both alike.
        .or_else(|| sql.lines().last())
}
