//! Every status of docs/contract.md as error objects.

use formwork::{
    config::Config,
    prelude::*,
    testing::{Answer, Service},
};

use super::{JSON_API, magazine, speaking, stored, with_article};

/// The only error of an answer, which has this status.
fn only(answer: &Answer, status: u16) -> Json {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (status, Some(JSON_API)),
        "{answer}"
    );
    assert_eq!(answer.json["jsonapi"], json!({"version": "1.1"}));
    let errors = answer.json["errors"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(errors.len(), 1, "{answer}");
    let error = errors[0].clone();
    assert_eq!(error["status"], status.to_string());
    assert!(
        error["title"].is_string() && error["detail"].is_string(),
        "{answer}"
    );
    assert!(answer.json.get("data").is_none() && answer.json.get("message").is_none());
    error
}

#[test]
fn unknown_paths_and_ids_are_error_documents() {
    let service = magazine();
    let guest = || speaking(service.guest());
    for path in [
        "/api/nothing",
        "/nowhere",
        "/api/articles/9",
        "/api/articles/abc",
    ] {
        only(&guest().get(path), 404);
    }
    let wrong = guest().put("/api/articles", json!({}));
    only(&wrong, 405);
    assert_eq!(wrong.header("allow"), Some("GET, HEAD, POST"));
}

#[test]
fn refused_callers_get_a_401_or_403_document() {
    let service = magazine();
    let nobody = speaking(service.guest()).delete("/api/articles/1");
    let error = only(&nobody, 401);
    assert_eq!(error["source"], json!({"header": "Authorization"}));
    assert!(
        nobody
            .header("www-authenticate")
            .is_some_and(|value| value.starts_with("Bearer"))
    );
    only(
        &speaking(service.with_token("1|no")).get("/api/articles"),
        401,
    );
    only(&speaking(service.customer()).delete("/api/articles/1"), 403);
}

#[test]
fn parameters_are_named() {
    let service = magazine();
    for (query, parameter) in [
        ("page=0", "page"),
        ("page[size]=1000", "page[size]"),
        ("sort=secret", "sort"),
        ("filter[secret]=x", "filter[secret]"),
        ("filter[rank][gt]=many", "filter[rank][gt]"),
        ("include=autor", "include"),
        ("exclude=nobody", "exclude"),
        ("fields[articles]=titel", "fields[articles]"),
        ("unknown=1", "unknown"),
    ] {
        let error = only(
            &speaking(service.guest()).get(&format!("/api/articles?{query}")),
            400,
        );
        assert_eq!(error["source"], json!({"parameter": parameter}), "{query}");
    }
}

#[test]
fn fields_are_pointed_at_all_at_once() {
    let service = magazine();
    let body =
        json!({"data": {"type": "articles", "attributes": {"rank": "x", "labels": ["a", 1]}}});
    let answer = speaking(service.admin()).post("/api/articles", body);
    assert_eq!(answer.status, 422, "{answer}");
    let seen: Vec<(&Json, &Json)> = answer.json["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| (&error["meta"]["field"], &error["source"]["pointer"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!("labels.1"), &json!("/data/attributes/labels/1")),
            (&json!("rank"), &json!("/data/attributes/rank")),
            // It was not sent: the pointer leads to what it is missing from.
            (&json!("title"), &json!("/data/attributes")),
        ],
        "{answer}"
    );
    assert_eq!(
        answer.json["errors"][2]["detail"],
        "The title field is required."
    );
    let empty =
        speaking(service.admin()).post("/api/articles", json!({"data": {"type": "articles"}}));
    assert_eq!(
        empty.json["errors"][0]["source"],
        json!({"pointer": "/data"})
    );
    let plain = service
        .admin()
        .header("Accept", JSON_API)
        .post("/api/articles", json!({"title": "x"}));
    assert_eq!(
        plain.json["errors"][0]["source"],
        json!({"pointer": "/title"}),
        "{plain}"
    );
}

#[test]
fn a_constraint_of_the_database_is_a_409_document() {
    let service = with_article();
    only(&speaking(service.admin()).delete("/api/people/1"), 409);
}

#[test]
fn large_bodies_and_server_errors_are_error_documents() {
    let mut config = Config::default();
    config.api.body_limit = 64;
    let service = Service::with_config(config, vec![Box::new(super::magazine::Magazine)]);
    let large = json!({"data": {"type": "people", "attributes": {"name": "x".repeat(64)}}});
    only(&speaking(service.admin()).post("/api/people", large), 413);
    let broken = service.block_on(async {
        let ctx = service.context();
        ctx.db().execute("DROP TABLE article_labels", []).await
    });
    assert!(broken.is_ok());
    let answer = speaking(service.guest()).get("/api/articles?include=labels");
    assert_eq!(answer.status, 200, "no articles, no labels: {answer}");
    stored(&service, "/api/articles", json!({"title": "Puff"}));
    let failed = speaking(service.guest()).get("/api/articles?include=labels");
    let error = only(&failed, 500);
    assert_eq!(error["id"].as_str(), failed.header("x-request-id"));
    assert!(!failed.body.contains("article_labels"), "{failed}");
    service.app().stop();
    only(&speaking(service.guest()).get("/health/ready"), 503);
}
