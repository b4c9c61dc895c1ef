//! A run that emits: the schema as it grows, migration by migration.

use std::collections::{BTreeMap, BTreeSet};

use super::ancestry;
use super::change::Change;
use super::databases::dialect;
use super::dialect::{Alteration, Dialect};
use super::loss;
use super::migration::{Emitted, MigrationOptions, NewMigration};
use super::order;
use super::previous::Previous;
use super::rename::{Rename, renames};
use super::sql::{Down, Sql};
use super::step::MigrationStep;
use super::table::{Column, Schema, Table};
use super::was::Former;
use crate::error::Problem;
use crate::former::pending;
use crate::moment;
use crate::project::Project;

/// A run that emits.
pub(super) struct Emitter<'r> {
    /// The dialect of each database of the project.
    pub(super) dialects: Vec<&'static dyn Dialect>,
    /// The schema as it grows.
    pub(super) schema: Schema,
    pub(super) wanted: &'r Schema,
    pub(super) new: Vec<NewMigration>,
    /// Tables that this run makes.
    pub(super) created: Vec<String>,
    /// Tables and columns that this run renames: former and new.
    pub(super) renamed: Vec<(String, String)>,
    next: i64,
    pub(super) previous: &'r Previous,
    heads: Option<Vec<String>>,
    pub(super) project: &'r Project,
    options: &'r MigrationOptions<'r>,
    /// Losses that no migration makes: rows keep values that their manifest does not allow any more.
    pub(super) losses: Vec<Problem>,
}

impl<'r> Emitter<'r> {
    pub(super) fn new(
        project: &'r Project,
        previous: &'r Previous,
        wanted: &'r Schema,
        options: &'r MigrationOptions<'r>,
    ) -> Self {
        let dialects = project.databases.iter().copied().map(dialect);
        let last = previous
            .emitted
            .iter()
            .filter_map(|one| moment::seconds(one.version))
            .chain(previous.youngest)
            .max();
        let now = options.clock.seconds();
        Self {
            dialects: dialects.collect(),
            schema: previous.schema.clone(),
            wanted,
            new: Vec::new(),
            created: Vec::new(),
            renamed: Vec::new(),
            next: last.map_or(now, |last| now.max(last + 1)),
            previous,
            heads: None,
            project,
            options,
            losses: Vec::new(),
        }
    }

    /// Whether tables of this unit are part of this run.
    pub(super) fn is_chosen(&self, unit: &str) -> bool {
        self.options.units.is_none_or(|units| units.contains(unit))
    }

    pub(super) fn rename_all(&mut self, former: &Former) {
        let units: Vec<(String, String)> = self.renamed_units(former);
        for table in self.schema.tables.values_mut() {
            if let Some((_, now)) = units.iter().find(|(was, _)| *was == table.unit) {
                table.unit.clone_from(now);
            }
        }
        for rename in renames(&self.schema, self.wanted, former) {
            self.rename(rename);
        }
        for value in &former.values {
            let is_renamed = units.iter().any(|(_, now)| *now == value.unit);
            if is_renamed && self.schema.tables.contains_key(&value.table) {
                self.make(Change::RenameValue(value.clone()));
            }
        }
    }

    /// Units that were renamed since the last run: old and new.
    fn renamed_units(&self, former: &Former) -> Vec<(String, String)> {
        let names = former.units.iter().filter(|(now, _)| self.is_chosen(now));
        let names = names.map(|(now, was)| (now.as_str(), was.as_str()));
        let known = self.schema.tables.values();
        let known: BTreeSet<&str> = known.map(|table| table.unit.as_str()).collect();
        let pending = pending(&names.collect(), |unit| known.contains(unit));
        pending
            .into_iter()
            .map(|(was, now)| (was.to_owned(), now.to_owned()))
            .collect()
    }

