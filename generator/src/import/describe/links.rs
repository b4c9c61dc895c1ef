//! Links between tables: foreign keys, columns named like one, pivots, polymorphic pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use formwork_vocabulary::inflect::{plural, singular};
use heck::ToSnakeCase;

use super::guarded::is_secret;
use super::keys::key_kind;
use super::values::{Chosen, Secrets};
use crate::import::catalogue::{CatalogueColumn, CatalogueForeignKey, CatalogueTable};
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
    /// Whether it is guessed from names, without a foreign key.
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
    /// Whether it has further columns, or timestamps that each row needs.
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
    /// Values that match no table.
    pub unknown: Vec<String>,
}

/// Links between resources.
#[derive(Debug)]
pub(super) struct Links {
    /// Columns with keys.
    pub links: Vec<Link>,
    /// Tables between two resources.
    pub pivots: Vec<Pivot>,
    /// Polymorphic pairs.
    pub morphs: Vec<Morph>,
    /// Tables, each with a note about a link that is not a relation.
    pub secrets: Secrets,
    /// Tables, each with a note about a link that is not a relation.
    unsaid: Vec<(String, String)>,
}

/// Whether a table holds foreign keys to two tables with resources, and nothing else that a row needs a value for but
/// perhaps a counted key and timestamps.
pub(super) fn is_bare_pivot(table: &CatalogueTable, has_resource: impl Fn(&str) -> bool) -> bool {
    let held: BTreeSet<&str> = table
        .foreign
        .iter()
        .map(|key| key.column.as_str())
        .collect();
    if held.len() != 2 || table.is_view || !table.foreign.iter().all(|key| has_resource(&key.table))
    {
        return false;
    }
    let together = |columns: &[String]| {
        columns.len() == 2 && columns.iter().all(|column| held.contains(column.as_str()))
    };
    let mut unique = table.indexes.iter().filter(|index| index.is_unique);
    let is_one = together(&table.primary) || unique.any(|index| together(&index.columns));
    let bare = |column: &CatalogueColumn| {
        let is_kept = table.primary.contains(&column.name) || is_stamp(&column.name);
        held.contains(column.name.as_str()) || (is_kept && !column.needs_value())
    };
    is_one && table.columns.iter().all(bare)
}

pub(super) fn is_stamp(name: &str) -> bool {
    matches!(name, "created_at" | "updated_at")
}

