//! Migrations: what a run emits, and what it refuses.

use std::collections::{BTreeMap, BTreeSet};

use super::database_name;
use super::dialect::dialect;
use super::difference::{Difference, Key};
use super::previous::{Emitted, FOLDER, Previous};
use super::rename::renames;
use super::run::Run;
use super::table::{Schema, Table};
use super::was::Former;
use crate::error::Refused;
use crate::exit::Exit;
use crate::moment::Clock;
use crate::project::{Database, Project};

/// How migrations are emitted.
#[derive(Debug, Clone, Default)]
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
    /// What it destroys, one sentence each.
    pub losses: Vec<String>,
}

/// What a run emits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Migrations {
    /// Every migration, earlier ones first, by version.
    pub all: Vec<Emitted>,
    /// Those of this run, in order.
    pub new: Vec<NewMigration>,
    /// Texts of the tables for the state, by path below `.formwork`; `None` removes one.
    pub state_files: BTreeMap<String, Option<String>>,
    /// Tables that no manifest describes any more: they stay until `destroy` drops them.
    pub abandoned: Vec<String>,
}

/// The migrations that lead from what was emitted before to what the manifests say now.
///
/// # Errors
/// [`Refused`] with every change that no migration can make ([`Exit::Usage`]), or that would lose
/// data, with the statement that would ([`Exit::Destructive`]).
pub fn migrations(
    project: &Project,
    previous: &Previous,
    options: &Options<'_>,
) -> Result<Migrations, Refused> {
    let former = Former::of(project);
    let mut wanted = Schema::of(project);
    leave_others(&mut wanted, &previous.schema, options);
    refuse(project, &previous.schema, &wanted, &former)?;
    let mut run = Run::new(project, previous, &wanted, options);
    run.emit_all(&former);
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
fn leave_others(wanted: &mut Schema, before: &Schema, options: &Options<'_>) {
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

/// What no migration can do.
fn refuse(
    project: &Project,
    before: &Schema,
    wanted: &Schema,
    former: &Former,
) -> Result<(), Refused> {
    let unknown = project
        .databases
        .iter()
        .filter(|one| dialect(**one).is_none());
    let unknown =
        unknown.map(|one| format!("migrations for {} are not emitted yet", database_name(*one)));
    let mut known = before.clone();
    for rename in renames(before, wanted, former) {
        known.rename(&rename, 0);
    }
    let keys = wanted.tables.values().filter_map(|table| {
        let before = known.tables.get(&table.name)?;
        let impossible = Difference::between(before, table).key == Key::Impossible;
        impossible.then(|| other_key(before, table))
    });
    Refused::unless_empty(Exit::Usage, unknown.chain(keys).collect())
}

fn other_key(before: &Table, after: &Table) -> String {
    let described = |table: &Table| {
        let column = table.primary.first().and_then(|name| table.column(name));
        match column.filter(|_| !table.is_pivot()) {
            Some(column) => format!("{} {}", column.name, column.type_name()),
            None => table.primary.join(", "),
        }
    };
    let help = match (before.primary.first(), after.primary.first()) {
        (Some(was), Some(now)) if was != now && !before.is_pivot() => {
            format!("where it only has another name, write `key: {{ name: {now}, was: {was} }}`")
        }
        _ => "make another resource, and bring the rows there".to_owned(),
    };
    format!(
        "table {}: no migration makes the primary key ({}) of what it is ({}), because rows name each other by it: {help}",
        after.name,
        described(after),
        described(before)
    )
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
        let recast = line.starts_with("UPDATE") || line.starts_with("INSERT INTO \"formwork_new_");
        dropped || recast
    };
    let dropped = |line: &&str| line.starts_with("DROP TABLE");
    let found = sql.lines().find(destroys);
    found
        .or_else(|| sql.lines().find(dropped))
        // Nothing, on a database that stores both alike.
        .or_else(|| sql.lines().last())
}
