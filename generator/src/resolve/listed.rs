//! Keys, tables and names in manifests, as far as each can be read by itself.

use std::collections::BTreeMap;

use serde_json::Value;

use super::draft::RelationDraft;
use super::report::{Diagnostics, Word};
use crate::manifest::vocabulary::RelationWord;
use crate::manifest::{ManifestFile, ManifestKind, Sources};
use crate::project::{ColumnType, Names, Resource};

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
    /// The values of its enums, by attribute.
    pub enums: BTreeMap<String, Vec<String>>,
    /// Its relations.
    pub relations: Vec<ListedRelation>,
    /// Whether migrations make the table.
    pub is_managed: bool,
    /// Its Rust names; `None` where the manifest cannot be read.
    pub names: Option<Names>,
}

/// A relation of a manifest.
#[derive(Debug, Clone)]
pub struct ListedRelation {
    /// Its name.
    pub name: String,
    /// Its kind with the target, then the keys that say which columns it joins, as YAML.
    pub entries: Vec<(&'static str, String)>,
}

impl ListedRelation {
    fn new(draft: &RelationDraft) -> Self {
        let target = draft.targets.first().map(|(_, target)| target.text.clone());
        let text = |word: &Option<Word>| word.as_ref().map(|word| word.text.clone());
        let column = match draft.kind {
            RelationWord::BelongsTo => Some(draft.own_column()),
            _ => text(&draft.column),
        };
        let value = draft.value.as_deref();
        let entries = [
            (draft.kind.text(), target),
            ("pivot", text(&draft.pivot)),
            ("morph", text(&draft.morph)),
            ("value", value.map(|value| Value::from(value).to_string())),
            ("column", column),
            ("other_column", text(&draft.other_column)),
        ];
        let entries = entries.into_iter();
        let entries = entries.filter_map(|(key, value)| Some((key, value?)));
        Self {
            name: draft.name.text.clone(),
            entries: entries.collect(),
        }
    }
}

fn enums(resource: &Resource) -> BTreeMap<String, Vec<String>> {
    let attributes = resource.model.attributes.iter();
    let enums = attributes.filter_map(|attribute| match &attribute.kind {
        ColumnType::Enum(values) => Some((attribute.name.clone(), values.clone())),
        _ => None,
    });
    enums.collect()
}

/// Lists the manifests, those with mistakes as well.
pub fn list(sources: &Sources) -> Vec<Listed> {
    let files: Vec<ManifestFile<'_>> = sources.manifests().collect();
    let drafts = super::read_all(&files, &Diagnostics::default()).into_iter();
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
            enums: resource.map_or_else(BTreeMap::new, enums),
            relations: draft.relations.iter().map(ListedRelation::new).collect(),
            is_managed: resource.is_none_or(|one| one.model.managed),
            names: resource.map(|one| one.names.clone()),
        }
    });
    listed.collect()
}
