//! Parameters of the query string.

use formwork_core::registry::Entry;

use super::{document::Parameter, schema::Schema};

/// A parameter of the query string.
pub(super) fn parameter(
    name: impl Into<String>,
    text: impl Into<String>,
    schema: Schema,
) -> Parameter {
    Parameter {
        name: name.into(),
        place: "query",
        description: text.into(),
        schema,
        ..Parameter::default()
    }
}

/// A comma list.
pub(super) fn listed(name: impl Into<String>, text: impl Into<String>, items: Schema) -> Parameter {
    Parameter {
        style: Some("form"),
        explode: Some(false),
        ..parameter(name, text, Schema::list(items))
    }
}

/// The names that columns are described by: their own, and `id` for the key.
pub(super) fn names(
    entry: &Entry,
    allowed: &[&'static str],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let key = entry.source.schema().key;
    let others = allowed
        .iter()
        .filter(move |column| **column != key && **column != "id");
    [("id", key)]
        .into_iter()
        .chain(others.map(|column| (*column, *column)))
}
