//! Polymorphic pairs: two columns, one with the kind of a record, one with its key.

use std::collections::BTreeMap;

use formwork_vocabulary::inflect::plural;
use heck::ToSnakeCase;

use super::keys::has_kind;
use super::values::Chosen;
use crate::import::catalogue::CatalogueTable;

/// A polymorphic pair: the prefix of its columns, and the resource of each value.
#[derive(Debug)]
pub(super) struct Morph {
    /// The resource with the pair.
    pub key: String,
    /// Its table.
    pub table: String,
    /// The prefix.
    pub name: String,
    /// The resource of each value.
    pub targets: BTreeMap<String, String>,
    /// Values that match no table.
    pub unknown: Vec<String>,
    /// Values whose table has a key of another type.
    pub odd: Vec<String>,
}

/// The pairs of a table.
pub(super) fn morphs(one: &Chosen<'_>, chosen: &[Chosen<'_>]) -> Vec<Morph> {
    let held = |column: &str| one.table.foreign.iter().any(|key| key.column == column);
    let found = one.table.kinds_found.iter();
    found
        .filter_map(|(column, values)| {
            let name = column.strip_suffix("_type")?.to_owned();
            if values.is_empty() && held(&format!("{name}_id")) {
                return None;
            }
            let (targets, odd) = targets(one.table, &name, chosen);
            let unknown = values
                .iter()
                .filter(|value| !targets.contains_key(*value) && !odd.contains(value));
            Some(Morph {
                key: one.key.clone(),
                table: one.table.name.clone(),
                name,
                unknown: unknown.cloned().collect(),
                targets,
                odd,
            })
        })
        .collect()
}

/// The resources that values of a pair's `*_type` name (`App\Models\Order` is `orders`), and the values whose table
/// has keys of another type than the pair's `*_id`.
pub(super) fn targets(
    table: &CatalogueTable,
    morph: &str,
    chosen: &[Chosen<'_>],
) -> (BTreeMap<String, String>, Vec<String>) {
    let id = table.column(&format!("{morph}_id"));
    let (mut targets, mut odd) = (BTreeMap::new(), Vec::new());
    let values = table.kinds_found.get(&format!("{morph}_type"));
    for value in values.into_iter().flatten() {
        let word = word(value);
        let fits = |one: &&Chosen<'_>| one.key == plural(&word) || one.bare == word;
        match chosen.iter().find(fits) {
            Some(one) if id.is_some_and(|id| has_kind(id, &one.primary)) => {
                targets.insert(value.clone(), one.key.clone());
            }
            Some(_) => odd.push(value.clone()),
            None => {}
        }
    }
    (targets, odd)
}

/// Returns the last word of a pair's value: `order` for `App\Models\Order`.
pub(super) fn word(value: &str) -> String {
    let word = value.rsplit(['\\', '.', ':']).next();
    word.unwrap_or(value).to_snake_case()
}

/// The note about values whose table has a key of another type.
pub(super) fn odd_targets(odd: &[String]) -> Option<String> {
    let odd = (!odd.is_empty()).then(|| odd.join(", "))?;
    Some(format!(
        "Values whose table has a key of another type: {odd}."
    ))
}
