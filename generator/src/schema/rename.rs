//! Renames: finds the former names that the database still has, and applies them.

use std::collections::BTreeMap;

use super::table::{ForeignKey, Part, Schema, Table};
use super::was::Former;
use crate::former::pending;

/// One rename. `was:` stays in a manifest, so a rename is due if the former name still exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rename {
    /// A table.
    Table {
        /// Its name.
        from: String,
        /// Its new name.
        to: String,
    },
    /// A column.
    Column {
        /// The new name of its table.
        table: String,
        /// Its name.
        from: String,
        /// Its new name.
        to: String,
    },
}

impl Rename {
    /// Returns the table that it concerns, by its name before and after.
    pub fn tables(&self) -> (&str, &str) {
        match self {
            Self::Table { from, to } => (from, to),
            Self::Column { table, .. } => (table, table),
        }
    }

    /// Returns the rename back.
    pub fn reversed(&self) -> Self {
        let mut back = self.clone();
        let (Self::Table { from, to } | Self::Column { from, to, .. }) = &mut back;
        std::mem::swap(from, to);
        back
    }
}

/// The renames that are still to be done, in the order in which they can be.
pub(crate) fn renames(before: &Schema, wanted: &Schema, former: &Former) -> Vec<Rename> {
    let tables: BTreeMap<&str, &str> = former
        .tables
        .iter()
        .filter(|(to, _)| wanted.tables.contains_key(*to))
        .map(|(to, from)| (to.as_str(), from.as_str()))
        .collect();
    let tables = pending(&tables, |name| before.tables.contains_key(name));
    let mut all = Vec::new();
    for (name, table) in &wanted.tables {
        let old = tables.iter().find(|(_, to)| to == name);
        let old = old.map_or(name.as_str(), |(from, _)| *from);
        let Some(known) = before.tables.get(old) else {
            continue;
        };
        let columns: BTreeMap<&str, &str> = former
            .columns
            .get(name)
            .into_iter()
            .flatten()
            .filter(|(to, _)| table.column(to).is_some())
            .map(|(to, from)| (to.as_str(), from.as_str()))
            .collect();
        for (from, to) in pending(&columns, |name| known.column(name).is_some()) {
            all.push(Rename::Column {
                table: name.clone(),
                from: from.to_owned(),
                to: to.to_owned(),
            });
        }
    }
    let tables = tables.into_iter().map(|(from, to)| Rename::Table {
        from: from.to_owned(),
        to: to.to_owned(),
    });
    tables.chain(all).collect()
}

impl Schema {
    /// Carries a rename out, as the migration of this version does.
    pub(crate) fn rename(&mut self, rename: &Rename, version: i64) {
        match rename {
            Rename::Table { from, to } => {
                if let Some(mut table) = self.tables.remove(from) {
                    table.name.clone_from(to);
                    table.was.insert(from.clone(), version);
                    self.tables.insert(to.clone(), table);
                }
                self.point(|key| {
                    if key.table == *from {
                        key.table.clone_from(to);
                    }
                });
            }
            Rename::Column { table, from, to } => {
                if let Some(known) = self.tables.get_mut(table) {
                    known.rename_column(from, to, version);
                }
                self.point(|key| {
                    if key.table == *table && key.column == *from {
                        key.column.clone_from(to);
                    }
                });
            }
        }
    }

    /// Foreign keys follow their targets.
    pub(super) fn point(&mut self, follow: impl Fn(&mut ForeignKey)) {
        for table in self.tables.values_mut() {
            let keys = table.columns.iter_mut();
            keys.filter_map(|column| column.references.as_mut())
                .for_each(&follow);
        }
    }
}

impl Table {
    fn rename_column(&mut self, from: &str, to: &str, version: i64) {
        let rename = |name: &mut String| {
            if name == from {
                to.clone_into(name);
            }
        };
        self.columns
            .iter_mut()
            .for_each(|column| rename(&mut column.name));
        self.primary.iter_mut().for_each(rename);
        for index in std::mem::take(&mut self.indexes) {
            let mut named = index.clone();
            named.columns.iter_mut().for_each(rename);
            if named != index {
                self.touch([index, named.clone()].map(Part::Index), version);
            }
            self.indexes.insert(named);
        }
        let names = [from, to].map(|name| Part::Column(name.to_owned()));
        self.touch(names, version);
    }
}
