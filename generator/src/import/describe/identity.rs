//! What a relation is in the database, whatever its name: a later import finds it again by this.

use std::collections::BTreeSet;

use super::known::KnownRelations;
use super::relations::free;
use super::values::DescribedRelation;

/// Kind, target table, pivot and columns of a relation.
pub type Identity = Vec<String>;

/// Returns the identity of a relation with these entries. `table_of` returns the table of a resource.
pub fn identity(
    entries: &[(&'static str, String)],
    table_of: impl Fn(&str) -> Option<String>,
) -> Identity {
    let value = |key: &str| {
        entries
            .iter()
            .find(|(own, _)| *own == key)
            .map(|(_, value)| value.clone())
    };
    let (kind, target) = match entries.first() {
        // A new value of the pair adds a target.
        Some(("morph_to", _)) => ("morph_to", None),
        // A unique index turns many into one.
        Some(("has_one", target)) => ("has_many", Some(target)),
        Some((kind, target)) => (*kind, Some(target)),
        None => ("", None),
    };
    let target = target.map(|key| table_of(key).unwrap_or_else(|| key.clone()));
    let columns = ["pivot", "morph", "value", "column", "other_column"].map(value);
    let parts = [Some(kind.to_owned()), target].into_iter().chain(columns);
    parts
        .map(|part| part.unwrap_or_default().to_lowercase())
        .collect()
}

/// A relation of the database without a name.
pub(super) struct Unnamed {
    /// Names for a new relation, the best first.
    pub names: Vec<String>,
    /// The relation.
    pub relation: DescribedRelation,
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
