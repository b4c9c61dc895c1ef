//! Filters are described as they are taken: lists item by item, and what rows can hold.

use serde_json::{Value as Json, json};

use crate::{described, magazine};

#[test]
fn filters_are_described_as_they_are_taken() {
    let service = magazine();
    let described = described(&service, "/api");
    let parameters = described.parameters(described.operation("articles.index"));
    let named = |name: &str| -> &Json {
        let mut parameters = parameters.iter();
        let found = parameters.find(|parameter| parameter["name"] == name);
        found.unwrap_or_else(|| panic!("no parameter `{name}`"))
    };
    // Item by item is another way to write the same list: it is described in words.
    let list = named("ranked");
    let text = list["description"].as_str().expect("a description");
    assert!(text.contains("`ranked[]`"), "{text}");
    assert_eq!(list["style"], "form");
    assert_eq!(list["schema"]["type"], "array", "{list}");
    assert_eq!(list["schema"].get("default"), None, "{list}");
    assert_eq!(named("ranked")["explode"], false);
    let words = json!(["news", "essay"]);
    for name in ["filter[type]", "filter[type][ne]"] {
        assert_eq!(named(name)["schema"]["enum"], words, "{name}");
    }
    assert_eq!(named("filter[type][in]")["schema"]["items"]["enum"], words);
    assert_eq!(named("filter[type][lt]")["schema"].get("enum"), None);
    for accept in ["application/json", "application/vnd.api+json"] {
        let client = service.guest().header("Accept", accept);
        for (query, status) in [
            ("ranked[]=1&ranked[]=2", 200),
            ("filter[type]=news", 200),
            ("filter[type][in]=news,essay", 200),
            ("filter[type][lt]=x", 200),
            ("filter[type]=x", 400),
            ("filter[rank]=2147483648", 400),
        ] {
            let answer = client.get(&format!("/api/articles?{query}"));
            assert_eq!(answer.status, status, "{query}: {answer}");
        }
    }
}
