//! A relation that is being linked.

use std::collections::{BTreeMap, BTreeSet};

use crate::manifest::Span;
use crate::project::Resource;
use crate::resolve::registry::Registry;

/// One side of a relation that is being linked.
pub(super) struct RelationSide<'a> {
    pub(super) resource: &'a mut Resource,
    pub(super) draft: &'a DraftPlaces<'a>,
    pub(super) registry: &'a Registry,
}

/// The places of a draft, apart from its resource.
pub(super) struct DraftPlaces<'a> {
    pub(super) places: &'a BTreeMap<String, Span>,
    pub(super) unread: &'a BTreeSet<String>,
}
