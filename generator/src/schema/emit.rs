//! Migrations: what a run emits, and what it refuses.

use std::collections::{BTreeMap, BTreeSet};

use super::database_name;
use super::dialect::{Dialect, dialect};
use super::difference::{Change, difference};
use super::order;
use super::previous::{Emitted, FOLDER, Previous};
use super::table::{Column, Index, Schema, Table};
use crate::error::Refused;
use crate::exit::Exit;
use crate::moment::{self, Clock};
use crate::project::{ColumnType, Database, Project};

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
    let mut run = Run::new(project, previous, options)?;
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

fn needs_value(column: &Column) -> bool {
    !column.nullable && column.default.is_none()
}

/// A run that emits.
struct Run<'p> {
    dialects: Vec<(Database, &'static dyn Dialect)>,
    /// The schema as it grows.
    schema: Schema,
    wanted: Schema,
    new: Vec<NewMigration>,
    next: i64,
    project: &'p Project,
}

impl<'p> Run<'p> {
    fn new(
        project: &'p Project,
        previous: &Previous,
        options: &Options<'_>,
    ) -> Result<Self, Refused> {
        let dialects = project
            .databases
            .iter()
            .filter_map(|one| dialect(*one).map(|sql| (*one, sql)));
        let last = previous
            .emitted
            .iter()
            .filter_map(|one| moment::seconds(one.version))
            .max();
        let next = last.map_or(options.clock.seconds(), |last| {
            options.clock.seconds().max(last + 1)
        });
        Ok(Self {
            dialects: dialects.collect(),
            schema: previous.schema.clone(),
            wanted: Schema::of(project),
            new: Vec::new(),
            next,
            project,
        })
    }

    fn take(&mut self, changes: Vec<Change>, previous: &Previous) {
        let (created, changed): (Vec<_>, Vec<_>) = changes
            .into_iter()
            .partition(|change| matches!(change, Change::CreateTable(_)));
        let created = created.into_iter().filter_map(|change| match change {
            Change::CreateTable(table) => Some(table),
            _ => None,
        });
        let ranks = self.ranks();
        let mut created: Vec<Table> = created.collect();
        created.sort_by_key(|table| ranks.get(&table.unit).copied());
        for table in order::order(created, &previous.schema) {
            self.create(table);
        }
        changed.into_iter().for_each(|change| self.change(change));
        self.follow();
    }

    /// Units in the order of the project.
    fn ranks(&self) -> BTreeMap<String, usize> {
        let registered = self.project.registered().enumerate();
        registered
            .map(|(rank, (extension, resource))| {
                (format!("{}.{}", extension.folder, resource.key), rank)
            })
            .collect()
    }

    fn create(&mut self, table: Table) {
        let name = format!("create_{}", table.name);
        let note = format!("Creates the table {}.", table.name);
        self.emit(&table.unit, name, &note, |dialect| {
            dialect.create_table(&table)
        });
        self.schema.tables.insert(table.name.clone(), table);
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::AddColumn { table, column } => self.add_column(&table, column),
            Change::AddIndex { table, index } => self.add_index(&table, index),
            Change::DropIndex { table, index } => self.drop_index(&table, index),
            _ => {}
        }
    }

    /// The column, with the indexes that need nothing else.
    fn add_column(&mut self, table: &str, mut column: Column) {
        let Some(known) = self.schema.tables.get(table) else {
            return;
        };
        let unit = known.unit.clone();
        let mut filled = column.clone();
        if needs_value(&column) {
            filled.default = Some(zero(&column.kind).to_owned());
        }
        let there = |name: &str| self.schema.tables.contains_key(name);
        let late = column
            .references
            .as_ref()
            .is_some_and(|to| !there(&to.table));
        let loose = self
            .dialects
            .iter()
            .any(|(_, dialect)| !dialect.constrains_added(&filled));
        column.deferred = column.references.is_some() && (late || loose);
        filled.deferred = column.deferred;
        let own = Index {
            columns: vec![column.name.clone()],
            unique: false,
        };
        let own = [
            own.clone(),
            Index {
                unique: true,
                ..own
            },
        ];
        let wanted = self
            .wanted
            .tables
            .get(table)
            .map(|wanted| wanted.indexes.clone());
        let own: Vec<Index> = own
            .into_iter()
            .filter(|index| wanted.as_ref().is_some_and(|all| all.contains(index)))
            .collect();
        let name = format!("add_{}_to_{table}", column.name);
        let note = format!("Adds the column {} to {table}.", column.name);
        self.emit(&unit, name, &note, |dialect| {
            let indexes = own
                .iter()
                .map(|index| format!("\n{}", dialect.add_index(table, index)));
            dialect.add_column(table, &filled) + &indexes.collect::<String>()
        });
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.columns.push(column);
            known.indexes.extend(own);
        }
    }

    fn add_index(&mut self, table: &str, index: Index) {
        let Some(known) = self.schema.tables.get(table) else {
            return;
        };
        if known.indexes.contains(&index) {
            return;
        }
        let unit = known.unit.clone();
        let name = format!("index_{}_of_{table}", index.columns.join("_"));
        let note = format!("Indexes {} of {table}.", index.columns.join(", "));
        self.emit(&unit, name, &note, |dialect| {
            dialect.add_index(table, &index)
        });
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.indexes.insert(index);
        }
    }

    fn drop_index(&mut self, table: &str, index: Index) {
        let Some(known) = self.schema.tables.get_mut(table) else {
            return;
        };
        known.indexes.remove(&index);
        let unit = known.unit.clone();
        let name = format!("drop_index_{}_of_{table}", index.columns.join("_"));
        let note = format!(
            "Drops the index of {} of {table}.",
            index.columns.join(", ")
        );
        self.emit(&unit, name, &note, |dialect| {
            dialect.drop_index(table, &index)
        });
    }

    fn emit(&mut self, unit: &str, name: String, note: &str, sql: impl Fn(&dyn Dialect) -> String) {
        let text = |dialect| format!("-- {note}\n\n{}", sql(dialect));
        let sql = self
            .dialects
            .iter()
            .map(|(database, dialect)| (*database, text(*dialect)));
        let sql: Vec<(Database, String)> = sql.collect();
        let emitted = Emitted {
            version: moment::version(self.next),
            name,
            folder: unit.split('.').next().unwrap_or_default().to_owned(),
            unit: unit.to_owned(),
            databases: sql.iter().map(|(database, _)| *database).collect(),
        };
        self.next += 1;
        self.new.push(NewMigration { emitted, sql });
    }

    /// A table follows its manifest to another extension, and its columns the manifest's order.
    fn follow(&mut self) {
        for (name, table) in &mut self.schema.tables {
            let Some(wanted) = self.wanted.tables.get(name) else {
                continue;
            };
            table.unit.clone_from(&wanted.unit);
            let place = |column: &Column| {
                wanted
                    .columns
                    .iter()
                    .position(|one| one.name == column.name)
            };
            table
                .columns
                .sort_by_key(|column| place(column).unwrap_or(usize::MAX));
        }
    }
}

/// What rows that are there get in a column that must not be null.
fn zero(kind: &ColumnType) -> &'static str {
    match kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Float | ColumnType::Decimal(..) => {
            "0"
        }
        ColumnType::Boolean => "false",
        ColumnType::Date => "1970-01-01",
        ColumnType::Time => "00:00:00",
        ColumnType::DateTime => "1970-01-01T00:00:00Z",
        ColumnType::Json => "null",
        ColumnType::Uuid => "00000000-0000-0000-0000-000000000000",
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => "",
    }
}
