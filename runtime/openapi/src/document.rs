//! The parts of an OpenAPI 3.1 document, as they are written (spec.openapis.org/oas/v3.1.1).

use std::collections::BTreeSet;

use formwork_data::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::schema::{Named, Schema, named};

/// The parts that every service describes: tokens, health, errors, pages. Descriptions and headers
/// that depend on the configuration are added by [`Builder`](super::builder::Builder).
const COMMON: &str = include_str!("../assets/openapi.json");

/// The document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Document {
    pub openapi: String,
    pub info: Info,
    pub servers: Vec<Server>,
    pub tags: Vec<Tag>,
    pub paths: Named<PathItem>,
    pub components: Components,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Info {
    pub title: String,
    pub version: String,
    pub description: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Server {
    pub url: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Tag {
    pub name: String,
    pub description: String,
}

impl Document {
    /// Returns the parts that every service describes.
    pub fn common() -> Result<Self> {
        serde_json::from_str(COMMON).map_err(Error::internal)
    }

    /// Leaves out the components that no path leads to.
    pub fn prune(&mut self) -> Result<()> {
        let document = serde_json::to_value(&*self).map_err(Error::internal)?;
        let mut used = BTreeSet::new();
        gather(&document["paths"], &document, &mut used);
        let is_used =
            |family, name: &str| used.contains(format!("#/components/{family}/{name}").as_str());
        let Components {
            schemas,
            responses,
            parameters,
            headers,
            ..
        } = &mut self.components;
        schemas.retain(|name, _| is_used("schemas", name));
        responses.retain(|name, _| is_used("responses", name));
        parameters.retain(|name, _| is_used("parameters", name));
        headers.retain(|name, _| is_used("headers", name));
        Ok(())
    }
}

/// Collects the components that a part refers to, and those that they refer to.
fn gather<'d>(part: &'d Json, document: &'d Json, used: &mut BTreeSet<&'d str>) {
    match part {
        Json::Object(members) => {
            if let Some(Json::String(address)) = members.get("$ref")
                && used.insert(address)
                && let Some(component) = address.strip_prefix('#')
                && let Some(component) = document.pointer(component)
            {
                gather(component, document, used);
            }
            members.values().for_each(|it| gather(it, document, used));
        }
        Json::Array(items) => items.iter().for_each(|it| gather(it, document, used)),
        _ => {}
    }
}

/// The operations of a path, by method.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'static"))]
pub(crate) struct PathItem {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<OrRef<Parameter>>,
    #[serde(flatten)]
    pub operations: Named<Operation>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
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
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Requirement {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bearer: Option<[String; 0]>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
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

impl Parameter {
    /// Returns a parameter of the query string.
    pub fn query(name: impl Into<String>, text: impl Into<String>, schema: Schema) -> Self {
        Self {
            name: name.into(),
            place: "query",
            description: text.into(),
            schema,
            ..Self::default()
        }
    }

    /// Returns a parameter that is a list, written with commas.
    pub fn list(name: impl Into<String>, text: impl Into<String>, items: Schema) -> Self {
        Self {
            style: Some("form"),
            explode: Some(false),
            ..Self::query(name, text, Schema::list(items))
        }
    }

    /// Returns a part of the path.
    pub fn path(name: &str, text: &str, schema: Schema) -> Self {
        Self {
            place: "path",
            required: true,
            ..Self::query(name, text, schema)
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct RequestBody {
    pub required: bool,
    pub content: Named<Media>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Media {
    pub schema: Schema,
}

/// The content of a body: its schema in each media type.
pub(crate) fn content(schemas: impl IntoIterator<Item = (&'static str, Schema)>) -> Named<Media> {
    let schemas = schemas.into_iter();
    named(schemas.map(|(media_type, schema)| (media_type, Media { schema })))
}

/// A response: the word is taken.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'static"))]
pub(crate) struct Answer {
    pub description: String,
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub headers: Named<OrRef<Header>>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub content: Named<Media>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Header {
    pub description: String,
    pub schema: Schema,
}

/// A part, or a reference to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum OrRef<T> {
    Ref(Ref),
    Here(T),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
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

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "'de: 'static"))]
pub(crate) struct Components {
    pub schemas: Named<Schema>,
    pub responses: Named<Answer>,
    pub parameters: Named<Parameter>,
    pub headers: Named<Header>,
    pub security_schemes: Named<SecurityScheme>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SecurityScheme {
    #[serde(rename = "type")]
    pub kind: String,
    pub scheme: String,
    pub description: String,
}
