//! Every parameter is accepted as it is described, by each of its names and beside any other.

use formwork::data::value::Json;
use serde_json::json;

use crate::{
    JSON_API,
    answers::{address, fill, fits},
    described as of,
    described::{Described, Operation, other_names, sample},
    magazine,
};

/// The parameters of an operation in the query string, with a value that their schemas allow.
fn queries(described: &Described, one: Operation<'_>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for parameter in described.parameters(one) {
        let name = parameter["name"].as_str().expect("a name");
        if parameter["in"] == "query" {
            let values = values(described, name, &parameter["schema"]);
            all.extend(values.into_iter().map(|value| (name.to_owned(), value)));
        }
    }
    all
}

fn values(described: &Described, name: &str, schema: &Json) -> Vec<String> {
    if name == "page[after]" || name == "page[before]" {
        return vec![String::new()];
    }
    let items = &described.resolved(&schema["items"])["enum"];
    let Some(options) = items.as_array().or(schema["enum"].as_array()) else {
        let value = sample(described, schema).expect("a value");
        let value = value
            .as_array()
            .map_or(value.clone(), |items| items[0].clone());
        return vec![value.as_str().map_or(value.to_string(), str::to_owned)];
    };
    let texts: Vec<&str> = options.iter().filter_map(Json::as_str).collect();
    let all = items.is_array().then(|| texts.join(","));
    let each = texts.iter().map(|text| (*text).to_owned());
    each.chain(all).collect()
}

