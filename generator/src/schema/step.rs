//! A migration before its SQL: name, description, and losses.

use std::fmt::Display;

use super::difference::{Difference, PrimaryKeyChange};
use super::loss;
use super::table::{Column, Table};
use crate::error::Problem;

/// The longest name of a migration, which is the name of a file.
const LONGEST: usize = 80;

/// A migration before its SQL.
#[derive(Debug, Clone, Default)]
pub(super) struct MigrationStep {
    /// The unit that owns it.
    pub unit: String,
    /// `create_menus`.
    pub name: String,
    /// Description of the step, one sentence a line.
    pub notes: Vec<String>,
    /// Losses of data.
    pub losses: Vec<Problem>,
    /// Tables, columns and indexes it touches: `menus`, `menus.price`, `menus(name,price)`.
    pub touches: Vec<String>,
}

impl MigrationStep {
    /// A step that destroys nothing.
    pub fn new(unit: &str, name: String, note: String) -> Self {
        Self {
            unit: unit.to_owned(),
            name,
            notes: vec![note],
            ..Self::default()
        }
    }

    /// Both in one migration, under the name of the first.
    pub fn and(mut self, other: Self) -> Self {
        self.notes.extend(other.notes);
        self.losses.extend(other.losses);
        self.touches.extend(other.touches);
        self
    }

    /// The same, which touches this.
    pub fn touching(mut self, part: impl Into<String>) -> Self {
        self.touches.push(part.into());
        self
    }

    /// The same, which touches these columns of a table.
    pub fn touching_columns(
        mut self,
        table: &str,
        columns: impl IntoIterator<Item = impl Display>,
    ) -> Self {
        let columns = columns.into_iter();
        let columns = columns.map(|column| format!("{table}.{column}"));
        self.touches.extend(columns);
        self
    }

    /// The same, with these losses.
    pub fn losing(mut self, losses: impl IntoIterator<Item = Problem>) -> Self {
        self.losses.extend(losses);
        self
    }

    /// Everything that is done to a table at once; where it is made anew, the whole of it is touched.
    pub fn altering(after: &Table, difference: &Difference, whole: bool) -> Self {
        let table = &after.name;
        let mut step = Self {
            unit: after.unit.clone(),
            name: name(table, difference),
            ..Self::default()
        };
        step = if whole {
            step.touching(table)
        } else {
            let columns = difference.columns().map(|column| &column.name);
            step.touching_columns(table, columns)
        };
        if difference.key == PrimaryKeyChange::Reordered {
            let note = format!("The key of {table} is {}.", after.primary.join(", "));
            step.notes.push(note);
        }
        for column in &difference.dropped {
            let note = format!("Drops the column {} from {table}.", column.name);
            step.notes.push(note);
            step.losses.push(loss::of_dropped(after, column));
        }
        for column in &difference.added {
            let note = format!("Adds the column {} to {table}.", column.name);
            step.notes.push(note);
            let counted =
                difference.key == PrimaryKeyChange::Counted && after.primary.contains(&column.name);
            step.losses
                .extend(loss::of_added(after, column).filter(|_| !counted));
        }
        for (before, column) in &difference.changed {
            let what = loss::differing(before, column);
            let note = format!("Changes {} in {table}: {what}.", column.name);
            step.notes.push(note);
            step.losses.extend(loss::of_changed(after, before, column));
        }
        step
    }
}

/// `change_price_in_menus`, `drop_note_and_change_price_in_menus`.
fn name(table: &str, difference: &Difference) -> String {
    let names = |columns: Vec<&Column>| {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        names.join("_and_")
    };
    let all = difference.changed.iter();
    let (constrained, changed): (Vec<_>, Vec<_>) = all.partition(|change| is_constrained(change));
    let after = |pairs: Vec<&(Column, Column)>| {
        let columns = pairs.into_iter().map(|(_, after)| after);
        names(columns.collect())
    };
    let groups = [
        ("drop", names(difference.dropped.iter().collect()), "from"),
        ("add", names(difference.added.iter().collect()), "to"),
        ("change", after(changed), "in"),
        ("constrain", after(constrained), "in"),
    ];
    let groups: Vec<_> = groups
        .iter()
        .filter(|(_, names, _)| !names.is_empty())
        .collect();
    let Some((_, _, place)) = groups.last() else {
        return format!("change_key_of_{table}");
    };
    let parts: Vec<String> = groups
        .iter()
        .map(|(verb, names, _)| format!("{verb}_{names}"))
        .collect();
    let whole = format!("{}_{place}_{table}", parts.join("_and_"));
    shortened(whole, || format!("change_columns_of_{table}"))
}

/// Whether a column differs only by a foreign key.
fn is_constrained((before, after): &(Column, Column)) -> bool {
    let known = Column {
        references: after.references.clone(),
        deferred: after.deferred,
        ..before.clone()
    };
    known == *after && after.constraint().is_some()
}

/// A name, or one that says less where it would be too long for a file.
pub(super) fn shortened(name: String, less: impl Fn() -> String) -> String {
    if name.len() <= LONGEST { name } else { less() }
}
