//! Every status of docs/contract.md as error objects.

use formwork::{config::Config, prelude::*, testing::Answer};

use super::{
    JSON_API, assert_pointers, document, get, insert_article, json_api, magazine, post_article,
    with, with_article,
};

/// Returns the only error of a response, which has this status.
#[track_caller]
fn only(answer: &Answer, status: u16) -> Json {
    let expected = (status, Some(JSON_API));
    assert_eq!((answer.status, answer.header("content-type")), expected);
    assert_eq!(answer.json["jsonapi"], json!({"version": "1.1"}));
    let errors = answer.json["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 1, "{answer}");
    let error = &errors[0];
    assert_eq!(error["status"], status.to_string());
    assert!(error["title"].is_string() && error["detail"].is_string());
    for absent in ["data", "message"] {
        assert_eq!(answer.json.get(absent), None, "{answer}");
    }
    error.clone()
}

#[test]
fn unknown_paths_and_ids_are_error_documents() {
    let service = magazine();
    for path in [
        "/api/nothing",
        "/nowhere",
        "/api/articles/9",
        "/api/articles/abc",
    ] {
        only(&get(&service, path), 404);
    }
    let answer = json_api(service.guest()).put("/api/articles", json!({}));
    only(&answer, 405);
    assert_eq!(answer.header("allow"), Some("GET, HEAD, POST"));
}

#[test]
fn refused_callers_get_a_401_or_403_document() {
    let service = magazine();
    let guest = json_api(service.guest()).delete("/api/articles/1");
    let error = only(&guest, 401);
    assert_eq!(error["source"], json!({"header": "Authorization"}));
    let challenge = guest.header("www-authenticate").unwrap_or_default();
    assert!(challenge.starts_with("Bearer"), "{challenge}");
    let wrong = json_api(service.with_token("1|no"));
    only(&wrong.get("/api/articles"), 401);
    only(&json_api(service.customer()).delete("/api/articles/1"), 403);
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
        let error = only(&get(&service, &format!("/api/articles?{query}")), 400);
        assert_eq!(error["source"], json!({"parameter": parameter}), "{query}");
    }
}

#[test]
fn fields_are_pointed_at_all_at_once() {
    let service = magazine();
    let data = json!({"type": "articles", "attributes": {"rank": "x", "labels": ["a", 1]}});
    let answer = post_article(&service, data);
    // The title was not sent: its pointer leads to the object that lacks it.
    let rank = "/data/attributes/rank";
    let pointers = ["/data/attributes/labels/1", rank, "/data/attributes"];
    assert_pointers(&answer, 422, &pointers);
    for (at, field) in ["labels.1", "rank", "title"].into_iter().enumerate() {
        assert_eq!(answer.json["errors"][at]["meta"]["field"], field);
    }
    let detail = &answer.json["errors"][2]["detail"];
    assert_eq!(detail, "The title field is required.");
    let empty = post_article(&service, json!({"type": "articles"}));
    assert_pointers(&empty, 422, &["/data"]);
    let client = service.admin().header("Accept", JSON_API);
    let plain = client.post("/api/articles", json!({"title": "x"}));
    assert_pointers(&plain, 422, &["/title"]);
}

#[test]
fn a_constraint_of_the_database_is_a_409_document() {
    let service = with_article();
    only(&json_api(service.admin()).delete("/api/people/1"), 409);
}

#[test]
fn large_bodies_and_server_errors_are_error_documents() {
    let mut config = Config::default();
    config.api.body_limit = 64;
    let service = with(config);
    let large = json!({"type": "articles", "attributes": {"title": "x".repeat(64)}});
    only(&post_article(&service, large), 413);
    let drop = service.app().db().execute("DROP TABLE article_labels", []);
    service.block_on(drop).expect("a statement");
    // Without articles no label is read.
    let path = "/api/articles?include=labels";
    document(&service, path);
    insert_article(&service, json!({"title": "Puff"}));
    let failed = get(&service, path);
    let error = only(&failed, 500);
    assert_eq!(error["id"].as_str(), failed.header("x-request-id"));
    assert!(!failed.body.contains("article_labels"), "{failed}");
    service.app().stop();
    only(&get(&service, "/health/ready"), 503);
}
