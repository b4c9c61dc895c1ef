//! The manifests that a project has before an import.

use anyhow::Result;

use super::describe::Known;
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
    let has_base = |one: &Listed| bases.iter().any(|base| base.key == one.key);
    // Its record is lost, or its key was changed since.
    let is_imported = |one: &Listed| one.folder == folder && !one.is_managed && !has_base(one);
    let (mut imported, others): (Vec<_>, Vec<_>) = list(sources).into_iter().partition(is_imported);
    imported.extend(bases);
    Ok(Known {
        folder: folder.to_owned(),
        imported,
        others,
    })
}
