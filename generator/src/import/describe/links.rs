//! Links between tables: foreign keys, columns named like one, pivots.

use std::collections::BTreeSet;

use formwork_vocabulary::inflect::singular;
use heck::ToSnakeCase;

use super::keys::{RowKey, has_kind};
use super::morphs::{Morph, morphs};
use super::secret::is_secret;
use super::values::Chosen;
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
    /// Whether a side is guessed from names, without a foreign key.
    pub is_guessed: bool,
    /// The columns that tell its rows apart, where two do: a side, and one that is unique within it.
    pub key: Option<[String; 2]>,
    /// Whether it has further columns, or timestamps that each row needs.
    pub has_own_columns: bool,
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
    unsaid: Vec<(String, String)>,
}

/// Whether a table holds foreign keys to two tables with resources, and nothing else that a row needs a value for but
/// perhaps a counted key and timestamps.
pub(super) fn is_bare_pivot(
    table: &CatalogueTable,
    is_link: impl Fn(&CatalogueForeignKey) -> bool,
) -> bool {
    let held: BTreeSet<&str> = table
        .foreign
        .iter()
        .map(|key| key.column.as_str())
        .collect();
    if held.len() != 2 || table.is_view || !table.foreign.iter().all(is_link) {
        return false;
    }
    let bare = |column: &CatalogueColumn| {
        let is_kept = table.primary.contains(&column.name) || is_stamp(&column.name);
        held.contains(column.name.as_str()) || (is_kept && !column.needs_value())
    };
    are_unique(table, &held) && table.columns.iter().all(bare)
}

/// Whether no two rows hold the same values in both columns.
fn are_unique(table: &CatalogueTable, held: &BTreeSet<&str>) -> bool {
    let together = |columns: &[String]| {
        columns.len() == 2 && columns.iter().all(|column| held.contains(column.as_str()))
    };
    let mut unique = table.indexes.iter().filter(|index| index.is_unique);
    together(&table.primary) || unique.any(|index| together(&index.columns))
}

pub(super) fn is_stamp(name: &str) -> bool {
    matches!(name, "created_at" | "updated_at")
}

