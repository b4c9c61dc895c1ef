//! Pivots with a polymorphic pair on one side, as Laravel's `taggables`.

use std::collections::BTreeMap;

use formwork_vocabulary::inflect::plural;
use heck::ToSnakeCase;

use super::links::{holder, is_stamp, named};
use super::morphs::{odd_targets, targets};
use super::naming::Unnamed;
use super::values::Chosen;
use crate::import::catalogue::{CatalogueColumn, CatalogueTable};

/// A pivot from resources of several kinds to those of one.
#[derive(Debug)]
pub(super) struct MorphPivot {
    /// Its table.
    pub table: String,
    /// The beginning of the pair's names: `taggable`.
    morph: String,
    /// The column of the other side, `tag_id`.
    column: String,
    /// The resource of the other side.
    target: String,
    /// The resource of each value of the pair's type.
    owners: BTreeMap<String, String>,
    /// Values whose table has a key of another type.
    odd: Vec<String>,
    /// Whether it has further columns, or timestamps that each row needs.
    has_own_columns: bool,
}

/// The pivots among tables without a key of their own.
pub(super) fn of(others: &[&CatalogueTable], chosen: &[Chosen<'_>]) -> Vec<MorphPivot> {
    let pivots = others.iter().filter(|table| !table.is_view);
    pivots.filter_map(|table| pivot(table, chosen)).collect()
}

fn pivot(table: &CatalogueTable, chosen: &[Chosen<'_>]) -> Option<MorphPivot> {
    let mut pairs = table.kinds_found.iter();
    let (kind, _) = pairs.next().filter(|(_, values)| !values.is_empty())?;
    let morph = kind.strip_suffix("_type")?;
    let id = format!("{morph}_id");
    let foreign = table.foreign.iter().map(|key| key.column.as_str());
    let foreign = foreign.filter(|name| *name != id && *name != kind.as_str());
    let guessed = table.columns.iter().map(|column| column.name.as_str());
    let guessed = guessed.filter(|name| *name != id && name.ends_with("_id"));
    let column = foreign.chain(guessed).next()?;
    let held = table.foreign.iter().find(|key| key.column == column);
    let key = held.cloned().or_else(|| named(column, chosen))?;
    let mut all = chosen.iter();
    let target = all.find(|one| one.table.name.eq_ignore_ascii_case(&key.table))?;
    holder(table, &key, &target.primary).ok()?;
    let (owners, odd) = targets(table, morph, chosen);
    let parts = [kind.as_str(), &id, column];
    let is_own = |column: &CatalogueColumn| {
        let is_kept = is_stamp(&column.name) && !column.needs_value();
        !parts.contains(&column.name.as_str()) && !is_kept
    };
    let has_own_columns = table.columns.iter().any(is_own);
    let mut unique = table.indexes.iter().filter(|index| index.is_unique);
    let are_parts = |columns: &[String]| {
        !columns.is_empty() && columns.iter().all(|one| parts.contains(&one.as_str()))
    };
    // A log has columns of its own, and several rows with the same values in these.
    let is_pivot = !has_own_columns
        || are_parts(&table.primary)
        || unique.any(|index| are_parts(&index.columns));
    (is_pivot && pairs.next().is_none() && !owners.is_empty()).then(|| MorphPivot {
        table: table.name.clone(),
        morph: morph.to_owned(),
        column: column.to_owned(),
        target: target.key.clone(),
        owners,
        odd,
        has_own_columns,
    })
}

/// The relations of a resource through these pivots, without names.
pub(super) fn relations(pivots: &[MorphPivot], key: &str) -> Vec<Unnamed> {
    let owned = |pivot: &'_ MorphPivot| {
        let mut owners = pivot.owners.iter();
        owners.find_map(|(value, owner)| (owner == key).then(|| value.clone()))
    };
    let relations = pivots.iter().filter_map(|pivot| {
        let value = owned(pivot)?;
        Some(relation(pivot, &value))
    });
    relations.collect()
}

fn relation(pivot: &MorphPivot, value: &str) -> Unnamed {
    let stem = pivot.column.strip_suffix("_id").unwrap_or(&pivot.column);
    let names = vec![
        pivot.target.clone(),
        plural(stem),
        format!("{}_by_{}", pivot.target, pivot.morph),
        format!("{}_by_{}", pivot.target, pivot.table.to_snake_case()),
    ];
    let entries = vec![
        ("morph_many_to_many", pivot.target.clone()),
        ("pivot", pivot.table.clone()),
        ("morph", pivot.morph.clone()),
        ("value", serde_json::to_string(value).unwrap_or_default()),
        ("other_column", pivot.column.clone()),
    ];
    let mut notes = vec![format!(
        "Guessed from the values of `{}.{}_type`.",
        pivot.table, pivot.morph
    )];
    notes.extend(odd_targets(&pivot.odd));
    Unnamed::new(names, entries, notes, true).over_pivot(pivot.has_own_columns)
}
