//! A description, and whether requests and responses of a service fit it.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
};

use jsonschema::Validator;
use serde_json::{Value as Json, json};

/// A document of OpenAPI 3.1.
pub struct Described {
    pub document: Json,
    /// Compiled schemas, by their text.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

/// An operation and its pointer.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'d> {
    pub method: &'d str,
    pub path: &'d str,
    pub item: &'d Json,
    pub operation: &'d Json,
}

impl Described {
    pub fn new(document: Json) -> Self {
        let validators = Mutex::default();
        Self {
            document,
            validators,
        }
    }

    /// Returns every operation.
    pub fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.document["paths"].as_object().expect("paths");
        let operations = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().expect("a path item").iter();
            let methods = methods.filter(|(method, _)| *method != "parameters");
            methods.map(move |(method, operation)| Operation {
                method,
                path,
                item,
                operation,
            })
        });
        operations.collect()
    }

    /// Returns the operation of this id.
    pub fn operation(&self, id: &str) -> Operation<'_> {
        let mut operations = self.operations().into_iter();
        let found = operations.find(|known| known.operation["operationId"] == id);
        found.unwrap_or_else(|| panic!("no operation `{id}`"))
    }

    /// Returns the target of a reference, or the value itself.
    pub fn resolved<'d>(&'d self, value: &'d Json) -> &'d Json {
        match value["$ref"].as_str() {
            None => value,
            Some(place) => {
                let pointer = place.strip_prefix('#').expect("a place in the document");
                let found = self.document.pointer(pointer);
                self.resolved(found.unwrap_or_else(|| panic!("nothing at {place}")))
            }
        }
    }

    /// Returns the parameters of an operation and of its path.
    pub fn parameters<'d>(&'d self, of: Operation<'d>) -> Vec<&'d Json> {
        let lists = [&of.item["parameters"], &of.operation["parameters"]];
        let all = lists.into_iter().filter_map(Json::as_array).flatten();
        all.map(|parameter| self.resolved(parameter)).collect()
    }

    /// Returns the schema of a request body in this media type.
    pub fn body<'d>(&'d self, of: Operation<'d>, media: &str) -> &'d Json {
        let schema = &of.operation["requestBody"]["content"][media]["schema"];
        assert!(
            schema.is_object(),
            "{} takes no {media}",
            of.operation["operationId"]
        );
        schema
    }

    /// Returns the violations of a schema of the document by a value.
    pub fn faults(&self, schema: &Json, value: &Json) -> Vec<String> {
        let validator = self.validator(schema);
        let faults = validator.iter_errors(value);
        faults
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect()
    }

    fn validator(&self, schema: &Json) -> Arc<Validator> {
        let text = schema.to_string();
        let mut known = self.validators.lock().expect("nobody panicked");
        let made = known.entry(text).or_insert_with(|| {
            let mut needed = BTreeSet::new();
            self.gather(schema, &mut needed);
            let mut schema = schema.clone();
            for name in needed {
                let part = &self.document["components"]["schemas"][&name];
                schema["components"]["schemas"][name] = part.clone();
            }
            let options = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft202012)
                .should_validate_formats(true);
            Arc::new(options.build(&schema).expect("a schema"))
        });
        Arc::clone(made)
    }

    /// Collects the names of the schemas that a part refers to, directly or not.
    fn gather(&self, part: &Json, names: &mut BTreeSet<String>) {
        let place = part["$ref"].as_str();
        let name = place.and_then(|place| place.strip_prefix("#/components/schemas/"));
        if let Some(name) = name
            && names.insert(name.to_owned())
        {
            self.gather(&self.document["components"]["schemas"][name], names);
        }
        match part {
            Json::Object(members) => members.values().for_each(|it| self.gather(it, names)),
            Json::Array(items) => items.iter().for_each(|it| self.gather(it, names)),
            _ => {}
        }
    }

    /// Returns what is wrong with a response: its status, its media type or its body is not
    /// described.
    pub fn wrong(
        &self,
        of: Operation<'_>,
        status: u16,
        media: Option<&str>,
        body: &str,
    ) -> Option<String> {
        let names = [
            status.to_string(),
            format!("{}XX", status / 100),
            "default".to_owned(),
        ];
        let mut responses = names.iter().map(|name| &of.operation["responses"][name]);
        let Some(response) = responses.find(|it| it.is_object()) else {
            return Some(format!("the status {status} is not described"));
        };
        let response = self.resolved(response);
        let content = &response["content"];
        // Routes of extensions have any content.
        let is_open = response["description"] == json!("The answer of the extension.");
        if body.is_empty() || content.is_null() && is_open {
            return None;
        }
        let media = media.unwrap_or_default();
        let schema = &content[media]["schema"];
        if !schema.is_object() {
            return Some(format!(
                "the media type `{media}` is not described for {status}"
            ));
        }
        match serde_json::from_str(body) {
            Ok(value) => Some(self.faults(schema, &value).join("\n")).filter(|it| !it.is_empty()),
            Err(error) => Some(format!("no JSON: {error}")),
        }
    }

    /// Returns schemas that generators of clients have no name for: they leave out every use.
    pub fn nameless(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.document, "", &mut |place, value| {
            if is_schema(place) && !has_name(value) {
                found.push(format!("{place}: {value}"));
            }
        });
        found
    }
}

