//! The facts about a relation without its model.

use formwork_vocabulary::action::Allow;

use crate::{
    column::Kind,
    database::{Morph, Pivot},
    value::Value,
};

/// The facts about a relation without its model.
#[derive(Debug, Clone)]
pub struct RelationInfo {
    /// Its name: of the include, and of its member in a record.
    pub name: &'static str,
    /// Its targets.
    pub targets: Vec<Target>,
    /// Whether a record has several.
    pub many: bool,
    /// The callers that may include it; `None` where it cannot be included.
    pub include: Option<Allow>,
    /// Whether it is included unless the client excludes it.
    pub default: bool,
    /// Whether it is loaded for computed attributes, included or not.
    pub always: bool,
    /// The attributes that it is loaded for; empty: any.
    pub needed_by: &'static [&'static str],
    /// Whether a body's list of ids is synchronised with it.
    pub sync: bool,
    /// The type of its objects in JSON:API, where that is not the key of the target.
    pub json_type: Option<&'static str>,
    /// How the rows of the target are linked.
    pub link: Link,
    /// The columns of the record that name the target of a to-one relation.
    pub own: OwnColumns,
    /// The record's own key.
    pub own_key: Kind,
    /// Columns of the target, and the value its rows hold there.
    pub conditions: Vec<(&'static str, Value)>,
    /// Columns the rows are ordered by; `-` for descending.
    pub order: Vec<&'static str>,
    /// Only the first of each record's rows counts.
    pub first: bool,
}

/// How a row itself, or a table between, names the records that a relation leads to.
#[derive(Debug, Clone, Copy)]
pub enum Binding {
    /// By a column with the record's key.
    Column(&'static str),
    /// By the rows of a table between.
    Pivot(Pivot, Option<Morph>),
}

impl RelationInfo {
    /// The binding of this relation; `None` where it has none. Only its link counts: conditions
    /// narrow the shown records, not the binding.
    pub fn binding(&self) -> Option<Binding> {
        match (&self.link, self.own) {
            (Link::Key(None), OwnColumns::One(column)) => Some(Binding::Column(column)),
            (Link::Pivot(pivot, morph), _) => Some(Binding::Pivot(*pivot, *morph)),
            _ => None,
        }
    }

    /// The type of the resource `key` in documents, where this relation leads to it.
    pub fn type_of<'k>(&self, key: &'k str) -> &'k str {
        self.json_type.unwrap_or(key)
    }
}

/// The columns of a record that name the target of a to-one relation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OwnColumns {
    /// No column names it, or several do.
    #[default]
    Unknown,
    /// One column with the target's key.
    One(&'static str),
    /// The kind of the target, and its key.
    Morph {
        /// The column with the word for the kind.
        kind: &'static str,
        /// The column with the key.
        id: &'static str,
    },
}

impl OwnColumns {
    /// The known columns.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let (one, other) = match self {
            Self::One(column) => (Some(column), None),
            Self::Morph { kind, id } => (Some(kind), Some(id)),
            Self::Unknown => (None, None),
        };
        one.into_iter().chain(other)
    }
}

/// The target of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The key it is registered under.
    pub key: &'static str,
    /// The word that names it in the column `…_type`, where a relation has several targets.
    pub morph: &'static str,
}

/// How the rows of the target are linked to a record.
#[derive(Debug, Clone)]
pub enum Link {
    /// By the target's key, or a unique column of it.
    Key(Option<&'static str>),
    /// By a column of the target that holds the record's key.
    Foreign(&'static str),
    /// As [`Link::Foreign`], for targets that belong to several kinds of record.
    Morph(Morph),
    /// By the rows of a table between.
    Pivot(Pivot, Option<Morph>),
}
