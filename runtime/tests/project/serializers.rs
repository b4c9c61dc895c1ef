//! Media types of the project's own (docs/guide/custom-routes.md).

use formwork::{http::Serializer, prelude::*};

use super::{start, workshop};

fn stocked() -> formwork::testing::Service {
    let service = start(workshop::service());
    for name in ["Bolt", "Nut"] {
        let stored = service
            .guest()
            .post("/api/parts", json!({"name": name, "price": "1.00"}));
        assert_eq!(stored.status, 201, "{stored}");
    }
    service
}

#[test]
fn lists_and_records_are_written_by_a_serializer() {
    let service = stocked();
    let client = service.guest().header("Accept", "text/csv");
    let list = client.get("/api/parts?pageLimit=1");
    assert_eq!(
        (list.status, list.header("content-type")),
        (200, Some("text/csv"))
    );
    assert_eq!(
        list.body,
        "1,\"Bolt\"\n# 2 \"/api/parts?pageLimit=1&page=1\"\n"
    );
    let shown = client.get("/api/parts/2");
    assert_eq!(shown.body, "parts,2,\"Nut\"\n");
    let stored = client.post("/api/parts", json!({"name": "Gear", "price": "1.00"}));
    assert_eq!(
        (stored.status, stored.body.as_str()),
        (201, "parts,3,\"Gear\"\n")
    );
    assert_eq!(stored.header("location"), Some("/api/parts/3"));
    let blank = client.get("/api/parts/create");
    assert_eq!(blank.body, "parts,null,\"\"\n");
}

#[test]
fn accept_chooses_among_all_media_types() {
    let service = stocked();
    let media_type = |accept: &str| {
        let answer = service.guest().header("Accept", accept).get("/api/parts");
        let known = answer.header("content-type").unwrap_or_default().to_owned();
        (answer.status, known)
    };
    for (accept, expected) in [
        ("*/*", "application/json"),
        ("text/*", "text/csv"),
        ("text/csv, */*;q=0.1", "text/csv"),
        ("text/csv;q=0.5, application/json", "application/json"),
        (
            "application/vnd.api+json, text/csv;q=0.5",
            "application/vnd.api+json",
        ),
    ] {
        assert_eq!(media_type(accept), (200, expected.to_owned()), "{accept}");
    }
    let refused = service
        .guest()
        .header("Accept", "text/html")
        .get("/api/parts");
    assert_eq!(refused.status, 406);
    let said = "Only application/json, application/vnd.api+json and text/csv are produced; send one \
                of them as Accept.";
    assert_eq!(refused.json["message"], said);
    let elsewhere = service
        .guest()
        .header("Accept", "text/csv")
        .post("/api/counts", json!({"count": 2}));
    assert_eq!(
        elsewhere.status, 406,
        "a route of the project writes JSON: {elsewhere}"
    );
}

#[test]
fn errors_stay_in_json_and_tags_are_those_of_the_body() {
    let service = stocked();
    let client = service.guest().header("Accept", "text/csv");
    let unknown = client.get("/api/parts/9");
    assert_eq!(
        (unknown.status, unknown.json["status_code"].as_i64()),
        (404, Some(404))
    );
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
    for (media_type, said) in [
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
        assert!(mistakes.contains(said), "{media_type}: {mistakes}");
    }
}
