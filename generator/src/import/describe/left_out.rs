//! Relations that are left out, because a manifest lacks their columns.

use super::morphs::Morph;
use super::values::{Chosen, DescribedManifest, DescribedRelation};
use crate::name;

/// Leaves out relations whose columns are not attributes.
pub(super) fn leave_out(manifests: &mut [DescribedManifest]) {
    let all = manifests.iter().map(|one| {
        let attributes = one.attributes.iter().map(|own| own.name.clone());
        let columns: Vec<String> = attributes.chain([one.primary.0.clone()]).collect();
        (one.key.clone(), one.table.clone(), columns)
    });
    let all: Vec<_> = all.collect();
    let has = |relation: &DescribedRelation| {
        let value = |name: &str| {
            let mut entries = relation.entries.iter();
            entries
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value)
        };
        let named: Vec<&String> = ["column", "other_column"]
            .into_iter()
            .filter_map(value)
            .collect();
        let target = value("has_many").or_else(|| value("has_one"));
        let mut holders = all.iter().filter(|(key, table, _)| match value("pivot") {
            Some(pivot) => table == pivot,
            None => Some(key) == target,
        });
        named.iter().all(|column| name::is_column(column))
            && holders.all(|(_, _, columns)| named.iter().all(|column| columns.contains(column)))
    };
    for manifest in manifests {
        let (kept, out): (Vec<_>, Vec<_>) = manifest.relations.drain(..).partition(&has);
        manifest.relations = kept;
        manifest.notes.extend(out.iter().map(|relation| {
            format!(
                "Left out: the relation `{}`, because its column is not an attribute.",
                relation.name
            )
        }));
    }
}

/// Whether the manifest has both columns of a polymorphic pair.
pub(super) fn has_pair(morph: &Morph, chosen: &[Chosen<'_>]) -> bool {
    let mut tables = chosen.iter().map(|one| one.table);
    let table = tables.find(|table| table.name == morph.table);
    let has = |name: String| {
        let column = table.and_then(|table| table.column(&name));
        column.is_some_and(|column| column.name == name && column.kind.is_some())
    };
    has(format!("{}_type", morph.name)) && has(format!("{}_id", morph.name))
}
