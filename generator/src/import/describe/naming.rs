//! Names of relations: those of an earlier import stay.

use std::collections::BTreeSet;

use super::identity::{Identity, identity};
use super::known::KnownRelations;
use super::names::{beginning, shortened};
use super::values::DescribedRelation;
use crate::name;

/// A relation of the database without a name.
pub(super) struct Unnamed {
    /// Names for a new relation, the best first.
    pub names: Vec<String>,
    /// The relation.
    pub relation: DescribedRelation,
}

impl Unnamed {
    /// A relation that administrators may include.
    pub(super) fn new(
        names: Vec<String>,
        mut entries: Vec<(&'static str, String)>,
        notes: Vec<String>,
        is_guessed: bool,
    ) -> Self {
        entries.push(("include", "admin".to_owned()));
        Self {
            names,
            relation: DescribedRelation {
                name: String::new(),
                entries,
                notes,
                is_guessed,
            },
        }
    }

    /// The relation over a pivot: it is written if it shows each column of the pivot.
    pub(super) fn over_pivot(mut self, has_own_columns: bool) -> Self {
        match has_own_columns {
            true => self.relation.notes.push(
                "Read only: the pivot table has columns of its own, which this relation does not show."
                    .to_owned(),
            ),
            false => self.relation.entries.push(("write", "sync".to_owned())),
        }
        self
    }
}

/// Names the relations of a table: one of an earlier import keeps its name and its place, a new one gets a name that
/// neither a column nor a relation has.
pub(super) fn named(
    found: Vec<Unnamed>,
    known: &KnownRelations,
    columns: &BTreeSet<String>,
    table_of: impl Fn(&str) -> Option<String>,
) -> Vec<DescribedRelation> {
    let found = found.into_iter().map(|one| {
        let identity = identity(&one.relation.entries, &table_of);
        (identity, one)
    });
    let found = found.filter(|(identity, _)| !known.is_added_by_user(identity));
    let found: Vec<(Identity, Unnamed)> = found.collect();
    let identities: Vec<&Identity> = found.iter().map(|(identity, _)| identity).collect();
    let mut taken = columns.clone();
    taken.extend(known.taken(&identities));
    let (mut existing, mut new) = (Vec::new(), Vec::new());
    for (identity, mut one) in found {
        match known
            .existing(&identity)
            .filter(|(_, name)| !columns.contains(*name))
        {
            Some((place, name)) => {
                name.clone_into(&mut one.relation.name);
                existing.push((place, one.relation));
            }
            None => new.push(one),
        }
    }
    existing.sort_by_key(|(place, _)| *place);
    let new = new.into_iter().map(|mut one| {
        one.relation.name = free(&one.names, &mut taken);
        one.relation
    });
    let existing = existing.into_iter().map(|(_, relation)| relation);
    existing.chain(new).collect()
}

/// The first of these names that no attribute or relation has.
pub(super) fn free(names: &[String], taken: &mut BTreeSet<String>) -> String {
    let stem = beginning(names[0].clone());
    let numbered = (2..).map(|number| shortened(&stem, &format!("_{number}")));
    let mut all = names.iter().cloned().chain(numbered);
    let is_legal = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name::is_column(name)
    };
    let is_free = |name: &String| {
        is_legal(name)
            && !taken
                .iter()
                .any(|one| name::field(one) == name::field(name))
    };
    let name = all.find(is_free).unwrap_or(stem);
    taken.insert(name.clone());
    name
}
