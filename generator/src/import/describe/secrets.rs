//! Columns that hold the key of a session or a token: secrets by what they point to.

use super::guarded::{is_secret, lets_in};
use super::links::Link;
use super::morphs::Morph;
use super::values::{Chosen, Secrets};
use crate::import::catalogue::{Catalogue, CatalogueForeignKey};
use crate::project::ColumnType;

/// A table and a column of it.
type Place = (String, String);

/// The columns of a catalogue that point to a secret, also through other columns.
pub(super) fn of(
    catalogue: &Catalogue,
    chosen: &[Chosen<'_>],
    links: &[Link],
    morphs: &[Morph],
) -> Secrets {
    let mut ways = foreign(catalogue);
    ways.extend(guessed(links));
    ways.extend(polymorphic(morphs, chosen));
    let mut secrets = Secrets::default();
    loop {
        let (found, others): (Vec<_>, Vec<_>) = ways.into_iter().partition(|(_, to)| {
            let (table, column) = to;
            is_secret(column) || lets_in(table) || secrets.behind(table, column).is_some()
        });
        if found.is_empty() {
            return secrets;
        }
        ways = others;
        for ((table, column), to) in found {
            secrets.add(&table, &column, format!("{}.{}", to.0, to.1));
        }
    }
}

/// Which column points to which, by foreign keys. Numbers let no caller in.
fn foreign(catalogue: &Catalogue) -> Vec<(Place, Place)> {
    let tables = catalogue.tables.iter();
    let ways = tables.flat_map(|table| {
        let keys = table.foreign.iter();
        let keys = keys.filter(|key| !table.is_number(&key.column));
        keys.map(|key| {
            let from = (table.name.clone(), key.column.clone());
            (from, target(key, catalogue))
        })
    });
    ways.collect()
}

/// The column that a foreign key names.
fn target(key: &CatalogueForeignKey, catalogue: &Catalogue) -> Place {
    let mut tables = catalogue.tables.iter();
    let table = tables.find(|table| table.name.eq_ignore_ascii_case(&key.table));
    let primary = table.and_then(|table| table.primary.first());
    let column = key.other.as_ref().or(primary);
    (key.table.clone(), column.cloned().unwrap_or_default())
}

/// Links that only names suggest.
fn guessed(links: &[Link]) -> impl Iterator<Item = (Place, Place)> {
    let links = links
        .iter()
        .filter(|link| link.is_guessed && link.kind != ColumnType::BigInt);
    links.map(|link| {
        let from = (link.own_table.clone(), link.own_column.clone());
        (from, (link.table.clone(), link.column.clone()))
    })
}

/// Links of polymorphic pairs.
fn polymorphic(morphs: &[Morph], chosen: &[Chosen<'_>]) -> Vec<(Place, Place)> {
    let mut ways = Vec::new();
    for morph in morphs {
        let held = chosen
            .iter()
            .filter(|one| morph.targets.values().any(|key| *key == one.key));
        for one in held.filter(|one| one.primary.kind != ColumnType::BigInt) {
            let from = (morph.table.clone(), format!("{}_id", morph.name));
            ways.push((from, (one.table.name.clone(), one.primary.column.clone())));
        }
    }
    ways
}