#[test]
fn every_parameter_is_accepted_with_every_value_that_is_named() {
    let service = magazine();
    fill(&service);
    let described = of(&service, "/api");
    let mut asked = 0;
    for one in described
        .operations()
        .into_iter()
        .filter(|one| one.method == "get")
    {
        let path = address(&service, one);
        for (name, value) in queries(&described, one) {
            for accept in ["application/json", JSON_API] {
                let caller = match one.operation["x-context"] == "guest" {
                    true => service.guest(),
                    false => service.admin(),
                };
                for name in [vec![name.clone()], other_names(&name)].concat() {
                    let query = format!("{path}?{name}={}", value.replace(' ', "%20"));
                    let caller = caller.clone().header("Accept", accept);
                    let answer = fits(&described, one, caller.get(&query));
                    assert_eq!(answer.status, 200, "{query}: {answer}");
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 300, "{asked}");
}

/// The parameters of an operation that a program sends of itself: with their defaults.
fn defaults(described: &Described, one: Operation<'_>) -> Vec<(String, String)> {
    let text = |value: &Json| value.as_str().map_or(value.to_string(), str::to_owned);
    let sent = |parameter: &&Json| {
        let name = parameter["name"].as_str().expect("a name").to_owned();
        let value = parameter["schema"].get("default")?;
        let items = value.as_array();
        let value = items.map_or(text(value), |items| {
            items.iter().map(text).collect::<Vec<_>>().join(",")
        });
        Some((name, value))
    };
    described.parameters(one).iter().filter_map(sent).collect()
}

#[test]
fn a_parameter_may_be_sent_beside_the_defaults_of_all_others() {
    let service = magazine();
    fill(&service);
    let described = of(&service, "/api");
    let mut asked = 0;
    for id in ["articles.index", "rides.index", "articles.show"] {
        let one = described.operation(id);
        let defaults = defaults(&described, one);
        for (name, value) in queries(&described, one) {
            let others = defaults.iter().filter(|(known, _)| *known != name);
            let sent: Vec<String> = others
                .chain([&(name.clone(), value.clone())])
                .map(|(name, value)| format!("{name}={}", value.replace(' ', "%20")))
                .collect();
            let query = format!("{}?{}", address(&service, one), sent.join("&"));
            let answer = service.admin().get(&query);
            assert_eq!(answer.status, 200, "{query}: {answer}");
            asked += 1;
        }
    }
    assert!(asked > 100, "{asked}");
}

#[test]
fn a_parameter_with_several_names_is_described_once_and_accepted_by_each() {
    let service = magazine();
    fill(&service);
    let described = of(&service, "/api");
    let known = |id: &str, name: &str| {
        let parameters = described.parameters(described.operation(id));
        parameters.iter().filter(|it| it["name"] == name).count()
    };
    for (name, value, others) in [
        ("page", "1", &["page[number]"][..]),
        ("pageLimit", "1", &["page[size]"]),
        ("search", "1", &["filter[search]"]),
        ("ranked", "1", &["filter[ranked]", "ranked[]", "ranked[0]"]),
        ("filter[rank]", "1", &["filter[rank][eq]"]),
        (
            "filter[type]",
            "news",
            &["filter[article_type]", "filter[type][eq]"],
        ),
        (
            "filter[id]",
            "1",
            &["filter[article_id]", "filter[article_id][eq]"],
        ),
    ] {
        assert_eq!(known("articles.index", name), 1, "{name}");
        for other in others {
            assert_eq!(known("articles.index", other), 0, "{other}");
            let answer = service
                .admin()
                .get(&format!("/api/articles?{other}={value}"));
            assert_eq!(answer.status, 200, "{other}: {answer}");
        }
    }
    for query in ["sort=-article_id", "fields[articles]=article_id"] {
        let answer = service.admin().get(&format!("/api/articles?{query}"));
        assert_eq!(answer.status, 200, "{query}: {answer}");
    }
    // Reads answer other records too; writes answer the record itself.
    for (id, times) in [
        ("articles.index", 1),
        ("articles.show", 1),
        ("articles.store", 0),
    ] {
        assert_eq!(known(id, "fields[articles]"), 1, "{id}");
        assert_eq!(known(id, "fields[people]"), times, "{id}");
    }
}

/// Names for `include`, `sort` and `exclude` are enumerated once, for all operations.
#[test]
fn names_are_enumerated_once() {
    let service = magazine();
    let document = of(&service, "/api").document;
    let components = &document["components"];
    let first = |name: &str| components["schemas"][name]["enum"][0].clone();
    assert_eq!(first("articles.include"), "author");
    assert_eq!(first("articles.sort"), "id");
    assert_eq!(first("articles.field"), "id");
    for (parameter, schema) in [
        ("include.articles", "articles.include"),
        ("exclude.articles", "articles.include"),
        ("fields.articles", "articles.field"),
    ] {
        let items = &components["parameters"][parameter]["schema"]["items"];
        assert_eq!(
            *items,
            json!({"$ref": format!("#/components/schemas/{schema}")})
        );
    }
}

/// Parameters that have a default say so in words.
#[test]
fn defaults_of_parameters_are_described() {
    let service = magazine();
    let described = of(&service, "/api");
    for (id, name, words) in [
        ("articles.index", "page", "from 1 (the default)"),
        ("articles.index", "pageLimit", "3 by default"),
        ("rides.index", "pageLimit", "10 by default"),
        ("articles.index", "ranked", "Default: `1`"),
    ] {
        let parameters = described.parameters(described.operation(id));
        let found = parameters.iter().find(|it| it["name"] == name);
        let text = found.and_then(|it| it["description"].as_str());
        assert!(text.is_some_and(|text| text.contains(words)), "{text:?}");
    }
}

#[test]
fn parameters_that_are_not_described_are_refused() {
    let service = magazine();
    let described = of(&service, "/api");
    let known: Vec<&str> = described
        .parameters(described.operation("people.index"))
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    for name in [
        "search",
        "filter[name]",
        "filter[name][eq]",
        "ranked",
        "fields[rides]",
    ] {
        assert!(!known.contains(&name), "{known:?}");
    }
    for name in ["search", "filter[name]", "filter[name][eq]", "ranked"] {
        let answer = service.guest().get(&format!("/api/people?{name}=1"));
        assert_eq!(answer.status, 400, "{name}: {answer}");
    }
    let of_rides = described.parameters(described.operation("rides.index"));
    let size = of_rides
        .iter()
        .find(|it| it["name"] == "pageLimit")
        .expect("a size");
    assert_eq!(size["schema"]["maximum"], 10);
    assert_eq!(service.guest().get("/api/rides?pageLimit=11").status, 400);
    let like = |name: &str| of_rides.iter().any(|it| it["name"] == name);
    assert!(like("filter[price][gte]") && !like("filter[price][like]"));
    assert_eq!(
        service
            .guest()
            .get("/api/rides?filter[price][like]=1")
            .status,
        400
    );
}

/// A page past the end is an empty list, however large its number is: the description names no bound.
#[test]
fn pages_of_any_number_are_described_and_answered() {
    let service = magazine();
    let described = of(&service, "/api");
    let index = described.operation("articles.index");
    let parameters = described.parameters(index);
    let page = parameters.iter().find(|it| it["name"] == "page");
    let schema = &page.expect("a page")["schema"];
    assert_eq!(schema, &json!({"type": "integer", "minimum": 1}));
    for number in [i128::from(i64::MAX), i128::from(i64::MAX) + 1, i128::MAX] {
        for name in ["page", "page[number]"] {
            let query = format!("/api/articles?{name}={number}");
            let answer = fits(&described, index, service.guest().get(&query));
            assert_eq!(answer.status, 200, "{query}: {answer}");
            let current = &answer.json["meta"]["pagination"]["current_page"];
            assert_eq!(current.as_i64(), Some(i64::MAX), "{query}: {answer}");
        }
    }
}

/// OpenAPI has no words for parameters that exclude each other: the descriptions say so.
#[test]
fn mutually_exclusive_parameters_are_described_and_refused() {
    let service = magazine();
    let described = of(&service, "/api");
    let parameters = described.parameters(described.operation("articles.index"));
    let text = |name: &str| {
        let found = parameters.iter().find(|it| it["name"] == name);
        found.expect(name)["description"].to_string()
    };
    let pairs = [
        ("page[after]", "page[before]"),
        ("page[before]", "page[after]"),
        ("page[after]", "page"),
        ("page[before]", "page"),
    ];
    for (name, other) in pairs {
        assert!(text(name).contains(&format!("`{other}`")), "{name}");
        let query = format!("/api/articles?{name}=&{other}=");
        let query = if other == "page" { query + "1" } else { query };
        assert_eq!(service.guest().get(&query).status, 400, "{query}");
    }
}
