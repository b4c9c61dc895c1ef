//! Functions that are poured for the user to fill.

use serde::Serialize;

use super::code;
use crate::project::Resource;

#[derive(Debug, Clone, Serialize)]
pub(super) struct UnfinishedView {
    name: String,
    signature: String,
    /// The body: an error that names the function.
    unfinished: String,
}

impl UnfinishedView {
    /// `what` is the kind of the function and its name: a rule, a filter.
    pub fn new((what, name): (&str, &str), resource: &Resource, signature: String) -> Self {
        let text = format!("the {what} `{name}` of {}", resource.names.plural_words);
        Self {
            name: name.to_owned(),
            signature,
            unfinished: format!("Err(Error::unfinished({}))", code::text(&text)),
        }
    }
}
