//! The manifests that a project has before an import.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::describe::{Known, KnownRelation, KnownRelations, identity};
use crate::manifest::{ManifestKind, Sources, manifest_path};
use crate::resolve::{Listed, list};
use crate::state::State;

/// Where the last import's manifests are kept, below the state.
pub(super) const IMPORTED: &str = "imported";

/// The name of the last import's manifest, below the state.
pub(super) fn base_name(folder: &str, key: &str) -> String {
    format!("{IMPORTED}/{folder}.{key}.yaml")
}

/// The key in the name of the last import's manifest.
pub(super) fn key_in<'n>(name: &'n str, folder: &str) -> Option<&'n str> {
    let short = name.rsplit('/').next().unwrap_or(name);
    let rest = short.strip_prefix(folder)?.strip_prefix('.')?;
    rest.strip_suffix(".yaml")
}

/// Reads the manifests of the project. `folder` is the folder of the extension that gets the new
/// manifests.
///
/// # Errors
/// Files that cannot be read.
pub fn read(state: &State, sources: &Sources, folder: &str) -> Result<Known> {
    let bases = state.files_below(IMPORTED)?;
    let texts = bases.into_iter().filter_map(|(name, text)| {
        let key = key_in(&name, folder)?;
        Some((manifest_path(folder, ManifestKind::Resource, key), text))
    });
    let bases = list(&Sources::from_texts(texts));
    let files = list(sources);
    let relations = relations(&bases, &files, folder);
    let tables = tables(&files);
    let has_base = |one: &Listed| bases.iter().any(|base| base.key == one.key);
    // Its record is lost, or its key was changed since.
    let is_imported = |one: &Listed| one.folder == folder && !one.is_managed && !has_base(one);
    let (mut imported, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_imported);
    imported.extend(bases);
    Ok(Known {
        folder: folder.to_owned(),
        imported,
        others,
        tables,
        relations,
    })
}

/// Returns the tables that manifests describe, and the pivots of their relations.
fn tables(files: &[Listed]) -> BTreeSet<String> {
    let described = files.iter().filter_map(|one| one.table.clone());
    let entries = files
        .iter()
        .flat_map(|one| &one.relations)
        .flat_map(|one| &one.entries);
    let pivots = entries
        .filter(|(key, _)| *key == "pivot")
        .map(|(_, table)| table.clone());
    described.chain(pivots).collect()
}

/// Returns the relations of each imported table: those of the last import and those of the file.
fn relations(bases: &[Listed], files: &[Listed], folder: &str) -> BTreeMap<String, KnownRelations> {
    let mut all: BTreeMap<String, KnownRelations> = BTreeMap::new();
    for base in bases {
        let Some(table) = &base.table else { continue };
        let known = all.entry(table.to_lowercase()).or_default();
        known.recorded = Some(relations_of(base, &[bases, files]));
    }
    let own = files
        .iter()
        .filter(|one| one.folder == folder && !one.is_managed);
    for file in own {
        let Some(table) = &file.table else { continue };
        let known = all.entry(table.to_lowercase()).or_default();
        known.current = relations_of(file, &[files, bases]);
        known.columns.clone_from(&file.columns);
    }
    all
}

/// Returns the relations of a manifest. The first manifest with a relation's target names its table.
fn relations_of(manifest: &Listed, manifests: &[&[Listed]]) -> Vec<KnownRelation> {
    let table_of = |key: &str| {
        let mut all = manifests.iter().copied().flatten();
        all.find(|one| one.key == key)?.table.clone()
    };
    let relations = manifest.relations.iter().map(|one| KnownRelation {
        name: one.name.clone(),
        identity: identity(&one.entries, table_of),
    });
    relations.collect()
}
