//! One manifest, read and checked by itself; relations still name keys.

use std::collections::{BTreeMap, BTreeSet};

use crate::manifest::vocabulary::RelationWord;
use crate::manifest::{ManifestKind, Node, Span};
use crate::project::{Attribute, ColumnType, Include, Load, Model, Resource};

use super::report::Word;

/// A manifest on its way to a [`Resource`].
#[derive(Debug)]
pub struct Draft<'s> {
    /// File of the manifest.
    pub path: &'s str,
    /// Folder of its extension.
    pub folder: &'s str,
    /// Key, from the file's name.
    pub key: String,
    /// Resource or supporting model.
    pub kind: ManifestKind,
    /// Its readable parts; relations and columns of `belongs_to` come later. `None`: only
    /// the key is known.
    pub resource: Option<Resource>,
    /// Relations as written.
    pub relations: Vec<RelationDraft>,
    /// Place of each attribute.
    pub places: BTreeMap<String, Span>,
    /// Attributes that are there and could not be read.
    pub unread: BTreeSet<String>,
    /// Place of the table's name, or of the file's first line.
    pub table_span: Span,
    /// Place of the manifest as a whole.
    pub span: Span,
    /// `exists` rules: table, column, place.
    pub exists: Vec<(String, String, Span)>,
}

/// `model:` of a manifest, as read.
#[derive(Debug)]
pub struct ModelDraft {
    /// The model, without relations, and without the attributes in `attributes` here.
    pub model: Model,
    /// `name:` of the model.
    pub name: Option<String>,
    /// Columns that identify a row together with the key, as written.
    pub key_with: Vec<Word>,
    /// Attributes with their places.
    pub attributes: Vec<AttributeDraft>,
    /// Relations as written.
    pub relations: Vec<RelationDraft>,
    /// Indexes as written.
    pub indexes: Vec<Vec<Word>>,
    /// Place of the table's name.
    pub table_span: Option<Span>,
    /// Attributes that could not be read.
    pub unread: BTreeSet<String>,
}

/// An attribute as read, with the places later checks need.
#[derive(Debug)]
pub struct AttributeDraft {
    /// The attribute.
    pub attribute: Attribute,
    /// Its name's place.
    pub span: Span,
    /// Places of its rules, by name.
    pub rules: BTreeMap<&'static str, Span>,
}

/// A relation as written.
#[derive(Debug, Clone)]
pub struct RelationDraft {
    /// Name and its place.
    pub name: Word,
    /// Kind.
    pub kind: RelationWord,
    /// Targets: the value stored for each (`morph_to` alone), and the key.
    pub targets: Vec<(String, Word)>,
    /// `column`.
    pub column: Option<Word>,
    /// `other_column`.
    pub other_column: Option<Word>,
    /// `target_key`.
    pub target_key: Option<Word>,
    /// `pivot`.
    pub pivot: Option<Word>,
    /// `was` of the pivot.
    pub pivot_was: Option<Word>,
    /// `was`.
    pub was: Option<Word>,
    /// `morph`.
    pub morph: Option<Word>,
    /// `value`.
    pub value: Option<String>,
    /// `where`: column and value.
    pub conditions: Vec<(Word, Node)>,
    /// `order`, with its `-`.
    pub order: Vec<Word>,
    /// `first`.
    pub first: bool,
    /// `type`.
    pub json_type: Option<String>,
    /// `include`.
    pub include: Include,
    /// `load: always`, or `load: { for: [stock_qty] }`.
    pub load: Load,
    /// `write: sync`.
    pub sync: bool,
    /// `nullable`, for the column of `belongs_to`.
    pub nullable: Option<bool>,
    /// `constraint`.
    pub constraint: bool,
}

/// Whether clients see a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// May be sorted, filtered and searched.
    Visible,
    /// Never leaves the service.
    Hidden,
}

impl RelationDraft {
    /// The column of a `belongs_to`: as written, or `<name>_id`.
    pub fn own_column(&self) -> String {
        match &self.column {
            Some(column) => column.text.clone(),
            None => format!("{}_id", self.name.text),
        }
    }

    /// The name that column had before the relation was renamed, where it is named after it.
    pub fn former_column(&self) -> Option<String> {
        let was = self.was.as_ref().filter(|_| self.column.is_none())?;
        Some(format!("{}_id", was.text))
    }
}

/// The type of a column of `resource` that its manifest declares, `belongs_to` columns left out.
pub fn declared_type(resource: &Resource, column: &str) -> Option<ColumnType> {
    let model = &resource.model;
    if column == model.key.name {
        return Some(model.key.kind.clone());
    }
    if model.timestamps && matches!(column, "created_at" | "updated_at") {
        return Some(ColumnType::DateTime);
    }
    let attribute = model
        .attributes
        .iter()
        .find(|attribute| attribute.name == column)?;
    Some(attribute.kind.clone())
}
