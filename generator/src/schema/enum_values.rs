//! Values that an enum does not list any more: rows may hold them.

use super::change::Change;
use super::emitter::Emitter;
use super::loss;
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
                Some(to) => self.make(Change::ReplaceValue {
                    is_merged: removed.before.iter().any(|value| value == to),
                    value: StoredValue {
                        unit: removed.unit.clone(),
                        table: removed.table.to_owned(),
                        column: removed.attribute.name.clone(),
                        from: removed.value.clone(),
                        to: to.to_owned(),
                    },
                }),
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
}
