//! The validated project as data, for templates that a project has written or changed itself: words and values
//! as the manifest has them, with what it left out filled in. The types of [`crate::project`] are serialised, and
//! this module adds the values that a template cannot derive from them.

use serde_json::{Value, json};

use super::enums;
use crate::column;
use crate::project::{Api, Attribute, Extension, Include, Load, Relation, Resource};

/// Returns an extension with everything that it registers.
pub fn extension_data(extension: &Extension) -> Value {
    let all = |list: &[Resource]| -> Value {
        let all = list.iter();
        all.map(|one| resource_data(extension, one)).collect()
    };
    let mut data = json!(extension);
    data["resources"] = all(&extension.resources);
    data["models"] = all(&extension.models);
    data
}

/// Returns a resource or supporting model.
pub fn resource_data(extension: &Extension, resource: &Resource) -> Value {
    let model = &resource.model;
    let mut data = json!(resource);
    data["extension"] = json!(extension.folder);
    data["module"] = json!(resource.names.module);
    data["model_name"] = json!(resource.names.model);
    data["key_with"] = json!(model.key.with);
    data["primary_key"]["rust_type"] = json!(column::rust_type(&model.key.kind, false));
    for (data, attribute) in items(&mut data["attributes"]).zip(&model.attributes) {
        add_to_attribute(data, resource, attribute);
    }
    for (data, relation) in items(&mut data["relations"]).zip(&model.relations) {
        add_to_relation(data, relation);
    }
    if let Some(api) = &resource.api {
        add_to_api(&mut data["api"], api);
    }
    data
}

fn add_to_attribute(data: &mut Value, resource: &Resource, attribute: &Attribute) {
    data["rust_type"] = json!(enums::field_type(resource, attribute));
    data["references"] = json!(attribute.references.as_ref().map(|to| &to.resource));
    let mut by_action = data["rules"].take();
    let mut rules = |list: &str, action: &str| {
        let mut rules = by_action[list].take();
        for rule in items(&mut rules) {
            rule["arguments"] = texts(&rule["arguments"]).into();
            rule["on"] = json!(action);
        }
        items(&mut rules).map(Value::take).collect::<Vec<_>>()
    };
    data["item_rules"] = rules("items", "all").into();
    data["rules"] = ["all", "store", "update"]
        .map(|action| rules(action, action))
        .concat()
        .into();
}

/// Keys that only some kinds of relations have: the other kinds have null there, so that a template may ask.
const KEYS_OF_KINDS: [&str; 7] = [
    "column",
    "target_key",
    "pivot",
    "pivot_column",
    "pivot_other_column",
    "morph",
    "morph_value",
];

fn add_to_relation(data: &mut Value, relation: &Relation) {
    for key in KEYS_OF_KINDS {
        data[key] = data[key].take();
    }
    name_pairs(&mut data["targets"], ["value", "target"]);
    name_pairs(&mut data["conditions"], ["column", "value"]);
    data["include"] = json!(match relation.include {
        Include::Never => "never",
        Include::Allowed(context) => context.name(),
        Include::Default => "default",
    });
    data["load_always"] = json!(relation.load != Load::IfIncluded);
    data["load_for"] = match &relation.load {
        Load::For(attributes) => json!(attributes),
        Load::IfIncluded | Load::Always => json!([]),
    };
}

fn add_to_api(data: &mut Value, api: &Api) {
    let actions = api.actions.iter();
    let actions = actions
        .map(|entry| json!({ "name": entry.action.name(), "context": entry.context.name() }));
    data["actions"] = actions.collect();
    name_pairs(&mut data["transform"]["fields"], ["name", "field"]);
}

fn items(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.as_array_mut().into_iter().flatten()
}

/// Replaces pairs by objects with these keys.
fn name_pairs(list: &mut Value, [first, second]: [&str; 2]) {
    let pairs = items(list);
    let objects = pairs.map(|pair| json!({ first: pair[0].take(), second: pair[1].take() }));
    *list = objects.collect::<Vec<_>>().into();
}

/// Returns the texts and numbers of a value as one list of texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}