impl Links {
    /// The links between the chosen tables.
    pub(super) fn of(chosen: &[Chosen<'_>], pivots: Vec<Pivot>) -> Links {
        let (mut links, mut unsaid) = (Vec::new(), Vec::new());
        for one in chosen {
            for (key, is_guessed) in keys_of(one.table, chosen) {
                match link(one, &key, is_guessed, chosen) {
                    Ok(link) => links.push(link),
                    Err(_) if is_guessed => {}
                    Err(why) => unsaid.push((one.table.name.clone(), no_relation(&key, why))),
                }
            }
        }
        let mut morphs: Vec<Morph> = chosen.iter().flat_map(|one| morphs(one, chosen)).collect();
        let untold = morphs.extract_if(.., |morph| morph.targets.is_empty());
        unsaid.extend(untold.map(|morph| (morph.table.clone(), untold_pair(&morph))));
        Links {
            links,
            pivots,
            morphs,
            secrets: Secrets::default(),
            unsaid,
        }
    }

    /// Notes about the links of a table that are not relations.
    pub(super) fn unsaid(&self, table: &CatalogueTable) -> impl Iterator<Item = String> {
        let own = self.unsaid.iter().filter(|(name, _)| *name == table.name);
        own.map(|(_, note)| note.clone())
    }

    /// The link of a column.
    pub(super) fn of_column(&self, table: &CatalogueTable, column: &str) -> Option<&Link> {
        self.links
            .iter()
            .find(|link| link.own_table == table.name && link.own_column == column)
    }

    /// Whether a table is a pivot between resources.
    pub(super) fn is_pivot(&self, table: &CatalogueTable) -> bool {
        self.pivots.iter().any(|pivot| pivot.table == table.name)
    }
}

/// The foreign keys of a table, and those that are guessed from names.
fn keys_of(table: &CatalogueTable, chosen: &[Chosen<'_>]) -> Vec<(CatalogueForeignKey, bool)> {
    let mut keys: Vec<(CatalogueForeignKey, bool)> = table
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

fn no_relation(key: &CatalogueForeignKey, why: &str) -> String {
    let there = key.other.iter().map(|other| format!(".{other}"));
    let there: String = there.collect();
    format!(
        "Not a relation: the foreign key `{}` to `{}{there}`, because {why}.",
        key.column, key.table
    )
}

fn untold_pair(morph: &Morph) -> String {
    let name = &morph.name;
    let why = match morph.unknown.as_slice() {
        [] => "no row has a value".to_owned(),
        unknown => format!("no table matches its values {}", unknown.join(", ")),
    };
    format!(
        "Not a relation: `{name}_type` with `{name}_id`, because {why}. If the pair is polymorphic, add a `morph_to`."
    )
}

/// The link of a foreign key, or the reason why it is not a relation.
fn link(
    one: &Chosen<'_>,
    key: &CatalogueForeignKey,
    is_guessed: bool,
    chosen: &[Chosen<'_>],
) -> Result<Link, &'static str> {
    let target = chosen
        .iter()
        .find(|other| other.table.name.eq_ignore_ascii_case(&key.table))
        .ok_or("that table is not imported")?;
    let is_key = key
        .other
        .as_ref()
        .is_none_or(|other| other.eq_ignore_ascii_case(&target.primary.column));
    if !is_key {
        return Err("that column is not the key of its table");
    }
    let column = one
        .table
        .column(&key.column)
        .ok_or("the database hides the column")?;
    let is_primary = column.name.eq_ignore_ascii_case(&one.primary.column);
    let same = key_kind(column)
        .is_some_and(|kind| discriminant(&kind) == discriminant(&target.primary.kind));
    if !same {
        return Err("the key there has another type");
    }
    Ok(Link {
        own_table: one.table.name.clone(),
        own_key: one.key.clone(),
        own_column: match is_primary {
            true => one.primary.column.clone(),
            false => column.name.clone(),
        },
        table: target.table.name.clone(),
        column: target.primary.column.clone(),
        target: target.key.clone(),
        kind: target.primary.kind.clone(),
        is_guessed,
        is_unique: one.table.is_unique(&column.name),
    })
}

/// The pivots among tables without a key of one column.
pub(super) fn pivots(tables: &[&CatalogueTable], chosen: &[Chosen<'_>]) -> Vec<Pivot> {
    let found = tables.iter().filter_map(|table| pivot(table, chosen));
    found.collect()
}

fn pivot(table: &CatalogueTable, chosen: &[Chosen<'_>]) -> Option<Pivot> {
    let side = |key: &CatalogueForeignKey| {
        let target = chosen
            .iter()
            .find(|one| one.table.name.eq_ignore_ascii_case(&key.table))?;
        Some((key.column.clone(), target.key.clone()))
    };
    // The columns of its primary key, where the keys are known by their names only.
    let keys: Vec<CatalogueForeignKey> = keys_of(table, chosen)
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    let named: Vec<CatalogueForeignKey> = table
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
    let is_own = |column: &CatalogueColumn| {
        let is_kept = counted == Some(column.name.as_str()) || is_stamp(&column.name);
        !held.contains(&column.name.as_str()) && (!is_kept || column.needs_value())
    };
    Some(Pivot {
        table: table.name.clone(),
        sides: [side(one)?, side(other)?],
        has_own_columns: table.columns.iter().any(is_own),
    })
}

/// The key that the name of a column refers to: that of the only resource with this name, else of the only resource
/// whose key has this name.
pub(super) fn named(column: &str, chosen: &[Chosen<'_>]) -> Option<CatalogueForeignKey> {
    let stem = column.strip_suffix("_id").unwrap_or(column);
    let is_named = |one: &&&Chosen<'_>| singular(&one.bare.to_snake_case()) == stem;
    let has_key = |one: &&&Chosen<'_>| one.primary.column == column;
    // A pivot's model has the key of one of its sides.
    let resources = chosen
        .iter()
        .filter(|one| one.kind == ManifestKind::Resource);
    let resources: Vec<&Chosen<'_>> = resources.collect();
    let mut named: Vec<_> = resources.iter().filter(is_named).collect();
    if named.is_empty() {
        named = resources.iter().filter(has_key).collect();
    }
    match named.as_slice() {
        [only] => Some(CatalogueForeignKey {
            column: column.to_owned(),
            table: only.table.name.clone(),
            other: None,
        }),
        _ => None,
    }
}

fn morphs(one: &Chosen<'_>, chosen: &[Chosen<'_>]) -> Vec<Morph> {
    let held = |column: &str| one.table.foreign.iter().any(|key| key.column == column);
    let found = one.table.kinds_found.iter();
    found
        .filter_map(|(column, values)| {
            let name = column.strip_suffix("_type")?.to_owned();
            if values.is_empty() && held(&format!("{name}_id")) {
                return None;
            }
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