impl Links {
    /// The links between the chosen tables.
    pub(super) fn of(chosen: &[Chosen<'_>], pivots: Vec<Pivot>) -> Links {
        let (mut links, mut unsaid): (Vec<Link>, _) = (Vec::new(), Vec::new());
        for one in chosen {
            let own = links.len();
            for (key, is_guessed) in keys_of(one.table, chosen) {
                let is_same = |link: &Link, known: &Link| {
                    (&known.own_column, &known.table) == (&link.own_column, &link.table)
                };
                match link(one, &key, is_guessed, chosen) {
                    // Databases accept the same foreign key twice.
                    Ok(link) if links[own..].iter().any(|known| is_same(&link, known)) => {}
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
    // Databases list foreign keys in different orders.
    let place = |key: &CatalogueForeignKey| {
        table
            .columns
            .iter()
            .position(|column| column.name == key.column)
    };
    keys.sort_by_key(|(key, _)| (place(key), key.table.clone()));
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
    let (why, hint) = match (morph.unknown.as_slice(), morph.odd.as_slice()) {
        ([], []) => ("no row has a value".to_owned(), ADD_IT),
        (unknown, []) => (
            format!("no table matches its values {}", unknown.join(", ")),
            ADD_IT,
        ),
        (_, odd) => (
            format!("the keys of {} have another type", odd.join(", ")),
            "",
        ),
    };
    format!("Not a relation: `{name}_type` with `{name}_id`, because {why}.{hint}")
}

/// What to do about a pair whose values tell nothing.
const ADD_IT: &str = " If the pair is polymorphic, add a `morph_to`.";

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
    let column = holder(one.table, key, &target.primary)?;
    let is_primary = column.name.eq_ignore_ascii_case(&one.primary.column);
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

/// The column that holds the keys of another table, or the reason why it does not.
pub(super) fn holder<'c>(
    table: &'c CatalogueTable,
    key: &CatalogueForeignKey,
    there: &RowKey,
) -> Result<&'c CatalogueColumn, &'static str> {
    let is_key = key
        .other
        .as_ref()
        .is_none_or(|other| other.eq_ignore_ascii_case(&there.column));
    if !is_key {
        return Err("that column is not the key of its table");
    }
    let column = table
        .column(&key.column)
        .ok_or("the database hides the column")?;
    match has_kind(column, there) {
        true => Ok(column),
        false => Err("the key there has another type"),
    }
}

/// The pivots among tables without a key of one column.
pub(super) fn pivots(tables: &[&CatalogueTable], chosen: &[Chosen<'_>]) -> Vec<Pivot> {
    let found = tables.iter().filter_map(|table| pivot(table, chosen));
    found.collect()
}

/// The pivot that a table is: its two keys are unique together, or it holds nothing else.
fn pivot(table: &CatalogueTable, chosen: &[Chosen<'_>]) -> Option<Pivot> {
    let sides: [(String, String); 2] = sides(table, chosen).try_into().ok()?;
    let held = BTreeSet::from([sides[0].0.as_str(), sides[1].0.as_str()]);
    if table.is_view || sides[0].0.eq_ignore_ascii_case(&sides[1].0) {
        return None;
    }
    let counted = match table.primary.as_slice() {
        [only] => Some(only.as_str()),
        _ => None,
    };
    let is_kept =
        |column: &CatalogueColumn| counted == Some(column.name.as_str()) || is_stamp(&column.name);
    let others = table.columns.iter();
    let mut others = others.filter(|column| !held.contains(column.name.as_str()));
    let is_unique = are_unique(table, &held);
    // A log, or lines with a number, hold several rows with the same two keys. A further key does little harm: the lists
    // are read only.
    let is_key = |column: &CatalogueColumn| {
        table.primary.contains(&column.name) && column.name.ends_with("_id")
    };
    let mut plain = others.clone();
    if !is_unique && !plain.all(|column| is_kept(column) || is_key(column)) {
        return None;
    }
    let has_own_columns = others.any(|column| !is_kept(column) || column.needs_value());
    let is_guessed = held
        .iter()
        .any(|side| table.foreign.iter().all(|key| key.column != *side));
    let key = match is_unique {
        true => Some(sides.clone().map(|(column, _)| column)),
        false => within_side(table, &held),
    };
    Some(Pivot {
        table: table.name.clone(),
        is_guessed,
        key,
        has_own_columns,
        sides,
    })
}

/// A side and another column that are the primary key of a table.
fn within_side(table: &CatalogueTable, held: &BTreeSet<&str>) -> Option<[String; 2]> {
    let [first, second] = table.primary.as_slice() else {
        return None;
    };
    let is_side = |column: &String| held.contains(column.as_str());
    match (is_side(first), is_side(second)) {
        (true, false) => Some([first.clone(), second.clone()]),
        (false, true) => Some([second.clone(), first.clone()]),
        _ => None,
    }
}

/// The columns that hold keys, and the resources of these: those of a primary key of two columns, also where they are
/// known by their names only, else all.
fn sides(table: &CatalogueTable, chosen: &[Chosen<'_>]) -> Vec<(String, String)> {
    let side = |key: CatalogueForeignKey| {
        let mut all = chosen.iter();
        let target = all.find(|one| one.table.name.eq_ignore_ascii_case(&key.table))?;
        holder(table, &key, &target.primary).ok()?;
        Some((key.column, target.key.clone()))
    };
    let keys = keys_of(table, chosen).into_iter();
    let keys: Vec<(String, String)> = keys.filter_map(|(key, _)| side(key)).collect();
    let primary = table.primary.iter().filter_map(|column| {
        let known = keys.iter().find(|(key, _)| key == column).cloned();
        known.or_else(|| side(named(column, chosen)?))
    });
    let primary: Vec<(String, String)> = primary.collect();
    match (primary.len(), table.primary.len()) {
        (2, 2) => primary,
        _ => keys,
    }
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
