//! What a document has to be.

use crate::{
    registry::{Entry, Registry},
    rendering::Rendering,
    request::Attribute,
};

/// What a document has to be.
pub(crate) struct Expected<'a> {
    /// The resource it is for.
    pub entry: &'a Entry,
    /// What relations lead to.
    pub registry: &'a Registry,
    /// What its attributes may be.
    pub attributes: &'static [Attribute],
    /// The id in the path, where a record is updated.
    pub id: Option<&'a str>,
    /// How the answer is written.
    pub rendering: Rendering,
}
