//! The transformer: what clients see of a record.

use std::collections::BTreeSet;

use serde::Serialize;

use super::code;
use super::model::{is_copy, is_hidden};
use crate::column;
use crate::name;
use crate::project::{Api, ColumnType, Resource, TransformSource};

/// Parts of `transformer.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TransformerView {
    /// Name of the struct that is rendered; empty where the record itself is.
    data: String,
    /// `<'a>` where the struct borrows.
    lifetime: &'static str,
    fields: Vec<DataField>,
    /// The literal that `transform` returns.
    body: String,
    /// `fn transform<'a>(…) -> impl Serialize + 'a`.
    signature: String,
    /// The lines of `shape`, one for each field.
    shape: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct DataField {
    attribute: String,
    name: String,
    kind: String,
    #[serde(skip)]
    holds: Holds,
    #[serde(skip)]
    value: String,
    /// Its line in `shape`.
    #[serde(skip)]
    shape: String,
}

/// The content of a field of the struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// A value of its own.
    Owned,
    /// A reference into the record.
    Borrowed,
    /// The links of the record, which are made by the context.
    Links,
}

impl TransformerView {
    pub(crate) fn new(resource: &Resource, api: &Api) -> Self {
        let fields = fields(resource, api);
        let links = fields.iter().any(|field| field.holds == Holds::Links);
        let params = [
            format!(
                "{}: &'a Loaded<{}>",
                resource.names.variable, resource.names.model
            ),
            format!("{}: &'a Context", if links { "ctx" } else { "_ctx" }),
        ];
        let borrows = fields.iter().any(|field| field.holds == Holds::Borrowed);
        let data = format!("{}Data", resource.names.model);
        let literal = fields
            .iter()
            .map(|field| (field.name.as_str(), field.value.clone()));
        let body = if fields.is_empty() {
            format!("{}.record()", resource.names.variable)
        } else {
            code::record(&data, literal)
        };
        Self {
            data: if fields.is_empty() {
                String::new()
            } else {
                data
            },
            lifetime: if borrows { "<'a>" } else { "" },
            shape: shape(resource, &fields),
            fields,
            body,
            signature: code::signature("transform<'a>", &params, "impl Serialize + 'a"),
        }
    }
}

/// A line for each field; without fields, one for the record.
fn shape(resource: &Resource, fields: &[DataField]) -> Vec<String> {
    if fields.is_empty() {
        return vec![flatten(resource)];
    }
    fields.iter().map(|field| field.shape.clone()).collect()
}

fn flatten(resource: &Resource) -> String {
    format!("to.flatten::<{}>();", resource.names.model)
}

/// Fields beside or instead of the record; empty where the record is returned as it is.
fn fields(resource: &Resource, api: &Api) -> Vec<DataField> {
    let transform = &api.transform;
    if transform.fields.is_empty() && transform.only.is_empty() {
        return Vec::new();
    }
    let named = transform.fields.iter().map(|(name, source)| match source {
        TransformSource::SelfLinks => links(resource, name),
        TransformSource::Column(field) => of_field(resource, name, field),
    });
    let mut fields: Vec<DataField> = named.collect();
    let visible = visible(resource);
    let taken = |name: &str| transform.fields.iter().any(|(taken, _)| taken == name);
    // A name that stands for something else hides the attribute: then all are written out.
    let hidden = visible.iter().any(|(name, _)| taken(name));
    if transform.only.is_empty() && !hidden {
        // The record brings its `id`.
        let key = name::field(&resource.model.key.name);
        let named = transform.fields.iter().zip(fields);
        let brought = |source: &TransformSource| matches!(source, TransformSource::Column(field) if *field == key);
        let fields = named.filter(|((name, source), _)| !(name == "id" && brought(source)));
        let mut fields: Vec<DataField> = fields.map(|(_, field)| field).collect();
        if !fields.is_empty() {
            fields.push(flattened(resource));
        }
        return distinct(fields);
    }
    let all = transform.only.is_empty();
    let wanted = |name: &str| all || transform.only.iter().any(|only| only == name);
    if !taken("id") {
        fields.insert(
            0,
            of_field(resource, "id", &name::field(&resource.model.key.name)),
        );
    }
    let rest = visible
        .iter()
        .filter(|(name, _)| wanted(name) && !taken(name));
    fields.extend(rest.map(|(name, field)| of_field(resource, name, field)));
    distinct(fields)
}

