//! Values that an enum does not list any more: rows may hold them.

use super::emitter::Emitter;
use super::loss;
use super::sql::{CHANGED, Sql};
use super::step::MigrationStep;
use super::table::Part;
use super::was::StoredValue;
use crate::project::{Attribute, ColumnType};

/// A value that an enum does not list any more.
struct RemovedValue<'p> {
    unit: String,
    table: &'p str,
    attribute: &'p Attribute,
    /// The values that the enum lists.
    values: &'p [String],
    value: String,
    /// The values that it listed at the last run.
    before: &'p [String],
}

impl RemovedValue<'_> {
    /// The value that replaces it in rows: `was: { canceled: cancelled }`.
    fn replacement(&self) -> Option<&str> {
        let mut former = self.attribute.former_values.iter();
        let (_, to) = former.find(|(from, _)| *from == self.value)?;
        Some(to)
    }
}

impl<'r> Emitter<'r> {
    /// Replaces the values in rows. A value without a replacement is a loss.
    pub(super) fn replace_values(&mut self) {
        for removed in self.removed_values() {
            match removed.replacement() {
                Some(to) => self.replace_value(&removed, to),
                None => {
                    let (table, column) = (removed.table, &removed.attribute.name);
                    let loss = loss::of_value(
                        &removed.unit,
                        table,
                        column,
                        &removed.value,
                        removed.values,
                    );
                    self.losses.push(loss);
                }
            }
        }
    }

    fn removed_values(&self) -> Vec<RemovedValue<'r>> {
        let mut removed = Vec::new();
        for (extension, resource) in self.project.registered() {
            let unit = format!("{}.{}", extension.folder, resource.key);
            let known = self.previous.enum_values.get(&unit);
            let Some(known) = known.filter(|_| self.is_chosen(&unit)) else {
                continue;
            };
            for attribute in &resource.model.attributes {
                let ColumnType::Enum(values) = &attribute.kind else {
                    continue;
                };
                let table = &resource.model.table;
                let is_stored = self
                    .schema
                    .tables
                    .get(table)
                    .is_some_and(|table| table.column(&attribute.name).is_some());
                let before = known
                    .get(attribute.was.as_ref().unwrap_or(&attribute.name))
                    .or_else(|| known.get(&attribute.name));
                let before = before.filter(|_| is_stored).map_or(&[][..], Vec::as_slice);
                for value in before.iter().filter(|value| !values.contains(value)) {
                    removed.push(RemovedValue {
                        unit: unit.clone(),
                        table,
                        attribute,
                        values,
                        value: value.clone(),
                        before,
                    });
                }
            }
        }
        removed
    }

    fn replace_value(&mut self, removed: &RemovedValue<'_>, to: &str) {
        let (table, column) = (removed.table, &removed.attribute.name);
        let from = &removed.value;
        // If rows had the replacement before, they cannot be told apart afterwards.
        let is_merged = removed.before.iter().any(|value| value == to);
        let stored = StoredValue {
            unit: removed.unit.clone(),
            table: table.to_owned(),
            column: column.clone(),
            from: from.clone(),
            to: to.to_owned(),
        };
        let name = format!("replace_value_of_{column}_in_{table}");
        let note = format!("Rows of {table} whose {column} is {from} have {to} now.");
        let step =
            MigrationStep::new(&removed.unit, name, note).touching_columns(table, [&**column]);
        let back = stored.reversed();
        let version = self.emit(step, |dialect| {
            let down = match is_merged {
                true => Err(CHANGED),
                false => Ok(dialect.rename_value(&back)),
            };
            Sql::from(dialect.rename_value(&stored)).undone_by(down)
        });
        if let Some(table) = self.schema.tables.get_mut(table) {
            table.touch(Part::Column(column.clone()), version);
        }
    }
}
