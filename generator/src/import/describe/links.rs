//! What leads from table to table: foreign keys, names that say one, pivots, polymorphic pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use formwork_vocabulary::inflect::{plural, singular};
use heck::ToSnakeCase;

use super::guarded::is_secret;
use super::keys::key_kind;
use super::values::Chosen;
use crate::import::catalogue::{ForeignKey, Table};
use crate::manifest::ManifestKind;
use crate::project::ColumnType;

/// A column that holds the key of another resource.
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// The table with the column.
    pub own_table: String,
    /// Its resource.
    pub own_key: String,
    /// The column.
    pub own_column: String,
    /// The table it leads to.
    pub table: String,
    /// The column there.
    pub column: String,
    /// The resource there.
    pub target: String,
    /// Its type.
    pub kind: ColumnType,
    /// Whether only names say so.
    pub is_guessed: bool,
    /// Whether no two rows share a value of the column.
    pub is_unique: bool,
}

/// A pivot between two resources.
#[derive(Debug)]
pub(super) struct Pivot {
    /// Its table.
    pub table: String,
    /// Its columns, and the resources whose keys they hold.
    pub sides: [(String, String); 2],
    /// Whether it has columns beside these.
    pub has_own_columns: bool,
}

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
    /// Values that fit no table.
    pub unknown: Vec<String>,
}

/// What leads from resource to resource.
#[derive(Debug)]
pub(super) struct Links {
    /// Columns with keys.
    pub links: Vec<Link>,
    /// Tables between two resources.
    pub pivots: Vec<Pivot>,
    /// Polymorphic pairs.
    pub morphs: Vec<Morph>,
}

/// Whether a table holds two foreign keys, and nothing of its own but perhaps a counted key and timestamps.
pub(super) fn is_bare_pivot(table: &Table) -> bool {
    let held: BTreeSet<&str> = table
        .foreign
        .iter()
        .map(|key| key.column.as_str())
        .collect();
    if held.len() != 2 || table.is_view {
        return false;
    }
    let together = |columns: &[String]| {
        columns.len() == 2 && columns.iter().all(|column| held.contains(column.as_str()))
    };
    let mut unique = table.indexes.iter().filter(|index| index.is_unique);
    let is_one = together(&table.primary) || unique.any(|index| together(&index.columns));
    let bare = |name: &str| {
        held.contains(name) || table.primary.iter().any(|key| key == name) || is_stamp(name)
    };
    is_one && table.columns.iter().all(|column| bare(&column.name))
}

fn is_stamp(name: &str) -> bool {
    matches!(name, "created_at" | "updated_at")
}

