//! Loading relations: one statement for each relation and level, whatever its kind.

mod budget;
mod fetch;
mod fields;
mod load;
mod plan;

pub(crate) use budget::Budget;
pub(crate) use fetch::fetch;
pub(crate) use fields::Fields;
use fields::Fieldsets;
pub use load::load;
pub use plan::plan;

/// The relations to load, as a tree, and what is shown of the records they are loaded for.
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
    /// Its targets, in the order of the relation.
    pub targets: Vec<TargetNode>,
}

/// A target of a relation to load.
#[derive(Debug, Clone)]
pub(crate) struct TargetNode {
    /// Its index in the registry.
    pub source: usize,
    /// The type of its objects in JSON:API.
    pub kind: &'static str,
    /// Whether its objects are at an address that answers to who asks.
    pub linked: bool,
    /// What is loaded with its rows.
    pub includes: Includes,
}

static NONE: Includes = Includes {
    nodes: Vec::new(),
    fields: Fields::all(),
    asked: false,
};

impl Includes {
    /// No relations.
    #[must_use]
    pub fn none() -> &'static Self {
        &NONE
    }

    /// Whether there is nothing to load.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The relations that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.shown)
    }
}
