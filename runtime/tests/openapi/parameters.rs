//! Every parameter is accepted as it is described, by each of its names and together with any other.

use formwork::data::value::Json;
use serde_json::json;

use crate::{
    JSON, JSON_API, accepting,
    answers::{address, fill, fits},
    described,
    described::{Operation, other_names, sample},
    magazine,
};

/// Returns the parameters of an operation in the query string, each with values that its schema
/// allows. The last of several names is a list of all.
fn queries(one: Operation<'_>) -> Vec<(String, Vec<String>)> {
    let parameters = described().parameters(one).into_iter();
    let queries = parameters.filter(|parameter| parameter["in"] == "query");
    let pairs = queries.map(|parameter| {
        let name = parameter["name"].as_str().expect("a name").to_owned();
        let values = values(&name, &parameter["schema"]).into_iter();
        (
            name,
            values.map(|value| value.replace(' ', "%20")).collect(),
        )
    });
    pairs.collect()
}

fn text(value: &Json) -> String {
    value.as_str().map_or(value.to_string(), str::to_owned)
}

fn values(name: &str, schema: &Json) -> Vec<String> {
    if name == "page[after]" || name == "page[before]" {
        return vec![String::new()];
    }
    let items = &described().resolved(&schema["items"])["enum"];
    let Some(options) = items.as_array().or(schema["enum"].as_array()) else {
        let value = sample(described(), schema).expect("a value");
        let first = value.as_array().map_or(&value, |items| &items[0]);
        return vec![text(first)];
    };
    let mut values: Vec<String> = options
        .iter()
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect();
    if items.is_array() {
        values.push(values.join(","));
    }
    values
}

/// Returns the parameters of an operation that a program sends of itself: with their defaults.
fn defaults(one: Operation<'_>) -> Vec<(String, String)> {
    let parameters = described().parameters(one).into_iter();
    let defaults = parameters.filter_map(|parameter| {
        let name = parameter["name"].as_str().expect("a name").to_owned();
        let default = parameter["schema"].get("default")?;
        let Some(items) = default.as_array() else {
            return Some((name, text(default)));
        };
        let items: Vec<String> = items.iter().map(text).collect();
        Some((name, items.join(",")))
    });
    defaults.collect()
}

