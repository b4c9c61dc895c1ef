//! Names of attributes and relationships (jsonapi.org, "Fields", "Member Names").

use formwork_data::error::{DocumentError, DocumentProblem, Error, Result};

use serde_json::{Map, Value as Json};

use crate::input::place::escaped;

type Members = Map<String, Json>;

/// Refuses names that no document may have: a client that sends one believes that it was written.
///
/// # Errors
/// 400 naming each.
pub(super) fn check(attributes: Option<&Members>, relationships: Option<&Members>) -> Result<()> {
    let members = [("attributes", attributes), ("relationships", relationships)];
    let names = members.into_iter().flat_map(|(member, fields)| {
        let names = fields.into_iter().flat_map(Members::keys);
        names.map(move |name| (member, name))
    });
    let faults = names.filter_map(|(member, name)| {
        let message = refused(name)?;
        let pointer = format!("/data/{member}/{}", escaped(name));
        Some(DocumentError::new(
            DocumentProblem::Malformed,
            pointer,
            message,
        ))
    });
    let merged = faults.reduce(|mut all, fault| {
        all.merge(fault);
        all
    });
    merged.map_or(Ok(()), |faults| Err(Error::Document(faults)))
}

/// The fault of a name, in a sentence; `None` for a legal name.
fn refused(name: &str) -> Option<&'static str> {
    match name {
        "id" | "type" => {
            Some("An attribute or relationship cannot be named `id` or `type` in a document.")
        }
        name if is_legal(name) => None,
        _ => Some(
            "A name in a document has letters, digits and characters from U+0080, and between them \
             also `-`, `_` and spaces.",
        ),
    }
}

/// Whether a member may have this name. Names of `@` members begin with `@`.
fn is_legal(name: &str) -> bool {
    let name = name.strip_prefix('@').unwrap_or(name);
    let is_global = |letter: char| letter.is_ascii_alphanumeric() || !letter.is_ascii();
    let is_inner = |letter: char| is_global(letter) || matches!(letter, '-' | '_' | ' ');
    name.starts_with(is_global) && name.ends_with(is_global) && name.chars().all(is_inner)
}
