//! The API of a resource: actions, lists, named filters, scopes.

pub use formwork_vocabulary::action::{Action, Allow as Context};
use serde::Serialize;

/// The API of a resource.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Api {
    /// Actions in the order index, create, store, show, edit, update, destroy.
    #[serde(skip)]
    pub actions: Vec<ActionEntry>,
    /// Abilities, any of which suffices: `menus:*`.
    pub abilities: Vec<String>,
    /// The default number of records on a page.
    pub page_limit: u32,
    /// The largest number of records on a page.
    pub max_page_limit: u32,
    /// Columns of `search`.
    pub search: Vec<String>,
    /// Columns of `sort`.
    pub sort: Vec<String>,
    /// Columns of `filter[…]`.
    pub filter: Vec<String>,
    /// Named filters, in the order of the manifest.
    pub filters: Vec<NamedFilter>,
    /// The column that names the owning customer.
    pub owner: Option<String>,
    /// Binding to locations.
    pub location: Option<LocationScope>,
    /// The fields that the transformer adds to the attributes or removes from them.
    pub transform: Transform,
    /// Path of a repository type of the user's own instead of a poured one.
    pub repository: Option<String>,
}

/// An action with its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionEntry {
    /// The action.
    pub action: Action,
    /// Callers that may call it.
    pub context: Context,
}

/// A filter by name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedFilter {
    /// Parameter name.
    pub name: String,
    /// Compares a column, or calls a method that the user fills.
    #[serde(rename = "column")]
    pub kind: FilterKind,
    /// Applies if the client sends none.
    pub default: Option<String>,
}

/// Kind of a named filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FilterKind {
    /// `where: column`: equality; a comma list means any of them.
    Column(String),
    /// `custom`: a poured method to fill.
    Custom,
}

/// Binding to locations (docs/guide/manifest.md, "Whose rows").
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LocationScope {
    /// Name of the relation to locations.
    pub relation: String,
    /// Rows without a location are included, too.
    pub or_none: bool,
}

/// The fields that the transformer returns beside or instead of the attributes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Transform {
    /// Output name and its source, in the order of the manifest, `id` first if named.
    pub fields: Vec<(String, TransformSource)>,
    /// `only:` these attributes; empty means all that are visible.
    pub only: Vec<String>,
}

/// Where a transformed field comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum TransformSource {
    /// A column (by its Rust field name `field` of the attribute or key).
    Column(String),
    /// `self`: a list with the record's own link.
    SelfLinks,
}
