//! Relations, and the columns and pivots they join by.

use serde::Serialize;

use super::api::Context;
use super::attribute::Literal;

/// A relation to another registered key.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Relation {
    /// Name in includes and answers.
    pub name: String,
    /// `was:` the name the relation had before.
    #[serde(skip)]
    pub was: Option<String>,
    /// Kind, columns and pivot.
    #[serde(flatten)]
    pub kind: RelationKind,
    /// Keys of the registered targets; one but for `morph_to`.
    pub target: String,
    /// Its type in JSON:API, where it differs from the target's key.
    pub json_type: Option<String>,
    /// Only rows whose column equals the value: `where: { is_allergen: true }`.
    pub conditions: Vec<(String, Literal)>,
    /// `order: [-priority, name]`.
    pub order: Vec<String>,
    /// `first: true`: only the first row, rendered as an object or null.
    pub first: bool,
    /// Callers that may include it.
    #[serde(skip)]
    pub include: Include,
    /// When it is loaded though no client includes it.
    #[serde(skip)]
    pub load: Load,
    /// `write: sync`.
    pub sync: bool,
}

/// When a relation is loaded for computed attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Load {
    /// Only where it is included.
    IfIncluded,
    /// `load: always`.
    Always,
    /// `load: { for: [stock_qty] }`: where one of these attributes is shown.
    For(Vec<String>),
}

/// The callers that may include a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Include {
    /// No caller: it is for hooks and computed attributes.
    Never,
    /// Callers that may see the target, narrowed to the context.
    Allowed(Context),
    /// Shown unless excluded.
    Default,
}

/// Kind of a relation with the columns it joins by.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RelationKind {
    /// `column` of this table holds `target_key` of the target.
    BelongsTo {
        /// Column here.
        column: String,
        /// Column there.
        target_key: String,
    },
    /// `column` of the target holds this row's key.
    HasOne {
        /// Column there.
        column: String,
    },
    /// As `HasOne`, many.
    HasMany {
        /// Column there.
        column: String,
    },
    /// By a pivot table.
    ManyToMany(Pivot),
    /// `<morph>_type` and `<morph>_id` of the target name this row.
    MorphOne(Morph),
    /// As `MorphOne`, many.
    MorphMany(Morph),
    /// `<morph>_type` and `<morph>_id` of this table name the target.
    MorphTo {
        /// Column prefix.
        morph: String,
        /// Stored value and registered key of each target.
        targets: Vec<(String, String)>,
    },
    /// By a pivot table with `<morph>_type` and `<morph>_id` for this side.
    MorphManyToMany {
        /// Pivot table; `column` is `<morph>_id`.
        #[serde(flatten)]
        pivot: Pivot,
        /// Prefix and stored value.
        #[serde(flatten)]
        morph: Morph,
    },
}

/// A pivot table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pivot {
    /// Table name.
    #[serde(rename = "pivot")]
    pub table: String,
    /// Column that holds this side's key.
    #[serde(rename = "pivot_column")]
    pub column: String,
    /// Column that holds the other side's key.
    #[serde(rename = "pivot_other_column")]
    pub other_column: String,
    /// Whether Formwork creates the table: true for the first (in key order) of the relations that name it,
    /// and only where no model of that table exists.
    #[serde(skip)]
    pub owned: bool,
    /// The names it had before, where `was:` on the resources, their keys or the pivot gave it others.
    #[serde(skip)]
    pub was: Option<FormerPivot>,
}

/// The names of a pivot before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerPivot {
    /// Table name.
    pub table: String,
    /// Column that holds this side's key.
    pub column: String,
    /// Column that holds the other side's key.
    pub other_column: String,
}

/// Polymorphic columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Morph {
    /// Prefix: `<name>_type`, `<name>_id`.
    #[serde(rename = "morph")]
    pub name: String,
    /// The value stored in `<name>_type` for this resource.
    #[serde(rename = "morph_value")]
    pub value: String,
}
