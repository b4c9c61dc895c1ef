//! One table that becomes another: simple changes in migrations of their own, the rest in one.

use std::borrow::Cow;

use super::dialect::Alteration;
use super::difference::{Difference, PrimaryKeyChange};
use super::emitter::Emitter;
use super::loss;
use super::sql::{DROPPED, Sql};
use super::step::{MigrationStep, shortened};
use super::table::{Column, Index, Part, Table};

impl Emitter<'_> {
    /// Emits the migrations from a table to the wanted one.
    pub(super) fn alter(&mut self, name: &str) {
        let Some((before, wanted)) = self.current_and_target(name) else {
            return;
        };
        let mut difference = Difference::between(before, &wanted);
        if difference == Difference::default() {
            return;
        }
        let (before, wanted) = (before.clone(), wanted.into_owned());
        if difference.key == PrimaryKeyChange::Other {
            return self.recreate(&before, wanted);
        }
        let gone = |index: &Index| {
            let mut dropped = difference.dropped.iter();
            dropped.any(|column| index.columns.contains(&column.name))
        };
        let unindexed = difference.unindexed.iter().filter(|index| !gone(index));
        for index in unindexed.cloned().collect::<Vec<_>>() {
            self.drop_index(name, index);
        }
        for column in self.simply_dropped(&before, &difference) {
            self.drop_column(name, column);
        }
        for column in self.simply_added(&difference) {
            self.add_column(name, &wanted, column);
        }
        if let Some(before) = self.schema.tables.get(name).cloned() {
            difference = Difference::between(&before, &wanted);
            self.alter_rest(&before, &wanted, &difference);
        }
        for index in difference.indexed {
            self.add_index(name, index);
        }
    }

    /// The table as it is, and as it can be by now: a constraint needs the table it points to.
    pub(super) fn current_and_target(&self, name: &str) -> Option<(&Table, Cow<'_, Table>)> {
        let before = self.schema.tables.get(name)?;
        let mut wanted = Cow::Borrowed(self.wanted.tables.get(name)?);
        if !self.is_chosen(&wanted.unit) {
            return None;
        }
        let is_deferred = |column: &Column| {
            let target = column.references.as_ref();
            target.is_some_and(|to| !self.schema.tables.contains_key(&to.table))
        };
        let is_other = |column: &Column| column.deferred != is_deferred(column);
        if wanted.columns.iter().any(is_other) {
            for column in &mut wanted.to_mut().columns {
                column.deferred = is_deferred(column);
            }
        }
        Some((before, wanted))
    }

    fn simply_dropped(&self, before: &Table, difference: &Difference) -> Vec<Column> {
        let simply = |column: &&Column| {
            let key = before.primary.contains(&column.name);
            !key && self.all_dialects(|dialect| dialect.drops(before, column))
        };
        difference.dropped.iter().filter(simply).cloned().collect()
    }

    fn simply_added(&self, difference: &Difference) -> Vec<Column> {
        let counted = difference.key == PrimaryKeyChange::Counted;
        let simply =
            |column: &&Column| !counted && self.all_dialects(|dialect| dialect.adds(column));
        difference.added.iter().filter(simply).cloned().collect()
    }

    /// The column, with the indexes that need nothing else.
    fn add_column(&mut self, table: &str, wanted: &Table, column: Column) {
        let own: Vec<Index> = wanted
            .indexes
            .iter()
            .filter(|index| index.columns == [column.name.as_str()])
            .cloned()
            .collect();
        let name = format!("add_{}_to_{table}", column.name);
        let note = format!("Adds the column {} to {table}.", column.name);
        let step =
            MigrationStep::new(&wanted.unit, name, note).touching_columns(table, [&*column.name]);
        let Some(known) = self.schema.tables.get(table).cloned() else {
            return;
        };
        let version = self.emit(step, |dialect| {
            let sql = Sql::from(dialect.add_column(&known, &column, &own));
            sql.undone_by(dialect.undo_column(&known, &column, &own))
        });
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.touch(Part::Column(column.name.clone()), version);
            known.columns.push(column);
            for index in own {
                known.touch(Part::Index(index.clone()), version);
                known.indexes.insert(index);
            }
        }
    }

    fn drop_column(&mut self, table: &str, column: Column) {
        let Some(known) = self.schema.tables.get(table).cloned() else {
            return;
        };
        let needs = |index: &&Index| index.columns.contains(&column.name);
        let indexes: Vec<Index> = known.indexes.iter().filter(needs).cloned().collect();
        let name = format!("drop_{}_from_{table}", column.name);
        let note = format!("Drops the column {} from {table}.", column.name);
        let mut step =
            MigrationStep::new(&known.unit, name, note).touching_columns(table, [&*column.name]);
        step.losses.push(loss::of_dropped(&known, &column));
        let version = self.emit(step, |dialect| {
            let sql = dialect.drop_column(&known, &column, &indexes);
            sql.undone_by(Err(DROPPED))
        });
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.drop_column(&column.name);
            known.touch(Part::Column(column.name), version);
            for index in indexes {
                known.touch(Part::Index(index), version);
            }
        }
    }

    fn add_index(&mut self, table: &str, index: Index) {
        let Some(known) = self.schema.tables.get(table).cloned() else {
            return;
        };
        if known.indexes.contains(&index) {
            return;
        }
        let (columns, list) = (index.columns.join("_"), index.columns.join(", "));
        let (name, note) = if index.unique {
            (
                format!("make_{columns}_unique_in_{table}"),
                format!("Values of {list} occur once in {table}."),
            )
        } else {
            (
                format!("index_{columns}_of_{table}"),
                format!("Indexes {list} of {table}."),
            )
        };
        let step = MigrationStep::new(
            &known.unit.clone(),
            shortened(name, || format!("index_columns_of_{table}")),
            note,
        );
        let step = step.touching(index.touched(table));
        let mut indexed = known.clone();
        indexed.indexes.insert(index.clone());
        let version = self.emit(step, |dialect| {
            let down = dialect.drop_index(&indexed, &index);
            Sql::from(dialect.add_index(&known, &index)).undone_by(Ok(down))
        });
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.touch(Part::Index(index.clone()), version);
            known.indexes.insert(index);
        }
    }

    fn drop_index(&mut self, table: &str, index: Index) {
        let Some(known) = self.schema.tables.get(table).cloned() else {
            return;
        };
        let kind = if index.unique {
            "unique_index"
        } else {
            "index"
        };
        let (columns, list) = (index.columns.join("_"), index.columns.join(", "));
        let name = format!("drop_{kind}_{columns}_of_{table}");
        let name = shortened(name, || format!("drop_{kind}_of_{table}"));
        let note = format!("Drops the index of {list} of {table}.");
        let step = MigrationStep::new(&known.unit, name, note).touching(index.touched(table));
        let mut bare = known.clone();
        bare.indexes.remove(&index);
        let version = self.emit(step, |dialect| {
            let down = dialect.add_index(&bare, &index);
            Sql::from(dialect.drop_index(&known, &index)).undone_by(Ok(down))
        });
        if let Some(known) = self.schema.tables.get_mut(table) {
            known.indexes.remove(&index);
            known.touch(Part::Index(index), version);
        }
    }

    /// The remaining changes, at once.
    fn alter_rest(&mut self, before: &Table, wanted: &Table, difference: &Difference) {
        if !difference.is_of_columns() {
            return;
        }
        let left = |index: &&Index| {
            let mut columns = index.columns.iter();
            columns.all(|name| wanted.column(name).is_some())
        };
        let after = Table {
            indexes: before.indexes.iter().filter(left).cloned().collect(),
            touched: before.touched.clone(),
            since: before.since,
            was: before.was.clone(),
            ..wanted.clone()
        };
        let alteration = Alteration {
            before,
            after: &after,
            difference,
        };
        let whole = self.dialects().any(|dialect| dialect.rebuilds(&alteration));
        let step = MigrationStep::altering(&after, difference, whole);
        let version = self.emit(step, |dialect| dialect.alter(&[alteration]));
        let mut after = after;
        for column in difference.columns() {
            after.touch(Part::Column(column.name.clone()), version);
        }
        for index in before.indexes.difference(&after.indexes.clone()) {
            after.touch(Part::Index(index.clone()), version);
        }
        self.schema.tables.insert(after.name.clone(), after);
    }

    /// A pivot of other columns is another table of the same name.
    fn recreate(&mut self, before: &Table, wanted: Table) {
        let name = format!("recreate_{}", wanted.name);
        let note = format!(
            "Creates the pivot {} again: it joins by other columns.",
            wanted.name
        );
        let mut step = MigrationStep::new(&wanted.unit, name, note).touching(&wanted.name);
        step.losses.push(loss::of_other_pivot(&wanted));
        let version = self.emit(step, |dialect| {
            let mut sql = dialect.drop_table(&before.name, &[]);
            sql.push("\n");
            sql.push(dialect.create_table(&wanted));
            sql.undone_by(Err(DROPPED))
        });
        let mut table = wanted;
        table.since = Some(version);
        for column in before.columns.iter().chain(&table.columns.clone()) {
            table.touch(Part::Column(column.name.clone()), version);
        }
        for index in before.indexes.union(&table.indexes.clone()) {
            table.touch(Part::Index(index.clone()), version);
        }
        self.schema.tables.insert(table.name.clone(), table);
    }
}
