//! A run that emits: the schema as it grows, migration by migration.

use std::collections::{BTreeMap, BTreeSet};

use super::ancestry;
use super::databases::dialect;
use super::dialect::Dialect;
use super::loss;
use super::migration::{Emitted, MigrationOptions, NewMigration};
use super::order;
use super::previous::Previous;
use super::rename::{Rename, renames};
use super::sql::{DROPPED, Sql};
use super::step::MigrationStep;
use super::table::{Column, Part, Schema, Table};
use super::was::Former;
use crate::error::Problem;
use crate::former::pending;
use crate::moment;
use crate::project::{Database, Project};

/// A run that emits.
pub(super) struct Emitter<'r> {
    dialects: Vec<(Database, &'static dyn Dialect)>,
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
        let dialects = project.databases.iter().map(|one| (*one, dialect(*one)));
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

    /// Every database's SQL.
    pub(super) fn dialects(&self) -> impl Iterator<Item = &'static dyn Dialect> {
        self.dialects.iter().map(|(_, dialect)| *dialect)
    }

    /// Whether every database does a thing the simple way.
    pub(super) fn all_dialects(&self, simply: impl Fn(&dyn Dialect) -> bool) -> bool {
        self.dialects().all(simply)
    }

    pub(super) fn rename_all(&mut self, former: &Former) {
        let units: Vec<(String, String)> = self.renamed_units(former);
        for table in self.schema.tables.values_mut() {
            if let Some((_, now)) = units.iter().find(|(was, _)| *was == table.unit) {
                table.unit.clone_from(now);
            }
        }
        for rename in renames(&self.schema, self.wanted, former) {
            self.rename(&rename);
        }
        for value in &former.values {
            let renamed = units.iter().any(|(_, now)| *now == value.unit);
            if renamed && self.schema.tables.contains_key(&value.table) {
                let name = format!("rename_{}_to_{}_in_{}", value.from, value.to, value.table);
                let note = format!(
                    "Rows of {} that name {} name {} now.",
                    value.table, value.from, value.to
                );
                let step = MigrationStep::new(&value.unit, name, note)
                    .touching_columns(&value.table, [&*value.column]);
                let back = value.reversed();
                let version = self.emit(step, |dialect| {
                    let down = dialect.rename_value(&back);
                    Sql::from(dialect.rename_value(value)).undone_by(Ok(down))
                });
                if let Some(table) = self.schema.tables.get_mut(&value.table) {
                    table.touch(Part::Column(value.column.clone()), version);
                }
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

    fn rename(&mut self, rename: &Rename) {
        let (Rename::Table { from, to } | Rename::Column { from, to, .. }) = rename;
        self.renamed.push((from.clone(), to.clone()));
        let before = self.schema.clone();
        let version = self.version();
        self.schema.rename(rename, version);
        match rename {
            Rename::Table { from, to } => {
                let (known, table) = (&before.tables[from], self.schema.tables[to].clone());
                let name = format!("rename_{from}_to_{to}");
                let step =
                    MigrationStep::new(&table.unit, name, format!("Renames {from} to {to}."))
                        .touching(to);
                self.emit(step, |dialect| {
                    let down = dialect.rename_table(&table, known);
                    Sql::from(dialect.rename_table(known, &table)).undone_by(Ok(down))
                });
            }
            Rename::Column { table, from, to } => {
                let (known, after) = (&before.tables[table], self.schema.tables[table].clone());
                let name = format!("rename_{from}_to_{to}_in_{table}");
                let note = format!("Renames {from} to {to} in {table}.");
                let step = MigrationStep::new(&after.unit, name, note)
                    .touching_columns(table, [&**from, &**to]);
                self.emit(step, |dialect| {
                    let down = dialect.rename_column(&after, known, to, from);
                    let sql = dialect.rename_column(known, &after, from, to);
                    Sql::from(sql).undone_by(Ok(down))
                });
            }
        }
    }

    pub(super) fn create_all(&mut self) {
        let missing = self.wanted.tables.values().filter(|table| {
            !self.schema.tables.contains_key(&table.name) && self.is_chosen(&table.unit)
        });
        let mut missing: Vec<Table> = missing.cloned().collect();
        let ranks = self.ranks();
        missing.sort_by_key(|table| ranks.get(&table.unit).copied());
        for mut table in order::order(missing, &self.schema) {
            let name = format!("create_{}", table.name);
            let note = format!("Creates the table {}.", table.name);
            let step = MigrationStep::new(&table.unit, name, note).touching(&table.name);
            let version = self.emit(step, |dialect| dialect.creation(&table));
            table.since = Some(version);
            self.created.push(table.name.clone());
            self.schema.tables.insert(table.name.clone(), table);
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
            let note = format!("Drops the pivot {}.", table.name);
            let step = MigrationStep::new(&table.unit, format!("drop_{}", table.name), note);
            let mut step = step.touching(&table.name);
            step.losses.push(loss::of_pivot(&table));
            self.emit(step, |dialect| {
                let sql = dialect.drop_table(&table.name, &[]);
                sql.undone_by(Err(DROPPED))
            });
            self.schema.tables.remove(&table.name);
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

    /// Emits a migration; returns its version.
    pub(super) fn emit<S: Into<Sql>>(
        &mut self,
        step: MigrationStep,
        sql: impl Fn(&dyn Dialect) -> S,
    ) -> i64 {
        self.emit_on(step, |database| sql(dialect(database)).into())
    }

    /// Emits a migration from the SQL of each database; returns its version.
    pub(super) fn emit_on(&mut self, step: MigrationStep, sql: impl Fn(Database) -> Sql) -> i64 {
        let notes = step.notes.iter().map(|note| loss::in_one_line(note));
        let notes: String = notes.map(|note| format!("-- {note}\n")).collect();
        let header = ancestry::header(&self.heads(), &step.touches);
        let (mut texts, mut losing) = (Vec::with_capacity(self.dialects.len()), None);
        for (database, _) in &self.dialects {
            let sql = sql(*database);
            texts.push((
                *database,
                format!("{notes}{header}\n{}", sql.to_migration()),
            ));
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
        self.new.push(NewMigration {
            emitted,
            sql: texts,
            losses: shown(step.losses, losing),
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

/// The losses; the statement that loses values follows the last.
fn shown(mut losses: Vec<Problem>, losing: Option<String>) -> Vec<Problem> {
    if let (Some(last), Some(statement)) = (losses.last_mut(), losing) {
        last.message.push_str(&format!("\n    {statement}"));
    }
    losses
}
