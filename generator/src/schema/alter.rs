//! One table that becomes another: simple changes in migrations of their own, the rest in one.

use std::borrow::Cow;

use super::change::Change;
use super::dialect::Alteration;
use super::difference::{Difference, PrimaryKeyChange};
use super::emitter::Emitter;
use super::table::{Column, Index, Table};

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
            // A pivot of other columns is another table of the same name.
            return self.make(Change::RecreatePivot(Alteration::new(before, wanted)));
        }
        let gone = |index: &Index| {
            let mut dropped = difference.dropped.iter();
            dropped.any(|column| index.columns.contains(&column.name))
        };
        let unindexed = difference.unindexed.iter().filter(|index| !gone(index));
        for index in unindexed.cloned().collect::<Vec<_>>() {
            let one = self.alteration(name, |table| table.indexes.retain(|own| *own != index));
            self.make(Change::DropIndex(index, one));
        }
        for column in self.simply_dropped(&before, &difference) {
            let one = self.alteration(name, |table| table.drop_column(&column.name));
            self.make(Change::DropColumn(column, one));
        }
        for column in self.simply_added(&difference) {
            // Indexes of this column alone need nothing else.
            let indexes = wanted.indexes.iter();
            let own = indexes.filter(|index| index.columns == [column.name.as_str()]);
            let one = self.alteration(name, |table| {
                table.unit.clone_from(&wanted.unit);
                table.columns.push(column.clone());
                table.indexes.extend(own.cloned());
            });
            self.make(Change::AddColumn(column, one));
        }
        difference = Difference::between(&self.schema.tables[name], &wanted);
        if difference.is_of_columns() {
            let one = self.alteration(name, |table| {
                let is_left = |index: &Index| {
                    let mut columns = index.columns.iter();
                    columns.all(|name| wanted.column(name).is_some())
                };
                *table = Table {
                    indexes: std::mem::take(&mut table.indexes),
                    touched: std::mem::take(&mut table.touched),
                    since: table.since,
                    was: std::mem::take(&mut table.was),
                    ..wanted.clone()
                };
                table.indexes.retain(is_left);
            });
            self.make(Change::Alter(vec![one]));
        }
        for index in difference.indexed {
            if !self.schema.tables[name].indexes.contains(&index) {
                let one = self.alteration(name, |table| table.indexes.extend([index.clone()]));
                self.make(Change::AddIndex(index, one));
            }
        }
    }

    /// Returns a change of a table.
    fn alteration(&self, name: &str, change: impl FnOnce(&mut Table)) -> Alteration {
        let before = self.schema.tables[name].clone();
        let mut after = before.clone();
        change(&mut after);
        Alteration::new(before, after)
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
            !key && self.dialects.iter().all(|one| one.drops(before, column))
        };
        difference.dropped.iter().filter(simply).cloned().collect()
    }

    fn simply_added(&self, difference: &Difference) -> Vec<Column> {
        let counted = difference.key == PrimaryKeyChange::Counted;
        let simply =
            |column: &&Column| !counted && self.dialects.iter().all(|one| one.adds(column));
        difference.added.iter().filter(simply).cloned().collect()
    }
}
