//! Media types of the project's own (docs/guide/custom-routes.md).

use formwork::{http::Serializer, prelude::*, testing::Service};

use super::{JSON_API, create, start, workshop};

fn stocked() -> Service {
    let service = start(workshop::service());
    for name in ["Bolt", "Nut"] {
        let body = json!({"name": name, "price": "1.00"});
        create(&service.guest(), "/api/parts", body);
    }
    service
}

#[test]
fn lists_and_records_are_written_by_a_serializer() {
    let service = stocked();
    let client = service.guest().header("Accept", "text/csv");
    let list = client.get("/api/parts?pageLimit=1");
    assert_eq!(list.status, 200, "{list}");
    assert_eq!(list.header("content-type"), Some("text/csv"));
    let lines = "1,\"Bolt\"\n# 2 \"/api/parts?pageLimit=1&page=1\"\n";
    assert_eq!(list.body, lines);
    let shown = client.get("/api/parts/2");
    assert_eq!(shown.body, "parts,2,\"Nut\"\n");
    let gear = json!({"name": "Gear", "price": "1.00"});
    let stored = create(&client, "/api/parts", gear);
    assert_eq!(stored.body, "parts,3,\"Gear\"\n");
    assert_eq!(stored.header("location"), Some("/api/parts/3"));
    let blank = client.get("/api/parts/create");
    assert_eq!(blank.body, "parts,null,\"\"\n");
}

#[test]
fn accept_chooses_among_all_media_types() {
    let service = stocked();
    let get = |accept: &str| service.guest().header("Accept", accept).get("/api/parts");
    for (accept, expected) in [
        ("*/*", "application/json"),
        ("text/*", "text/csv"),
        ("text/csv, */*;q=0.1", "text/csv"),
        ("text/csv;q=0.5, application/json", "application/json"),
        ("application/vnd.api+json, text/csv;q=0.5", JSON_API),
    ] {
        let answer = get(accept);
        assert_eq!(answer.status, 200, "{accept}: {answer}");
        assert_eq!(answer.header("content-type"), Some(expected), "{accept}");
    }
    let refused = get("text/html");
    assert_eq!(refused.status, 406);
    let message = "Only application/json, application/vnd.api+json and text/csv are produced; send one \
                of them as Accept.";
    assert_eq!(refused.json["message"], message);
    // A route of the project writes JSON.
    let client = service.guest().header("Accept", "text/csv");
    let counted = client.post("/api/counts", json!({"count": 2}));
    assert_eq!(counted.status, 406, "{counted}");
}

#[test]
fn errors_stay_in_json_and_tags_are_those_of_the_body() {
    let service = stocked();
    let client = service.guest().header("Accept", "text/csv");
    let unknown = client.get("/api/parts/9");
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.json["status_code"], 404);
    let tag = |accept: &str| {
        let answer = service.guest().header("Accept", accept).get("/api/parts/1");
        answer.header("etag").expect("a tag").to_owned()
    };
    let (csv, json) = (tag("text/csv"), tag("application/json"));
    assert_ne!(csv, json, "two representations");
    let row = |tag: &str| tag.split('-').next().map(str::to_owned);
    assert_eq!(row(&csv), row(&json), "of one row");
    let again = client.header("If-None-Match", &csv).get("/api/parts/1");
    assert_eq!(again.status, 304);
}

/// Writes a media type.
struct Odd(&'static str);

impl Serializer for Odd {
    fn media_type(&self) -> &'static str {
        self.0
    }

    fn list(&self, _: &Context, _: &[Json], _: &Json, _: &Json) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn record(&self, _: &Context, _: &Json, _: &Json) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

impl Extension for Odd {
    fn name(&self) -> &'static str {
        "odd"
    }

    fn serializers(&self) -> Vec<Box<dyn Serializer>> {
        vec![Box::new(Odd(self.0))]
    }
}

#[test]
fn media_types_are_checked_when_the_service_starts() {
    for (media_type, reason) in [
        ("text/csv", "two serializers write `text/csv`"),
        (
            "application/json",
            "two serializers write `application/json`",
        ),
        ("Text/HTML", "lower-case letters"),
        ("text/html; charset=utf-8", "without parameters"),
        ("text/*", "cannot be the media type"),
        ("csv", "cannot be the media type"),
        ("a\nb/c", "cannot be the media type"),
    ] {
        let extensions: Vec<Box<dyn Extension>> =
            vec![Box::new(workshop::Workshop), Box::new(Odd(media_type))];
        let mistakes = formwork::extension::registry(&extensions).err();
        let mistakes = mistakes.unwrap_or_default().join("\n");
        assert!(mistakes.contains(reason), "{media_type}: {mistakes}");
    }
}

#[cfg(feature = "openapi")]
#[test]
fn the_description_lists_the_media_type() {
    let service = stocked();
    let description = service.guest().get("/api/openapi.json").json;
    let answers = |path: &str, method: &str, status: &str| {
        let operation = &description["paths"][path][method];
        let content = operation["responses"][status]["content"].as_object();
        content.is_some_and(|content| content.contains_key("text/csv"))
    };
    assert!(answers("/api/parts", "get", "200") && answers("/api/parts", "post", "201"));
    assert!(!answers("/api/counts", "post", "200"));
    let error = &description["components"]["schemas"]["Error"]["properties"];
    assert_eq!(error["code"]["type"], "string");
}