/// Names that differ in JSON may be one in Rust: the later ones get a `_`.
fn distinct(mut fields: Vec<DataField>) -> Vec<DataField> {
    let mut taken = BTreeSet::new();
    for field in &mut fields {
        if taken.contains(&field.name) && field.attribute.is_empty() {
            field.attribute = renamed(field.name.trim_start_matches("r#"));
        }
        while !taken.insert(field.name.clone()) {
            field.name.push('_');
        }
    }
    fields
}

/// Name and field of what leaves the service, the key apart.
pub(crate) fn visible(resource: &Resource) -> Vec<(String, String)> {
    let model = &resource.model;
    let open = model
        .attributes
        .iter()
        .filter(|attribute| !is_hidden(attribute));
    let mut names: Vec<_> = open
        .map(|attribute| (attribute.name.clone(), attribute.field.clone()))
        .collect();
    if model.timestamps {
        names.extend(["created_at", "updated_at"].map(|name| (name.to_owned(), name.to_owned())));
    }
    names
}

fn flattened(resource: &Resource) -> DataField {
    DataField {
        attribute: "#[serde(flatten)]".to_owned(),
        name: "attributes".to_owned(),
        kind: format!("&'a {}", resource.names.model),
        holds: Holds::Borrowed,
        value: resource.names.variable.clone(),
        shape: flatten(resource),
    }
}

fn links(resource: &Resource, name: &str) -> DataField {
    let variable = &resource.names.variable;
    let key = name::field(&resource.model.key.name);
    let clone = if is_copy(&resource.model.key.kind) {
        ""
    } else {
        ".clone()"
    };
    let id = format!("{variable}.{key}{clone}");
    let value = code::call("ctx.links", [code::text(&resource.key), id]);
    let links = "Links".to_owned();
    field(name, links.clone(), Holds::Links, value, &links)
}

fn of_field(resource: &Resource, name: &str, source: &str) -> DataField {
    let place = format!("{}.{source}", resource.names.variable);
    let (kind, nullable) = typed(resource, source);
    let owned = column::rust_type(kind, nullable);
    if is_copy(kind) {
        return field(name, owned.clone(), Holds::Owned, place, &owned);
    }
    let (kind, value) = match (kind, nullable) {
        (ColumnType::Json, true) => ("Option<&'a Json>".to_owned(), format!("{place}.as_ref()")),
        (ColumnType::Json, false) => ("&'a Json".to_owned(), format!("&{place}")),
        (_, true) => ("Option<&'a str>".to_owned(), format!("{place}.as_deref()")),
        (_, false) => ("&'a str".to_owned(), format!("&{place}")),
    };
    field(name, kind, Holds::Borrowed, value, &owned)
}

/// Type of a field of the model.
fn typed<'r>(resource: &'r Resource, source: &str) -> (&'r ColumnType, bool) {
    let model = &resource.model;
    match model
        .attributes
        .iter()
        .find(|attribute| attribute.field == source)
    {
        Some(attribute) => (&attribute.kind, attribute.is_optional()),
        None if name::field(&model.key.name) == source => (&model.key.kind, false),
        None => (&ColumnType::DateTime, true),
    }
}

fn renamed(name: &str) -> String {
    format!("#[serde(rename = {})]", column::rust_words(name))
}

/// A field of this type, which borrows what `owned` is.
fn field(name: &str, kind: String, holds: Holds, value: String, owned: &str) -> DataField {
    let identifier = name::field(name);
    let attribute = if identifier.trim_start_matches("r#") == name {
        String::new()
    } else {
        renamed(name)
    };
    DataField {
        attribute,
        name: identifier,
        kind,
        holds,
        value,
        shape: format!("to.field::<{owned}>({});", column::rust_words(name)),
    }
}
