//! Keys, tables and names in manifests, as far as each can be read by itself.

use crate::manifest::{ManifestFile, ManifestKind, Sources};
use crate::project::Names;

/// A manifest, and the table that it describes.
#[derive(Debug, Clone)]
pub struct Listed {
    /// File of the manifest.
    pub path: String,
    /// Folder of its extension.
    pub folder: String,
    /// Its key.
    pub key: String,
    /// Resource or supporting model.
    pub kind: ManifestKind,
    /// Its table; `None` where the manifest cannot be read.
    pub table: Option<String>,
    /// Its attributes.
    pub columns: Vec<String>,
    /// Whether migrations make the table.
    pub is_managed: bool,
    /// Its Rust names; `None` where the manifest cannot be read.
    pub names: Option<Names>,
}

/// Lists the manifests, those with mistakes as well.
pub fn list(sources: &Sources) -> Vec<Listed> {
    let files: Vec<ManifestFile<'_>> = sources.manifests().collect();
    let drafts = super::read_all(&files, &mut Vec::new()).into_iter();
    let listed = drafts.map(|draft| {
        let resource = draft.resource.as_ref();
        Listed {
            path: draft.path.to_owned(),
            folder: draft.folder.to_owned(),
            key: draft.key,
            kind: draft.kind,
            table: resource.map(|one| one.model.table.clone()),
            columns: resource.map_or_else(Vec::new, |one| {
                let attributes = one.model.attributes.iter();
                attributes.map(|attribute| attribute.name.clone()).collect()
            }),
            is_managed: resource.is_none_or(|one| one.model.managed),
            names: resource.map(|one| one.names.clone()),
        }
    });
    listed.collect()
}