    fn rename(&mut self, rename: Rename) {
        let (Rename::Table { from, to } | Rename::Column { from, to, .. }) = &rename;
        self.renamed.push((from.clone(), to.clone()));
        let mut renamed = self.schema.clone();
        renamed.rename(&rename, self.version());
        let (before, after) = rename.tables();
        let known = self.schema.tables[before].clone();
        let one = Alteration::new(known, renamed.tables[after].clone());
        self.make(Change::Rename(rename, one));
    }

    pub(super) fn create_all(&mut self) {
        let missing = self.wanted.tables.values().filter(|table| {
            !self.schema.tables.contains_key(&table.name) && self.is_chosen(&table.unit)
        });
        let mut missing: Vec<Table> = missing.cloned().collect();
        let ranks = self.ranks();
        missing.sort_by_key(|table| ranks.get(&table.unit).copied());
        for table in order::order(missing, &self.schema) {
            self.created.push(table.name.clone());
            self.make(Change::CreateTable(table));
        }
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

    /// Drops pivots that no relation has any more. A table whose manifest disappeared stays.
    pub(super) fn drop_pivots(&mut self) {
        let units = self.ranks();
        let lost = self.schema.tables.values().filter(|table| {
            let unwanted = table.is_pivot() && !self.wanted.tables.contains_key(&table.name);
            unwanted && units.contains_key(&table.unit) && self.is_chosen(&table.unit)
        });
        for table in lost.cloned().collect::<Vec<_>>() {
            self.make(Change::DropTable {
                table,
                pointing: Vec::new(),
                is_destroyed: false,
            });
        }
    }

    /// The version of the next migration.
    pub(super) fn version(&self) -> i64 {
        moment::version(self.next)
    }

    /// The last migrations. They are looked up for the first that is emitted: most runs emit none.
    fn heads(&self) -> Vec<String> {
        let heads = self.heads.clone();
        heads.unwrap_or_else(|| self.previous.heads())
    }

    /// Emits the migration of a change, and applies the change to the schema.
    pub(super) fn make(&mut self, change: Change) {
        let step = change.describe(&self.dialects);
        let version = self.emit(step, |dialect| change.sql(dialect));
        change.apply(&mut self.schema, version);
    }

    /// Emits a migration from the SQL of each database; returns its version.
    pub(super) fn emit(
        &mut self,
        step: MigrationStep,
        sql: impl Fn(&dyn Dialect) -> (Sql, Down),
    ) -> i64 {
        let notes = step.notes.iter().map(|note| loss::in_one_line(note));
        let notes: String = notes.map(|note| format!("-- {note}\n")).collect();
        let header = ancestry::header(&self.heads(), &step.touches);
        let (mut texts, mut losing) = (Vec::with_capacity(self.dialects.len()), None);
        for dialect in &self.dialects {
            let (sql, down) = sql(*dialect);
            let text = format!("{notes}{header}\n{}{}", sql.text, down_part(&down));
            texts.push((dialect.database(), text));
            losing = losing.or(sql.losing);
        }
        let version = self.version();
        let emitted = Emitted {
            version,
            number: version.to_string(),
            name: step.name,
            folder: step.unit.split('.').next().unwrap_or_default().to_owned(),
            unit: step.unit,
            databases: texts.iter().map(|(database, _)| *database).collect(),
        };
        self.next += 1;
        self.heads = Some(vec![ancestry::id(&emitted)]);
        let mut losses = step.losses;
        if let Some(last) = losses.last_mut() {
            last.statement = losing;
        }
        self.new.push(NewMigration {
            emitted,
            sql: texts,
            losses,
        });
        version
    }

    /// A table follows its manifest to another extension, and its columns the manifest's order.
    pub(super) fn follow_manifests(&mut self) {
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

/// Returns the end of a migration: what undoes it.
pub(super) fn down_part(down: &Down) -> String {
    match down {
        Ok(down) => format!("\n-- down\n{down}"),
        Err(reason) => format!("\n-- down: {reason}\n"),
    }
}
