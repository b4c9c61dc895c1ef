//! Which relations are loaded with a record, and which fields are shown.

use std::sync::Arc;

/// The relations to load, as a tree, and the attributes that are shown of the records.
#[derive(Debug, Clone, Default)]
pub struct Includes {
    pub(crate) nodes: Vec<Node>,
    /// The attributes that are shown.
    pub(crate) fields: Fields,
    /// Whether the client asked for includes, be it for none.
    pub(crate) asked: bool,
}

/// A relation to load.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Its index among the relations of the model.
    pub relation: usize,
    /// Its name.
    pub name: &'static str,
    /// Whether it is shown; otherwise it is there for computed attributes.
    pub shown: bool,
    /// Its targets, in the order of the relation. None are loaded for attributes that are not shown:
    /// the relation is empty then.
    pub targets: Vec<TargetNode>,
}

/// A target of a relation to load.
#[derive(Debug, Clone)]
pub(crate) struct TargetNode {
    /// Its index in the registry.
    pub source: usize,
    /// The type of its objects in JSON:API.
    pub kind: &'static str,
    /// Whether a route shows its objects to the caller.
    pub linked: bool,
    /// Whether the caller sees its rows as a guest does: an administrator without the permission.
    pub as_guest: bool,
    /// The relations that are loaded with its rows.
    pub includes: Includes,
}

static NONE: Includes = Includes {
    nodes: Vec::new(),
    fields: Fields::all(),
    asked: false,
};

impl Includes {
    /// Includes of a record that is shown without its relations.
    pub fn none() -> &'static Self {
        &NONE
    }

    /// Whether no relation is loaded.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The relations that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.shown)
    }
}

/// Which fields of a record are shown: all, unless the client says which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fields(Option<Arc<[String]>>);

impl Fields {
    /// All of them.
    pub const fn all() -> Self {
        Self(None)
    }

    /// These only.
    pub fn only(names: impl IntoIterator<Item = String>) -> Self {
        Self(Some(names.into_iter().collect()))
    }

    /// Whether a field is shown that a relation for computed attributes is loaded for; of one that
    /// does not name them, any field may need it.
    pub fn need(&self, attributes: &[&str]) -> bool {
        match &self.0 {
            None => true,
            Some(names) if attributes.is_empty() => !names.is_empty(),
            Some(names) => names.iter().any(|name| attributes.contains(&name.as_str())),
        }
    }

    /// Whether the field of this name is shown.
    pub fn show(&self, name: &[u8]) -> bool {
        self.0
            .as_ref()
            .is_none_or(|names| names.iter().any(|known| known.as_bytes() == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_shown_without_a_fieldset() {
        assert!(Fields::all().show(b"name"));
        let only = Fields::only(["name".to_owned()]);
        assert!(only.show(b"name") && !only.show(b"price"));
        assert!(!Fields::only([]).show(b"name"));
    }

    #[test]
    fn a_relation_is_needed_by_its_shown_fields_only() {
        let only = |names: &[&str]| Fields::only(names.iter().map(|name| (*name).to_owned()));
        assert!(Fields::all().need(&[]) && Fields::all().need(&["stock_qty"]));
        assert!(only(&["name"]).need(&[]) && !only(&[]).need(&[]));
        assert!(only(&["name", "stock_qty"]).need(&["stock_qty"]));
        assert!(!only(&["name"]).need(&["stock_qty"]) && !only(&[]).need(&["stock_qty"]));
    }
}
