//! The two renderings, so that one test can speak both (docs/contract.md, "Media types").

use std::collections::BTreeMap;

use formwork_tests::client::{Answer, Client};
use serde_json::{Value, json};

const JSON_API: &str = "application/vnd.api+json";

/// What requests and answers are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendering {
    Data,
    JsonApi,
}

pub const BOTH: [Rendering; 2] = [Rendering::Data, Rendering::JsonApi];

impl Rendering {
    /// `GET`.
    pub fn get(self, client: &Client, path: &str) -> Answer {
        client.send("GET", path, &self.headers()[..1], None)
    }

    /// `DELETE`.
    pub fn delete(self, client: &Client, path: &str) -> Answer {
        client.send("DELETE", path, &self.headers()[..1], None)
    }

    /// Stores a record with these attributes; `query` follows the path.
    pub fn store(self, client: &Client, resource: &str, attributes: &Value, query: &str) -> Answer {
        let body = self.body(resource, None, attributes);
        let path = format!("/api/{resource}{query}");
        client.send("POST", &path, &self.headers(), Some(&body))
    }

    /// Updates a record with these attributes.
    pub fn update(self, client: &Client, resource: &str, id: i64, attributes: &Value) -> Answer {
        let body = self.body(resource, Some(id), attributes);
        let path = format!("/api/{resource}/{id}");
        client.send("PATCH", &path, &self.headers(), Some(&body))
    }

    fn headers(self) -> [(&'static str, &'static str); 2] {
        let media = match self {
            Self::Data => "application/json",
            Self::JsonApi => JSON_API,
        };
        [("Accept", media), ("Content-Type", media)]
    }

    fn body(self, resource: &str, id: Option<i64>, attributes: &Value) -> Value {
        if self == Self::Data {
            return attributes.clone();
        }
        let mut data = json!({ "type": resource, "attributes": in_document(resource, attributes) });
        if let Some(id) = id {
            data["id"] = json!(id.to_string());
        }
        json!({ "data": data })
    }

    /// The attributes of a record of an answer.
    pub fn attributes(self, record: &Value) -> &Value {
        match self {
            Self::Data => record,
            Self::JsonApi => &record["attributes"],
        }
    }

    /// The key of a record of an answer.
    pub fn id(self, record: &Value) -> i64 {
        let id = match self {
            Self::Data => record["id"].as_i64(),
            Self::JsonApi => record["id"].as_str().and_then(|id| id.parse().ok()),
        };
        id.unwrap_or_else(|| panic!("no id: {record}"))
    }

    /// The keys of a list.
    pub fn ids(self, list: &Answer) -> Vec<i64> {
        let records = list.records().iter();
        records.map(|record| self.id(record)).collect()
    }

    /// The included records of a relation, attributes with an `id`, as they are in the answer.
    pub fn included(self, answer: &Answer, relation: &str) -> Vec<Value> {
        let record = &answer.json["data"];
        if self == Self::Data {
            return many(&record[relation]);
        }
        let linked = many(&record["relationships"][relation]["data"]);
        let all = many(&answer.json["included"]);
        let object = |link: &Value| {
            let same =
                |object: &&Value| object["type"] == link["type"] && object["id"] == link["id"];
            let found = all.iter().find(same);
            let found = found.unwrap_or_else(|| panic!("{link} is not included: {answer}"));
            let mut attributes = found["attributes"].clone();
            attributes["id"] = json!(self.id(found));
            attributes
        };
        linked.iter().map(object).collect()
    }

    /// The fields at fault; in documents, with what points to them.
    pub fn faults(self, answer: &Answer) -> BTreeMap<String, Option<String>> {
        if self == Self::Data {
            let errors = answer.json["errors"].as_object();
            let fields = errors.into_iter().flat_map(|errors| errors.keys());
            return fields.map(|field| (field.clone(), None)).collect();
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let errors = many(&answer.json["errors"]);
        let faults = errors.iter().filter_map(|error| {
            let pointer = text(&error["source"]["pointer"]);
            Some((text(&error["meta"]["field"])?, pointer))
        });
        faults.collect()
    }
}

/// Attributes as a document names them: `type` of coupons is `coupon_type` there.
pub fn in_document(resource: &str, attributes: &Value) -> Value {
    let mut attributes = attributes.clone();
    let kind = attributes.as_object_mut().and_then(|it| it.remove("type"));
    if let Some(kind) = kind {
        attributes[format!("{}_type", resource.trim_end_matches('s'))] = kind;
    }
    attributes
}

/// A list, a list of one object, or an empty list.
fn many(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    }
}

/// Asserts that an answer is a 422 on this field, and that a document points to what it is.
pub fn refused(rendering: Rendering, answer: &Answer, field: &str) {
    assert_eq!(answer.status, 422, "{rendering:?} {field}: {answer}");
    let faults = rendering.faults(answer);
    let pointer = faults.get(field);
    let pointer = pointer.unwrap_or_else(|| panic!("{rendering:?} {field}: {answer}"));
    if rendering == Rendering::JsonApi {
        let place = format!("/data/attributes/{}", field.replace('.', "/"));
        let pointer = pointer.as_deref().unwrap_or_default();
        // What is missing is pointed to where it is missing from.
        let parent = place.rsplit_once('/').map_or("", |(parent, _)| parent);
        assert!([&*place, parent].contains(&pointer), "{field}: {answer}");
    }
}