impl Links {
    /// The links between the chosen tables.
    pub(super) fn of(chosen: &[Chosen<'_>], pivots: Vec<Pivot>) -> Links {
        let mut links = Vec::new();
        for one in chosen {
            for key in keys_of(one.table, chosen) {
                links.extend(link(one, &key, chosen));
            }
        }
        let morphs = chosen.iter().flat_map(|one| morphs(one, chosen)).collect();
        Links {
            links,
            pivots,
            morphs,
        }
    }

    /// The link that a column is.
    pub(super) fn of_column(&self, table: &Table, column: &str) -> Option<&Link> {
        self.links
            .iter()
            .find(|link| link.own_table == table.name && link.own_column == column)
    }

    /// Whether a table is a pivot between resources.
    pub(super) fn is_pivot(&self, table: &Table) -> bool {
        self.pivots.iter().any(|pivot| pivot.table == table.name)
    }
}

/// The foreign keys of a table, and those that names alone say.
fn keys_of(table: &Table, chosen: &[Chosen<'_>]) -> Vec<(ForeignKey, bool)> {
    let mut keys: Vec<(ForeignKey, bool)> = table
        .foreign
        .iter()
        .map(|key| (key.clone(), false))
        .collect();
    if table.is_view {
        return keys;
    }
    for column in &table.columns {
        let Some(stem) = column
            .name
            .strip_suffix("_id")
            .filter(|stem| !stem.is_empty())
        else {
            continue;
        };
        let is_held = keys.iter().any(|(key, _)| key.column == column.name);
        let is_morph = table.column(&format!("{stem}_type")).is_some();
        let is_own = matches!(table.primary.as_slice(), [only] if *only == column.name);
        if is_held || is_morph || is_own || is_secret(&column.name) {
            continue;
        }
        keys.extend(named(&column.name, chosen).map(|key| (key, true)));
    }
    keys
}

fn link(
    one: &Chosen<'_>,
    (key, is_guessed): &(ForeignKey, bool),
    chosen: &[Chosen<'_>],
) -> Option<Link> {
    let target = chosen
        .iter()
        .find(|other| other.table.name.eq_ignore_ascii_case(&key.table))?;
    let is_key = key
        .other
        .as_ref()
        .is_none_or(|other| other.eq_ignore_ascii_case(&target.primary.column));
    let column = one.table.column(&key.column)?;
    let is_primary = column.name.eq_ignore_ascii_case(&one.primary.column);
    if !is_key || (is_primary && one.kind == ManifestKind::Resource) {
        return None;
    }
    let same = key_kind(column)
        .is_some_and(|kind| discriminant(&kind) == discriminant(&target.primary.kind));
    // Two uuids, say, or a text that holds one: only keys of one type are a relation.
    same.then(|| Link {
        own_table: one.table.name.clone(),
        own_key: one.key.clone(),
        own_column: column.name.clone(),
        table: target.table.name.clone(),
        column: target.primary.column.clone(),
        target: target.key.clone(),
        kind: target.primary.kind.clone(),
        is_guessed: *is_guessed,
        is_unique: one.table.is_unique(&column.name),
    })
}

/// The pivots among tables without a key of one column.
pub(super) fn pivots(tables: &[&Table], chosen: &[Chosen<'_>]) -> Vec<Pivot> {
    let found = tables.iter().filter_map(|table| pivot(table, chosen));
    found.collect()
}

fn pivot(table: &Table, chosen: &[Chosen<'_>]) -> Option<Pivot> {
    let side = |key: &ForeignKey| {
        let target = chosen
            .iter()
            .find(|one| one.table.name.eq_ignore_ascii_case(&key.table))?;
        Some((key.column.clone(), target.key.clone()))
    };
    // A pivot whose keys are only named so.
    let keys: Vec<ForeignKey> = keys_of(table, chosen)
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    let named: Vec<ForeignKey> = table
        .primary
        .iter()
        .filter_map(|column| {
            let known = keys.iter().find(|key| key.column == *column).cloned();
            known.or_else(|| named(column, chosen))
        })
        .collect();
    let keys = if keys.len() == 2 { keys } else { named };
    let [one, other] = keys.as_slice() else {
        return None;
    };
    if table.is_view || one.column.eq_ignore_ascii_case(&other.column) {
        return None;
    }
    let held = [one.column.as_str(), other.column.as_str()];
    let counted = match table.primary.as_slice() {
        [only] => Some(only.as_str()),
        _ => None,
    };
    let is_own = |name: &str| !held.contains(&name) && counted != Some(name) && !is_stamp(name);
    Some(Pivot {
        table: table.name.clone(),
        sides: [side(one)?, side(other)?],
        has_own_columns: table.columns.iter().any(|column| is_own(&column.name)),
    })
}

/// The key that a column's name says: of the only resource with this name, or with a key of this name.
pub(super) fn named(column: &str, chosen: &[Chosen<'_>]) -> Option<ForeignKey> {
    let stem = column.strip_suffix("_id").unwrap_or(column);
    let fits = |one: &&Chosen<'_>| {
        let is_named = singular(&one.bare.to_snake_case()) == stem || one.primary.column == column;
        // A pivot's model has the key of one of its sides.
        is_named && one.kind == ManifestKind::Resource
    };
    match chosen.iter().filter(fits).collect::<Vec<_>>().as_slice() {
        [only] => Some(ForeignKey {
            column: column.to_owned(),
            table: only.table.name.clone(),
            other: None,
        }),
        _ => None,
    }
}

fn morphs(one: &Chosen<'_>, chosen: &[Chosen<'_>]) -> Vec<Morph> {
    let found = one
        .table
        .kinds_found
        .iter()
        .filter(|(_, values)| !values.is_empty());
    found
        .filter_map(|(column, values)| {
            let name = column.strip_suffix("_type")?.to_owned();
            let targets = targets(values, chosen);
            let unknown = values
                .iter()
                .filter(|value| !targets.contains_key(*value))
                .cloned();
            Some(Morph {
                key: one.key.clone(),
                table: one.table.name.clone(),
                name,
                unknown: unknown.collect(),
                targets,
            })
        })
        .filter(|morph| !morph.targets.is_empty())
        .collect()
}

/// The resources that values of a `*_type` column name: `App\Models\Order` is `orders`.
pub(super) fn targets(values: &[String], chosen: &[Chosen<'_>]) -> BTreeMap<String, String> {
    let target = |value: &String| {
        let word = value
            .rsplit(['\\', '.', ':'])
            .next()
            .unwrap_or(value)
            .to_snake_case();
        let fits = |one: &&Chosen<'_>| one.key == plural(&word) || one.bare == word;
        chosen
            .iter()
            .find(fits)
            .map(|one| (value.clone(), one.key.clone()))
    };
    values.iter().filter_map(target).collect()
}
