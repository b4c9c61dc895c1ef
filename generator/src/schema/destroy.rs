//! Drops the tables of destroyed resources: the only way to lose a table, because a manifest that
//! disappears never drops its table.

use std::collections::BTreeSet;

use super::change::Change;
use super::emitter::Emitter;
use super::table::{Column, Schema, Table};
use crate::error::{Problem, Refused};
use crate::exit::Exit;

impl Emitter<'_> {
    /// Drops the tables of destroyed units, pivots included. What the manifests still describe
    /// stays. The command itself is the permission: these changes do not count as losses.
    ///
    /// # Errors
    /// [`Refused`] with [`Exit::Usage`] where a table that stays points to one that would go.
    pub(super) fn drop_destroyed(&mut self, units: &BTreeSet<String>) -> Result<(), Refused> {
        let is_lost = |table: &&Table| {
            units.contains(&table.unit) && !self.wanted.tables.contains_key(&table.name)
        };
        let lost: Vec<&Table> = self.schema.tables.values().filter(is_lost).collect();
        refuse_pointed_at(&lost, &self.schema)?;
        let lost: Vec<Table> = in_order(lost).into_iter().cloned().collect();
        for table in lost {
            self.make(Change::DropTable {
                pointing: pointing(&self.schema, &table.name),
                table,
                is_destroyed: true,
            });
        }
        Ok(())
    }
}

/// Columns of other tables that point to one: those of a cycle, which is dropped as a whole.
fn pointing(schema: &Schema, target: &str) -> Vec<(String, Column)> {
    let others = schema.tables.values().filter(|table| table.name != target);
    let columns = others.flat_map(|table| {
        let points = |column: &&Column| column.constraint().is_some_and(|to| to.table == target);
        let columns = table.columns.iter().filter(points);
        columns.map(|column| (table.name.clone(), column.clone()))
    });
    columns.collect()
}

fn refuse_pointed_at(lost: &[&Table], before: &Schema) -> Result<(), Refused> {
    let names: BTreeSet<&str> = lost.iter().map(|table| table.name.as_str()).collect();
    let mut problems = Vec::new();
    for table in before.tables.values() {
        let targets = pointed_at(table).filter(|name| names.contains(name));
        if !names.contains(table.name.as_str()) {
            problems.extend(targets.map(|name| {
                let message = format!(
                    "table {}: its foreign key points to {name}, which would be dropped: \
                     take it out of its manifest and run formwork generate, or destroy its resource first",
                    table.name
                );
                let points = |column: &&Column| {
                    column.constraint().is_some_and(|to| to.table == name)
                };
                let column = table.columns.iter().find(points);
                let key = column.map_or(&table.name, |column| &column.name);
                Problem::from(message).about_column(&table.unit, key)
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

/// The tables, each before those that its foreign keys lead to.
fn in_order(mut left: Vec<&Table>) -> Vec<&Table> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let is_free = |table: &&Table| {
            let mut others = left.iter().filter(|other| other.name != table.name);
            !others.any(|other| pointed_at(other).any(|name| name == table.name))
        };
        // In a cycle one constraint is deferred, so that one table is free.
        let next = left.iter().position(is_free).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}