/// Visits every part, with its pointer.
pub fn walk(value: &Json, place: &str, visit: &mut dyn FnMut(&str, &Json)) {
    visit(place, value);
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                walk(member, &format!("{place}/{name}"), visit);
            }
        }
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(item, &format!("{place}/{at}"), visit);
            }
        }
        _ => {}
    }
}

/// Returns whether this is the pointer of a schema.
pub fn is_schema(place: &str) -> bool {
    let below = ["/components/schemas/", "/schema"];
    let (_, last) = place.rsplit_once('/').unwrap_or_default();
    below.iter().any(|part| place.contains(part)) && !matches!(last, "properties" | "not")
}

/// Returns whether lists have an item type and no second type, and enumerated values one type.
fn has_name(schema: &Json) -> bool {
    let kinds = match &schema["type"] {
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        Json::String(kind) => vec![kind.as_str()],
        _ => return schema["enum"].is_null(),
    };
    let others = kinds.iter().filter(|kind| **kind != "null").count();
    !kinds.contains(&"array") || (schema["items"].is_object() && others == 1)
}

/// Returns the other names of a parameter: only one of its names is described.
pub fn other_names(name: &str) -> Vec<String> {
    match (name, name.split_once('[')) {
        ("page", _) => vec!["page[number]".to_owned()],
        ("pageLimit", _) => vec!["page[size]".to_owned()],
        ("sort" | "include" | "exclude", _) => Vec::new(),
        (_, None) => vec![format!("filter[{name}]")],
        (_, Some(("filter", rest))) if !rest.contains('[') => vec![format!("{name}[eq]")],
        _ => Vec::new(),
    }
}

/// Returns a value that a schema allows; `None` if it is not easily derived.
pub fn sample(described: &Described, schema: &Json) -> Option<Json> {
    let schema = described.resolved(schema);
    if let Some(constant) = schema.get("const") {
        return Some(constant.clone());
    }
    if let Some(options) = schema["enum"].as_array() {
        return options.first().cloned();
    }
    if let Some(first) = schema["anyOf"].as_array().and_then(|all| all.first()) {
        return sample(described, first);
    }
    let kind = match &schema["type"] {
        Json::String(kind) => kind.as_str(),
        Json::Array(kinds) => kinds.first()?.as_str()?,
        _ => return None,
    };
    Some(match kind {
        "integer" | "number" => json!(schema["minimum"].as_i64().unwrap_or(1).max(1)),
        "boolean" => json!(true),
        "string" => text(schema),
        "array" => {
            let item = schema
                .get("items")
                .and_then(|items| sample(described, items));
            Json::Array(item.into_iter().collect())
        }
        "object" => object(described, schema)?,
        _ => Json::Null,
    })
}

/// Returns an object with its required members.
fn object(described: &Described, schema: &Json) -> Option<Json> {
    let required = schema["required"].as_array().into_iter().flatten();
    let members = required.map(|name| {
        let name = name.as_str()?;
        let value = sample(described, &schema["properties"][name])?;
        Some((name.to_owned(), value))
    });
    let members: Option<serde_json::Map<_, _>> = members.collect();
    members.map(Json::Object)
}

fn text(schema: &Json) -> Json {
    let least = schema["minLength"].as_u64().unwrap_or(1).max(1);
    match (schema["format"].as_str(), schema["pattern"].as_str()) {
        (Some("date"), _) => json!("2027-01-31"),
        (Some("date-time"), _) => json!("2027-01-31T18:30:00Z"),
        (Some("email"), _) => json!("somebody@example.com"),
        (Some("uri"), _) => json!("https://example.com/"),
        (Some("uuid"), _) => json!("67e55044-10b1-426f-9247-bb680e5fe0c8"),
        (Some("decimal"), _) => json!("1"),
        (_, Some(pattern)) if pattern.contains("[01]") => json!("18:30"),
        _ => json!("x".repeat(least as usize)),
    }
}
