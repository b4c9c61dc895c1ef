//! Changes of columns and keys. A column that the server would not convert as SQLite does gets its
//! values in a second column, which takes its place: each statement can be repeated.

use super::super::convert;
use super::super::dialect::Alteration;
use super::super::difference::{ColumnChange, Difference, PrimaryKeyChange};
use super::super::names::index_name;
use super::super::sql::Sql;
use super::super::table::{Column, Index, Table};
use super::casts::Mysql;
use super::syntax::{
    added, constraint, drop_foreign_key, index_line, line, list, quote, statement, support_indexes,
};

/// The change of one table, or of a key and everything that points to it.
pub(super) fn alter(alterations: &[Alteration]) -> Sql {
    let plans: Vec<TablePlan<'_>> = alterations.iter().map(TablePlan::of).collect();
    let mut sql = Sql::default();
    for step in [TablePlan::drop_keys, TablePlan::add_copies] {
        plans.iter().for_each(|plan| sql.push(step(plan)));
    }
    for plan in &plans {
        if let Some(update) = plan.update() {
            sql.push(Sql::losing(update));
        }
    }
    for plan in &plans {
        match plan.change() {
            change if change.is_empty() => {}
            change => sql.push(Sql::losing(change)),
        }
    }
    plans.iter().for_each(|plan| sql.push(plan.finish()));
    if sql.text.is_empty() {
        return Sql::losing("-- MySQL stores both alike: there is nothing to do.\n".to_owned());
    }
    sql
}

/// How a table changes.
struct TablePlan<'a> {
    before: &'a Table,
    after: &'a Table,
    difference: &'a Difference,
    /// Columns that get their values in a second one.
    converted: Vec<&'a ColumnChange>,
    /// Columns that are declared differently, and keep their values.
    redeclared: Vec<&'a ColumnChange>,
}

impl<'a> TablePlan<'a> {
    fn of(one: &'a Alteration) -> Self {
        let (before, after) = (&one.before, &one.after);
        let changes = one.difference.changed.iter();
        let (converted, kept): (Vec<&ColumnChange>, Vec<&ColumnChange>) =
            changes.partition(|(known, wanted)| {
                convert::value(&Mysql, after, known, wanted) != quote(&known.name)
            });
        let differs = |(known, wanted): &&ColumnChange| line(before, known) != line(after, wanted);
        Self {
            before,
            after,
            difference: &one.difference,
            converted,
            redeclared: kept.into_iter().filter(differs).collect(),
        }
    }

    /// Foreign keys of columns that change. No clause of the others may depend on them, so that they
    /// are gone before.
    fn drop_keys(&self) -> String {
        let lost = self.before.columns.iter().filter(|column| {
            let now = self.after.column(&column.name);
            column.constraint().is_some() && now.is_none_or(|now| self.moves(column, now))
        });
        let clauses: Vec<String> = lost
            .map(|column| drop_foreign_key(&self.before.name, &column.name))
            .collect();
        self.of_clauses(&clauses)
    }

    /// Whether a foreign key leads elsewhere from now on, or from another column.
    fn moves(&self, before: &Column, after: &Column) -> bool {
        let mut changed = self.converted.iter().chain(&self.redeclared);
        before.constraint() != after.constraint()
            || changed.any(|(known, wanted)| known.name == before.name && known.kind != wanted.kind)
            || self.is_converted(&before.name)
    }

    fn is_converted(&self, column: &str) -> bool {
        self.converted.iter().any(|(known, _)| known.name == column)
    }

    /// The columns that take the new values. They refuse NULL from the first moment on where the
    /// wanted ones do: the statement that fills them stops then, and can be repeated.
    fn add_copies(&self) -> String {
        let copies = self.converted.iter().map(|(_, wanted)| {
            let copy = Column {
                name: copy_of(wanted),
                default: None,
                references: None,
                ..wanted.clone()
            };
            // The table only lends its key's place, which a copy does not have.
            let (line, _) = added(self.after, &copy);
            format!("ADD COLUMN {line}")
        });
        self.of_clauses(&copies.collect::<Vec<_>>())
    }

