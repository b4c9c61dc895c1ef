//! JSON:API documents of store and update, as the body their rules and hooks know (jsonapi.org,
//! "Creating Resources", "Updating Resources").

use formwork_data::error::{DocumentError, DocumentProblem, Error, Result};
use serde_json::{Map, Value as Json};

mod linkage;
mod names;

pub(crate) use linkage::Expected;
use linkage::{fault, malformed};

use crate::input::{Input, place::Places};

type Members = Map<String, Json>;

/// Reads a document: its attributes, and what its relationships write.
///
/// # Errors
/// 400 where it is no document of one object, or a member has a name that the standard forbids, 409 where it is one of another type or record, 403
/// where it has an id of its own, or a relationship that cannot be written.
pub fn read(document: Members, expected: &Expected<'_>) -> Result<Input> {
    let mut data = primary(document)?;
    check_identity(&data, expected)?;
    let attributes = object(&mut data, "attributes");
    let relationships = object(&mut data, "relationships");
    let (attributes, relationships) = match (attributes, relationships) {
        (Ok(attributes), Ok(relationships)) => (attributes, relationships),
        (Err(mut first), Err(second)) => {
            first.merge(second);
            return Err(Error::Document(first));
        }
        (Err(fault), _) | (_, Err(fault)) => return Err(Error::Document(fault)),
    };
    names::check(attributes.as_ref(), relationships.as_ref())?;
    let places = Places::document(attributes.is_some());
    let mut input = Input::sent(attributes.unwrap_or_default(), places);
    input.name_type(expected.attributes, expected.entry.key, expected.rendering);
    let relationships = relationships.unwrap_or_default();
    linkage::write(&mut input, relationships, expected)?;
    Ok(input)
}

fn primary(mut document: Members) -> Result<Members> {
    match document.remove("data") {
        Some(Json::Object(data)) => Ok(data),
        Some(_) => Err(malformed("/data", "The member `data` must be one object.")),
        None => Err(malformed("", "The document must have a member `data`.")),
    }
}

/// Type and id have to be those of the route.
fn check_identity(data: &Members, expected: &Expected<'_>) -> Result<()> {
    let key = expected.entry.key;
    match data.get("type") {
        Some(Json::String(kind)) if kind == key => {}
        Some(Json::String(kind)) => {
            let message = format!("Objects here are of the type `{key}`, not `{kind}`.");
            return Err(fault(DocumentProblem::Conflict, "/data/type", message));
        }
        Some(_) => return Err(malformed("/data/type", "The type must be a string.")),
        None => return Err(malformed("/data", "The object must have a member `type`.")),
    }
    match (data.get("id"), expected.id) {
        (None, None) => Ok(()),
        (Some(_), None) => {
            let message = "The service assigns ids; a client cannot send one.";
            Err(fault(DocumentProblem::Forbidden, "/data/id", message))
        }
        (None, Some(_)) => Err(malformed("/data", "The object must have a member `id`.")),
        (Some(Json::String(sent)), Some(id)) if sent == id => Ok(()),
        (Some(Json::String(sent)), Some(id)) => {
            let message = format!("The object has the id `{sent}`, but the path has `{id}`.");
            Err(fault(DocumentProblem::Conflict, "/data/id", message))
        }
        (Some(_), Some(_)) => Err(malformed("/data/id", "The id must be a string.")),
    }
}

/// A member that is an object, where it is there.
fn object(data: &mut Members, name: &str) -> Result<Option<Members>, DocumentError> {
    match data.remove(name) {
        None => Ok(None),
        Some(Json::Object(members)) => Ok(Some(members)),
        Some(_) => Err(DocumentError::new(
            DocumentProblem::Malformed,
            format!("/data/{name}"),
            format!("The member `{name}` must be an object."),
        )),
    }
}
