//! Dropping what a destroyed resource leaves (regeneration.md, "Commands"): the one way to lose a
//! table, because a manifest that disappears never drops its table.

use std::collections::BTreeSet;

use super::ancestry::{header, id};
use super::databases::dialect;
use super::migration::{Emitted, FOLDER, Migrations, NewMigration};
use super::previous::Previous;
use super::table::{Schema, Table};
use crate::error::Refused;
use crate::exit::Exit;
use crate::moment::{self, Clock};
use crate::project::Project;

/// Adds to `migrations` what drops the tables of `unit`, pivots included. `project` is what the
/// manifests say without the destroyed one: what it still describes stays.
///
/// # Errors
/// [`Refused`] with [`Exit::Usage`] where a table that stays points to one that would go.
pub fn destroy(
    migrations: &mut Migrations,
    project: &Project,
    previous: &Previous,
    unit: &str,
    clock: Clock,
) -> Result<(), Refused> {
    let wanted = Schema::of(project);
    let lost: Vec<&Table> = previous
        .schema
        .tables
        .values()
        .filter(|table| table.unit == unit && !wanted.tables.contains_key(&table.name))
        .collect();
    refuse_pointed_at(&lost, &previous.schema)?;
    for table in in_order(lost) {
        let last = migrations.new.last();
        let heads = last.map_or_else(|| previous.heads(), |one| vec![id(&one.emitted)]);
        let header = header(&heads, std::slice::from_ref(&table.name));
        let migration = drop_table(migrations, project, table, (clock, &header));
        migrations.all.push(migration.emitted.clone());
        migrations.new.push(migration);
        migrations.abandoned.retain(|name| *name != table.name);
        migrations
            .state_files
            .insert(format!("{FOLDER}/{}.schema", table.name), None);
    }
    Ok(())
}

fn refuse_pointed_at(lost: &[&Table], before: &Schema) -> Result<(), Refused> {
    let names: BTreeSet<&str> = lost.iter().map(|table| table.name.as_str()).collect();
    let mut problems = Vec::new();
    for table in before.tables.values() {
        let targets = pointed_at(table).filter(|name| names.contains(name));
        if !names.contains(table.name.as_str()) {
            problems.extend(targets.map(|name| {
                format!(
                    "table {}: its foreign key points to {name}, which would be dropped: \
                     take it out of its manifest and run formwork generate, or destroy its resource first",
                    table.name
                )
            }));
        }
    }
    problems.dedup();
    Refused::unless_empty(Exit::Usage, problems)
}

fn pointed_at(table: &Table) -> impl Iterator<Item = &str> {
    let constraints = table
        .columns
        .iter()
        .filter_map(|column| column.constraint());
    constraints.map(|to| to.table.as_str())
}

/// What points before what it points to.
fn in_order(mut left: Vec<&Table>) -> Vec<&Table> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let is_free = |table: &&Table| {
            let mut others = left.iter().filter(|other| other.name != table.name);
            !others.any(|other| pointed_at(other).any(|name| name == table.name))
        };
        // In a cycle one constraint is deferred, so that somebody is free.
        let next = left.iter().position(is_free).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}

fn drop_table(
    migrations: &Migrations,
    project: &Project,
    table: &Table,
    (clock, header): (Clock, &str),
) -> NewMigration {
    let versions = migrations.all.iter().map(|emitted| emitted.version);
    let last = versions.filter_map(moment::seconds).max();
    let next = last.map_or(clock.seconds(), |last| clock.seconds().max(last + 1));
    let known = project.databases.iter().copied();
    let dialects = known.filter_map(|one| dialect(one).map(|sql| (one, sql)));
    let note = format!(
        "-- Drops the table {}: its resource was destroyed.\n{header}\n",
        table.name
    );
    let sql: Vec<_> = dialects
        .map(|(database, sql)| (database, format!("{note}{}", sql.drop_table(&table.name))))
        .collect();
    let version = moment::version(next);
    let emitted = Emitted {
        version,
        number: version.to_string(),
        name: format!("drop_{}", table.name),
        folder: table.unit.split('.').next().unwrap_or_default().to_owned(),
        unit: table.unit.clone(),
        databases: sql.iter().map(|(database, _)| *database).collect(),
    };
    NewMigration {
        emitted,
        sql,
        // The command is itself the permission.
        losses: Vec::new(),
    }
}
