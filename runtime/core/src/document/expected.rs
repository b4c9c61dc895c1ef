//! Requirements on a document.

use crate::{
    registry::{Entry, Registry},
    rendering::Rendering,
    request::Attribute,
};

/// Requirements on a document.
pub(crate) struct Expected<'a> {
    /// The resource it is for.
    pub entry: &'a Entry,
    /// The targets of relations.
    pub registry: &'a Registry,
    /// The attributes it may have.
    pub attributes: &'static [Attribute],
    /// The id in the path, where a record is updated.
    pub id: Option<&'a str>,
    /// How the answer is written.
    pub rendering: Rendering,
}
