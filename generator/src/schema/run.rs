//! A run that emits: the schema as it grows, change by change.

use std::collections::BTreeMap;

use super::dialect::{Dialect, dialect};
use super::difference::Change;
use super::emit::{NewMigration, Options, needs_value};
use super::order;
use super::previous::{Emitted, Previous};
use super::table::{Column, Index, Schema, Table};
use crate::moment;
use crate::project::{ColumnType, Database, Project};

/// A run that emits.
pub(super) struct Run<'p> {
    dialects: Vec<(Database, &'static dyn Dialect)>,
    /// The schema as it grows.
    pub(super) schema: Schema,
    wanted: Schema,
    pub(super) new: Vec<NewMigration>,
    next: i64,
    project: &'p Project,
}

impl<'p> Run<'p> {
    pub(super) fn new(project: &'p Project, previous: &Previous, options: &Options<'_>) -> Self {
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
        Self {
            dialects: dialects.collect(),
            schema: previous.schema.clone(),
            wanted: Schema::of(project),
            new: Vec::new(),
            next,
            project,
        }
    }

    pub(super) fn take(&mut self, changes: Vec<Change>, previous: &Previous) {
        let (created, changed): (Vec<_>, Vec<_>) = changes
            .into_iter()
            .partition(|change| matches!(change, Change::CreateTable(_)));
        let mut created: Vec<Table> = created
            .into_iter()
            .filter_map(|change| match change {
                Change::CreateTable(table) => Some(table),
                _ => None,
            })
            .collect();
        let ranks = self.ranks();
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
        let Some(unit) = self
            .schema
            .tables
            .get(table)
            .map(|known| known.unit.clone())
        else {
            return;
        };
        let default = column.default.clone();
        if needs_value(&column) {
            column.default = Some(zero(&column.kind).to_owned());
        }
        column.deferred = self.defers(&column);
        let own = self.own_indexes(table, &column);
        let name = format!("add_{}_to_{table}", column.name);
        let note = format!("Adds the column {} to {table}.", column.name);
        self.emit(&unit, name, &note, |dialect| {
            let indexes = own
                .iter()
                .map(|index| format!("\n{}", dialect.add_index(table, index)));
            dialect.add_column(table, &column) + &indexes.collect::<String>()
        });
        // What rows that are there got is no default.
        column.default = default;
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.columns.push(column);
            known.indexes.extend(own);
        }
    }

    /// Whether a new column goes without the constraint it wants.
    fn defers(&self, column: &Column) -> bool {
        column.references.as_ref().is_some_and(|to| {
            let late = !self.schema.tables.contains_key(&to.table);
            late || self
                .dialects
                .iter()
                .any(|(_, dialect)| !dialect.constrains_added(column))
        })
    }

    /// Wanted indexes of this column alone.
    fn own_indexes(&self, table: &str, column: &Column) -> Vec<Index> {
        let wanted = self
            .wanted
            .tables
            .get(table)
            .into_iter()
            .flat_map(|wanted| &wanted.indexes);
        wanted
            .filter(|index| index.columns == [column.name.as_str()])
            .cloned()
            .collect()
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