    fn update(&self) -> Option<String> {
        let values = self.converted.iter().map(|(known, wanted)| {
            let copy = quote(&copy_of(wanted));
            format!(
                "{copy} = {}",
                convert::value(&Mysql, self.after, known, wanted)
            )
        });
        let values: Vec<String> = values.collect();
        let table = quote(&self.after.name);
        let update = || format!("UPDATE {table} SET\n    {};\n", values.join(",\n    "));
        (!values.is_empty()).then(update)
    }

    /// The columns, the key and the indexes.
    fn change(&self) -> String {
        let mut clauses = Vec::new();
        let rekeyed =
            self.difference.key != PrimaryKeyChange::Kept || self.touches(&self.before.primary);
        clauses.extend(rekeyed.then(|| "DROP PRIMARY KEY".to_owned()));
        let indexes = self.before.indexes.iter();
        let moved: Vec<&Index> = indexes.filter(|one| self.touches(&one.columns)).collect();
        let names = moved.iter().map(|one| index_name(&self.before.name, one));
        clauses.extend(names.map(|name| format!("DROP INDEX {}", quote(&name))));
        let gone = self.difference.dropped.iter().map(|column| &column.name);
        let gone = gone.chain(self.converted.iter().map(|(known, _)| &known.name));
        clauses.extend(gone.map(|name| format!("DROP COLUMN {}", quote(name))));
        for (_, wanted) in &self.converted {
            let copy = quote(&copy_of(wanted));
            clauses.push(format!("CHANGE COLUMN {copy} {}", line(self.after, wanted)));
        }
        let lines = self.redeclared.iter();
        clauses
            .extend(lines.map(|(_, wanted)| format!("MODIFY COLUMN {}", line(self.after, wanted))));
        let new = self
            .difference
            .added
            .iter()
            .map(|column| added(self.after, column).0);
        clauses.extend(new.map(|line| format!("ADD COLUMN {line}")));
        clauses.extend(rekeyed.then(|| format!("ADD PRIMARY KEY ({})", list(&self.after.primary))));
        let kept = moved.iter().filter(|one| self.after.indexes.contains(one));
        clauses.extend(kept.map(|one| format!("ADD {}", index_line(&self.after.name, one))));
        clauses.extend(support_indexes(self.before, self.after));
        self.of_clauses(&clauses)
    }

    /// Whether one of these columns is another afterwards.
    fn touches(&self, columns: &[String]) -> bool {
        columns.iter().any(|name| {
            self.is_converted(name)
                || self
                    .difference
                    .dropped
                    .iter()
                    .any(|column| column.name == *name)
        })
    }

    /// Foreign keys, and no more defaults that only served rows that were there.
    fn finish(&self) -> String {
        let stays = |column: &Column| {
            let (known, now) = (
                self.before.column(&column.name),
                self.after.column(&column.name),
            );
            known
                .zip(now)
                .is_some_and(|(known, now)| known.constraint().is_some() && !self.moves(known, now))
        };
        let fillers = self.difference.added.iter();
        let fillers = fillers.filter_map(|column| added(self.after, column).1);
        let mut clauses: Vec<String> = fillers.collect();
        let new = self.after.columns.iter().filter(|column| !stays(column));
        let new = new.filter_map(|column| constraint(&self.after.name, column));
        clauses.extend(new.map(|key| format!("ADD {key}")));
        self.of_clauses(&clauses)
    }

    fn of_clauses(&self, clauses: &[String]) -> String {
        match clauses.is_empty() {
            true => String::new(),
            false => statement(&self.after.name, clauses),
        }
    }
}

fn copy_of(column: &Column) -> String {
    format!("formwork_new_{}", column.name)
}
