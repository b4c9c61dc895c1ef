//! Filters are described as they are accepted: lists item by item, and the values of columns.

use serde_json::{Value as Json, json};

use crate::{JSON, JSON_API, accepting, described, magazine};

#[test]
fn filters_are_described_as_they_are_taken() {
    let parameters = described().parameters(described().operation("articles.index"));
    let parameter = |name: &str| -> &Json {
        let mut parameters = parameters.iter();
        let found = parameters.find(|parameter| parameter["name"] == name);
        found.unwrap_or_else(|| panic!("no parameter `{name}`"))
    };
    // Item by item is another way to write the same list: it is described in words.
    let list = parameter("ranked");
    let text = list["description"].as_str().expect("a description");
    assert!(text.contains("`ranked[]`"), "{text}");
    assert_eq!(
        (&list["style"], &list["explode"]),
        (&json!("form"), &json!(false))
    );
    assert_eq!(list["schema"]["type"], "array", "{list}");
    assert_eq!(list["schema"].get("default"), None, "{list}");
    let words = json!(["news", "essay"]);
    for name in ["filter[type]", "filter[type][ne]"] {
        assert_eq!(parameter(name)["schema"]["enum"], words, "{name}");
    }
    let items = &parameter("filter[type][in]")["schema"]["items"];
    assert_eq!(items["enum"], words);
    assert_eq!(parameter("filter[type][lt]")["schema"].get("enum"), None);
    let service = magazine();
    for accept in [JSON, JSON_API] {
        let client = accepting(&service.guest(), accept);
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
