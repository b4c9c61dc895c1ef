//! The parts of an OpenAPI 3.1 document, as they are written (spec.openapis.org/oas/v3.1.1).

use serde::Serialize;

pub(crate) use super::named::{Named, named};
use super::schema::Schema;

/// The document.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    pub openapi: &'static str,
    pub info: Info,
    pub servers: Vec<Server>,
    pub tags: Vec<Tag>,
    pub paths: Named<PathItem>,
    pub components: Components,
}

#[derive(Debug, Serialize)]
pub(crate) struct Info {
    pub title: String,
    pub version: String,
    pub description: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Server {
    pub url: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Tag {
    pub name: String,
    pub description: String,
}

/// The operations of a path, by method.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PathItem {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<OrRef<Parameter>>,
    #[serde(flatten)]
    pub operations: Named<Operation>,
}

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Operation {
    pub operation_id: String,
    pub tags: Vec<String>,
    pub summary: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<OrRef<Parameter>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_body: Option<RequestBody>,
    pub responses: Named<OrRef<Answer>>,
    pub security: Vec<Requirement>,
    /// The context, in the words of registration records.
    #[serde(rename = "x-context", skip_serializing_if = "Option::is_none")]
    pub context: Option<&'static str>,
    /// Abilities of which a token needs any one.
    #[serde(rename = "x-abilities", skip_serializing_if = "Vec::is_empty")]
    pub abilities: Vec<String>,
}

/// A security requirement: a bearer token, or none.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Requirement {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearer: Option<[String; 0]>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Parameter {
    pub name: String,
    #[serde(rename = "in")]
    pub place: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explode: Option<bool>,
    pub schema: Schema,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct RequestBody {
    pub required: bool,
    pub content: Named<Media>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Media {
    pub schema: Schema,
}

/// The content of a body: its schema in each media type.
pub(crate) fn content(schemas: impl IntoIterator<Item = (&'static str, Schema)>) -> Named<Media> {
    let schemas = schemas.into_iter();
    named(schemas.map(|(media_type, schema)| (media_type, Media { schema })))
}

/// A response: the word is taken.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Answer {
    pub description: String,
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub headers: Named<OrRef<Header>>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub content: Named<Media>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Header {
    pub description: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    pub schema: Schema,
}

/// A part, or a reference to it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum OrRef<T> {
    Ref(Ref),
    Here(T),
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Ref {
    #[serde(rename = "$ref")]
    place: String,
}

impl<T> OrRef<T> {
    /// The component of this family and name.
    pub fn to(family: &str, name: &str) -> Self {
        Self::Ref(Ref {
            place: format!("#/components/{family}/{name}"),
        })
    }
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Components {
    pub schemas: Named<Schema>,
    pub responses: Named<Answer>,
    pub parameters: Named<Parameter>,
    pub headers: Named<Header>,
    pub security_schemes: Named<SecurityScheme>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SecurityScheme {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub scheme: &'static str,
    pub description: String,
}
