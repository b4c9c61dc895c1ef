//! Primary keys of another type. Rows refer to each other by them, so a key and every column that
//! points to it change in one migration: in between, foreign keys would be broken.

use super::change::Change;
use super::dialect::Alteration;
use super::difference::PrimaryKeyChange;
use super::emitter::Emitter;
use super::migration::MigrationOptions;
use super::table::{Column, Schema, Table};
use crate::error::Problem;

/// A table that follows, before and after.
type Follower = (Table, Table);

impl Emitter<'_> {
    /// Changes every key that is of another type now.
    pub(super) fn rekey_all(&mut self) {
        for name in self.wanted.tables.keys() {
            if let Some(tables) = self.with_new_key(name) {
                let tables = tables.into_iter();
                let alterations = tables.map(|(before, after)| Alteration::new(before, after));
                self.make(Change::Alter(alterations.collect()));
            }
        }
    }

    /// A table whose key is of another type now, and those that point to it.
    fn with_new_key(&self, name: &str) -> Option<Vec<Follower>> {
        let (before, wanted) = self.current_and_target(name)?;
        let key = retyped_key(before, &wanted)?;
        let after = rekeyed(before.clone(), key.clone(), wanted.counted);
        let mut tables = vec![(before.clone(), after)];
        self.follow_key(&mut tables, name, key);
        Some(tables)
    }

    /// Columns that point to the key, in whatever table, one without a manifest included.
    fn follow_key(&self, tables: &mut Vec<Follower>, target: &str, key: &Column) {
        let points = |column: &&Column| {
            let to = column.constraint();
            to.is_some_and(|to| to.table == target && to.column == key.name)
        };
        for table in self.schema.tables.values() {
            let wanted = self
                .current_and_target(&table.name)
                .map(|(_, wanted)| wanted);
            for column in table.columns.iter().filter(points) {
                let wanted = wanted.as_ref().and_then(|one| one.column(&column.name));
                let column = match wanted {
                    Some(one) if points(&one) && one.kind == key.kind => one.clone(),
                    Some(one) if !points(&one) => without_reference(column),
                    _ => Column {
                        kind: key.kind.clone(),
                        ..column.clone()
                    },
                };
                follower(tables, table).replace(column);
            }
        }
    }
}

/// The key as it is wanted, where its type differs and a migration can change it.
pub(super) fn retyped_key<'t>(before: &Table, wanted: &'t Table) -> Option<&'t Column> {
    if before.is_pivot() || wanted.is_pivot() {
        return None;
    }
    let name = before.primary.first()?;
    let (known, key) = (before.column(name)?, wanted.column(name)?);
    let same = PrimaryKeyChange::between(before, wanted) == PrimaryKeyChange::Kept;
    (same && known.kind != key.kind).then_some(key)
}

/// Changes of keys that no migration can make.
pub(super) fn refused(
    before: &Schema,
    wanted: &Schema,
    every: &Schema,
    options: &MigrationOptions<'_>,
) -> Vec<Problem> {
    let impossible = before.pairs(wanted).filter(|(known, table)| {
        PrimaryKeyChange::between(known, table) == PrimaryKeyChange::Impossible
    });
    let mut problems: Vec<Problem> = impossible
        .map(|(known, table)| other_key(known, table))
        .collect();
    let changed = before.pairs(every);
    let changed = changed.filter(|(known, table)| retyped_key(known, table).is_some());
    problems.extend(changed.filter_map(|(_, table)| left_behind(table, every, options)));
    problems
}

/// A key and the columns that point to it change together, or not at all.
fn left_behind(table: &Table, every: &Schema, options: &MigrationOptions<'_>) -> Option<Problem> {
    let units = options.units?;
    let chosen = |one: &Table| units.contains(&one.unit);
    let mut others = every.tables.values();
    let other = others.find(|one| points_to(one, &table.name) && chosen(one) != chosen(table))?;
    let message = format!(
        "table {}: its key changes, and {} points to it: run `formwork generate`, which changes both",
        table.name, other.name
    );
    Some(about_key(message, table))
}

fn points_to(table: &Table, target: &str) -> bool {
    let mut keys = table
        .columns
        .iter()
        .filter_map(|one| one.references.as_ref());
    keys.any(|to| to.table == target)
}

fn about_key(message: String, table: &Table) -> Problem {
    Problem::from(message).about_column(&table.unit, table.primary.first().unwrap_or(&table.name))
}

fn other_key(before: &Table, after: &Table) -> Problem {
    let described = |table: &Table| {
        let column = table.primary.first().and_then(|name| table.column(name));
        match column.filter(|_| !table.is_pivot()) {
            Some(column) => format!("{} {}", column.name, column.type_name()),
            None => table.primary.join(", "),
        }
    };
    let help = match (before.primary.first(), after.primary.first()) {
        (Some(was), Some(now)) if was != now && !before.is_pivot() => {
            format!("where it only has another name, write `key: {{ name: {now}, was: {was} }}`")
        }
        (Some(was), Some(now)) if was == now && !after.is_pivot() => {
            "a uuid cannot become a number: keep the key, and add an attribute for the number"
                .to_owned()
        }
        _ => "make another resource, and copy the rows to it".to_owned(),
    };
    let message = format!(
        "table {}: no migration can change the primary key from {} to {}, because rows refer to each other by it: {help}",
        after.name,
        described(before),
        described(after)
    );
    about_key(message, after)
}

/// A column that gets another target, or none, keeps its values: they are not keys of the new type.
fn without_reference(column: &Column) -> Column {
    Column {
        references: None,
        deferred: false,
        ..column.clone()
    }
}

fn rekeyed(before: Table, key: Column, counted: bool) -> Table {
    let mut after = Table { counted, ..before };
    after.replace(key);
    after
}

/// The new table; it may be the one whose key changes.
fn follower<'t>(tables: &'t mut Vec<Follower>, table: &Table) -> &'t mut Table {
    let known = tables.iter().position(|(one, _)| one.name == table.name);
    let place = known.unwrap_or_else(|| {
        tables.push((table.clone(), table.clone()));
        tables.len() - 1
    });
    &mut tables[place].1
}
