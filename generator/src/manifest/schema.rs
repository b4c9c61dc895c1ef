//! The JSON Schema of a resource manifest, for editors (`formwork manifest schema`).

use formwork_vocabulary::rule::RuleWord;
use serde_json::{Map, Value, json};

use crate::project::{Action, Context};

use super::vocabulary::{
    ACCESS, ATTRIBUTE_KEYS, MODEL_KEYS, RELATION_OPTIONS, RESOURCE_KEYS, RelationWord, SETTERS,
    TYPES,
};

/// The schema as text (JSON Schema 2020-12), ending in a line break.
pub fn schema_json() -> String {
    format!("{:#}\n", schema())
}

fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Formwork resource manifest",
        "type": "object",
        "additionalProperties": false,
        "properties": properties(RESOURCE_KEYS, resource_key),
        "$defs": {
            "column": { "type": "string", "pattern": "^[A-Za-z0-9_]{1,63}$" },
            "table": {
                "anyOf": [
                    { "$ref": "#/$defs/column" },
                    object(&["name"], json!({
                        "name": { "$ref": "#/$defs/column" },
                        "was": { "$ref": "#/$defs/column" },
                    })),
                ],
            },
            "columns": { "type": "array", "items": { "$ref": "#/$defs/column" }, "uniqueItems": true },
            "type": { "type": "string", "pattern": type_pattern("$") },
            "rules": { "anyOf": [{ "type": "string" }, { "type": "array", "items": rule() }] },
            "attribute": attribute(),
            "relation": relation(),
        },
    })
}

