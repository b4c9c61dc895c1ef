//! The resource's page in `docs/`: what people say. What is registered, the service tells itself.

use serde::Serialize;

use super::{request, text};
use crate::column;
use crate::project::{Access, Attribute, Literal, Resource};

/// Parts of `docs/<key>.md`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DocsView {
    /// The whole description in one line.
    description: String,
    /// Notes about attributes.
    notes: Vec<NoteView>,
}

#[derive(Debug, Clone, Serialize)]
struct NoteView {
    name: String,
    text: String,
}

impl DocsView {
    pub(crate) fn new(resource: &Resource) -> Self {
        let attributes = resource.model.attributes.iter();
        let seen = attributes.filter(|attribute| attribute.access != Access::Hidden);
        Self {
            description: text::described(resource).unwrap_or_default(),
            notes: seen.filter_map(note).collect(),
        }
    }
}

fn note(of: &Attribute) -> Option<NoteView> {
    let description = of.description.iter().map(|text| text::line(text));
    let example = of.example.as_ref().filter(|_| request::is_written(of));
    let example = example.filter(|value| **value != Literal::Null);
    let example = example.map(|value| format!("Example `{}`.", column::json(value)));
    let text = description.chain(example).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| NoteView {
        name: of.name.clone(),
        text,
    })
}