#[test]
fn a_parameter_may_be_sent_beside_the_defaults_of_all_others() {
    let service = magazine();
    fill(&service);
    let mut count = 0;
    let reads = described().operations().into_iter();
    for one in reads.filter(|one| one.method == "get") {
        let path = address(&service, one);
        let caller = match one.operation["x-context"] == "guest" {
            true => service.guest(),
            false => service.admin(),
        };
        let defaults = defaults(one);
        for (name, values) in queries(one) {
            let others = defaults.iter().filter(|(other, _)| *other != name);
            let others: String = others
                .map(|(name, value)| format!("&{name}={value}"))
                .collect();
            let assert_accepted = |accept: &str, name: &str, value: &str| {
                let query = format!("{path}?{name}={value}{others}");
                let answer = fits(described(), one, accepting(&caller, accept).get(&query));
                assert_eq!(answer.status, 200, "{query}: {answer}");
            };
            for value in &values {
                assert_accepted(JSON, &name, value);
                count += 1;
            }
            let last = values.last().expect("a value");
            assert_accepted(JSON_API, &name, last);
            for other in other_names(&name) {
                assert_accepted(JSON, &other, last);
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// Returns the parameters of an operation with this name.
fn named(id: &str, name: &str) -> Vec<&'static Json> {
    let parameters = described().parameters(described().operation(id));
    parameters
        .into_iter()
        .filter(|it| it["name"] == name)
        .collect()
}

/// Returns the only parameter of an operation with this name.
#[track_caller]
fn parameter(id: &str, name: &str) -> &'static Json {
    let [parameter] = named(id, name)[..] else {
        panic!("{id} has not one parameter `{name}`");
    };
    parameter
}

#[test]
fn a_parameter_with_several_names_is_described_once_and_accepted_by_each() {
    let service = magazine();
    fill(&service);
    let assert_ok = |query: String| {
        let answer = service.admin().get(&format!("/api/articles?{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
    };
    for (name, value, others) in [
        ("page", "1", "page[number]"),
        ("pageLimit", "1", "page[size]"),
        ("search", "1", "filter[search]"),
        ("ranked", "1", "filter[ranked] ranked[] ranked[0]"),
        ("filter[rank]", "1", "filter[rank][eq]"),
        (
            "filter[type]",
            "news",
            "filter[article_type] filter[type][eq]",
        ),
        (
            "filter[id]",
            "1",
            "filter[article_id] filter[article_id][eq]",
        ),
    ] {
        parameter("articles.index", name);
        for other in others.split(' ') {
            assert_eq!(named("articles.index", other), [&json!(null); 0], "{other}");
            assert_ok(format!("{other}={value}"));
        }
    }
    assert_ok("sort=-article_id".to_owned());
    assert_ok("fields[articles]=article_id".to_owned());
    // A read responds with other records too, a write with the record itself.
    for (id, count) in [
        ("articles.index", 1),
        ("articles.show", 1),
        ("articles.store", 0),
    ] {
        parameter(id, "fields[articles]");
        assert_eq!(named(id, "fields[people]").len(), count, "{id}");
    }
}

/// Names for `include`, `sort` and `exclude` are enumerated once, for all operations.
#[test]
fn names_are_enumerated_once() {
    let components = &described().document["components"];
    for (schema, first) in [("include", "author"), ("sort", "id"), ("field", "id")] {
        let names = &components["schemas"][format!("articles.{schema}")]["enum"];
        assert_eq!(names[0], first, "{schema}");
    }
    for (parameter, schema) in [
        ("include", "include"),
        ("exclude", "include"),
        ("fields", "field"),
    ] {
        let parameter = &components["parameters"][format!("{parameter}.articles")];
        let reference = format!("#/components/schemas/articles.{schema}");
        assert_eq!(parameter["schema"]["items"], json!({"$ref": reference}));
    }
}

/// Parameters that have a default say so in words.
#[test]
fn defaults_of_parameters_are_described() {
    for (id, name, words) in [
        ("articles.index", "page", "from 1 (the default)"),
        ("articles.index", "pageLimit", "3 by default"),
        ("rides.index", "pageLimit", "10 by default"),
        ("articles.index", "ranked", "Default: `1`"),
    ] {
        let text = parameter(id, name)["description"].to_string();
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn parameters_that_are_not_described_are_refused() {
    let service = magazine();
    for name in ["search", "filter[name]", "filter[name][eq]", "ranked"] {
        assert_eq!(named("people.index", name).len(), 0, "{name}");
        let answer = service.guest().get(&format!("/api/people?{name}=1"));
        assert_eq!(answer.status, 400, "{name}: {answer}");
    }
    assert_eq!(named("people.index", "fields[rides]").len(), 0);
    assert_eq!(
        parameter("rides.index", "pageLimit")["schema"]["maximum"],
        10
    );
    parameter("rides.index", "filter[price][gte]");
    assert_eq!(named("rides.index", "filter[price][like]").len(), 0);
    for query in ["pageLimit=11", "filter[price][like]=1"] {
        let answer = service.guest().get(&format!("/api/rides?{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
    }
}

/// A page past the end is an empty list, however large its number is: the description has no upper
/// bound.
#[test]
fn pages_of_any_number_are_described_and_answered() {
    let service = magazine();
    let index = described().operation("articles.index");
    let schema = &parameter("articles.index", "page")["schema"];
    assert_eq!(schema, &json!({"type": "integer", "minimum": 1}));
    for number in [i128::from(i64::MAX), i128::from(i64::MAX) + 1, i128::MAX] {
        for name in ["page", "page[number]"] {
            let query = format!("/api/articles?{name}={number}");
            let answer = fits(described(), index, service.guest().get(&query));
            assert_eq!(answer.status, 200, "{query}: {answer}");
            let current = &answer.json["meta"]["pagination"]["current_page"];
            assert_eq!(current.as_i64(), Some(i64::MAX), "{query}: {answer}");
        }
    }
}

/// OpenAPI has no words for parameters that exclude each other: the descriptions name them.
#[test]
fn mutually_exclusive_parameters_are_described_and_refused() {
    let service = magazine();
    for (name, other, value) in [
        ("page[after]", "page[before]", ""),
        ("page[before]", "page[after]", ""),
        ("page[after]", "page", "1"),
        ("page[before]", "page", "1"),
    ] {
        let text = parameter("articles.index", name)["description"].to_string();
        assert!(text.contains(&format!("`{other}`")), "{name}: {text}");
        let query = format!("/api/articles?{name}=&{other}={value}");
        assert_eq!(service.guest().get(&query).status, 400, "{query}");
    }
}