/// Describes a mapping that has no other keys.
fn object(required: &[&str], properties: Value) -> Value {
    let mut object =
        json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

fn properties(keys: &[&str], describe: impl Fn(&str) -> Value) -> Value {
    let pairs = keys.iter().map(|key| ((*key).to_owned(), describe(key)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn resource_key(key: &str) -> Value {
    let words = |text: &str| json!({ "type": "string", "description": text });
    match key {
        "name" => words("Display name"),
        "description" => words("One or more sentences for documentation and registration"),
        "model" => object(&[], properties(MODEL_KEYS, model_key)),
        "actions" => {
            let actions = Action::ALL.map(Action::name).join("|");
            let contexts = Context::ALL.map(Context::name).join("|");
            let pattern = format!("^({actions})(:({contexts}))?$");
            json!({ "type": "array", "items": { "type": "string", "pattern": pattern } })
        }
        "abilities" => json!({
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
        }),
        "page_limit" => json!({
            "anyOf": [
                { "type": "integer", "minimum": 1 },
                object(&[], json!({
                    "default": { "type": "integer", "minimum": 1 },
                    "max": { "type": "integer", "minimum": 1 },
                })),
            ],
        }),
        "search" | "sort" | "filter" => json!({ "$ref": "#/$defs/columns" }),
        "filters" => filters(),
        "owner" => json!({ "type": ["string", "null"] }),
        "location" => location(),
        "transform" => json!({
            "type": ["object", "null"],
            "properties": { "only": { "$ref": "#/$defs/columns" } },
            "additionalProperties": { "type": "string" },
        }),
        "was" => words("The key it had before"),
        _ => words("Path of a repository type of your own"),
    }
}

fn filters() -> Value {
    json!({
        "type": "object",
        "additionalProperties": {
            "anyOf": [
                { "const": "custom" },
                object(&["where"], json!({
                    "where": { "$ref": "#/$defs/column" },
                    "default": { "type": ["string", "number", "boolean"] },
                })),
            ],
        },
    })
}

fn location() -> Value {
    json!({
        "type": ["object", "null"],
        "additionalProperties": false,
        "required": ["relation"],
        "properties": { "relation": { "type": "string" }, "or_none": { "type": "boolean" } },
    })
}

fn model_key(key: &str) -> Value {
    match key {
        "name" | "was" => json!({ "type": "string", "pattern": "^[A-Z][A-Za-z0-9]*$" }),
        "table" => json!({ "$ref": "#/$defs/table" }),
        "key" => json!({
            "anyOf": [
                { "$ref": "#/$defs/column" },
                object(&[], json!({
                    "name": { "$ref": "#/$defs/column" },
                    "was": { "$ref": "#/$defs/column" },
                    "type": { "type": "string", "pattern": "^(bigint|uuid|string(\\(\\d+\\))?)$" },
                    "with": { "$ref": "#/$defs/columns" },
                })),
            ],
        }),
        "timestamps" | "managed" => json!({ "type": "boolean", "default": true }),
        "attributes" => json!({
            "type": ["object", "null"],
            "additionalProperties": { "$ref": "#/$defs/attribute" },
        }),
        "relations" => json!({
            "type": ["object", "null"],
            "additionalProperties": { "$ref": "#/$defs/relation" },
        }),
        _ => json!({
            "type": "array",
            "items": { "anyOf": [{ "$ref": "#/$defs/column" }, { "$ref": "#/$defs/columns" }] },
        }),
    }
}

fn type_pattern(end: &str) -> String {
    format!("^({})(\\([^)]*\\))?{end}", TYPES.join("|"))
}

fn rule() -> Value {
    let names: Vec<&str> = RuleWord::of_manifests().map(RuleWord::as_str).collect();
    json!({ "type": "string", "pattern": format!("^({})(:.*)?$", names.join("|")) })
}

fn attribute() -> Value {
    json!({
        "anyOf": [
            // `tags.*` holds rules alone, so that the short form cannot demand a type here.
            { "type": "string" },
            object(&["type"], properties(ATTRIBUTE_KEYS, attribute_key)),
            { "type": "array", "items": rule() },
        ],
    })
}

fn attribute_key(key: &str) -> Value {
    match key {
        "type" => json!({ "$ref": "#/$defs/type" }),
        "rules" => json!({
            "anyOf": [
                { "$ref": "#/$defs/rules" },
                object(&[], properties(&["all", "store", "update", "items"], |_| {
                    json!({ "$ref": "#/$defs/rules" })
                })),
            ],
        }),
        "access" => json!({ "enum": ACCESS }),
        "set_by" => json!({ "enum": SETTERS }),
        "storage" => json!({ "enum": ["native", "scaled"] }),
        "nullable" | "unique" | "index" | "constraint" => json!({ "type": "boolean" }),
        "description" => json!({ "type": "string" }),
        "was" => json!({
            "anyOf": [
                { "$ref": "#/$defs/column" },
                { "type": "object", "additionalProperties": { "type": "string" } },
            ],
        }),
        _ => json!(true),
    }
}

fn relation() -> Value {
    let kinds = RelationWord::ALL.iter().map(|kind| {
        let mut keys = vec![kind.text()];
        keys.extend(RELATION_OPTIONS);
        keys.extend(kind.options());
        object(&[kind.text()], properties(&keys, relation_key))
    });
    json!({ "oneOf": kinds.collect::<Vec<_>>() })
}

fn relation_key(key: &str) -> Value {
    match key {
        "morph_to" => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        "where" => json!({ "type": "object" }),
        "order" => json!({
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
        }),
        "first" | "nullable" | "constraint" => json!({ "type": "boolean" }),
        "include" => json!({ "enum": [true, false, "default", "users", "customer", "admin"] }),
        "load" => json!({ "anyOf": [
            { "const": "always" },
            object(&["for"], json!({
                "for": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
            })),
        ] }),
        "write" => json!({ "const": "sync" }),
        "pivot" => json!({ "$ref": "#/$defs/table" }),
        _ => json!({ "type": "string" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_json_and_its_references_exist() {
        let text = schema_json();
        let schema: Value = serde_json::from_str(&text).unwrap();
        for part in text.split("\"$ref\": \"#").skip(1) {
            let pointer = part.split('"').next().unwrap();
            assert!(schema.pointer(pointer).is_some(), "{pointer}");
        }
        for key in RESOURCE_KEYS {
            assert!(schema["properties"][key].is_object(), "{key}");
        }
    }
}
