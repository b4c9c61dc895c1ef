//! The request, as a handler and its context know it.

use formwork::{
    axum::{Json as AxumJson, extract::Query as AxumQuery, http::Method},
    http::{Parameters, route::Route},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use super::{
    accept_documents,
    shop::{Tenant, service},
    start,
};

#[derive(Debug, Serialize, Deserialize)]
struct Filter {
    from: i64,
    #[serde(default)]
    tags: Vec<String>,
}

async fn filtered(Parameters(filter): Parameters<Filter>) -> AxumJson<Filter> {
    AxumJson(filter)
}

#[derive(Debug, Deserialize)]
struct Page {
    page: u8,
}

async fn about(ctx: Context, AxumQuery(Page { page }): AxumQuery<Page>) -> Result<Response> {
    let agent = ctx.headers().get("x-agent");
    let agent = agent.and_then(|value| value.to_str().ok());
    Response::json(&json!({
        "page": page,
        "parameter": ctx.parameter("page"),
        "agent": agent,
        "id": ctx.request_id(),
        "client": ctx.client().address,
        "tenant": ctx.extension::<Tenant>().map(|it| it.0),
    }))
}

fn routes() -> Vec<Route> {
    vec![
        Route::handler(Method::GET, "/filtered", Allow::All, filtered),
        Route::handler(Method::GET, "/about", Allow::All, about),
    ]
}

#[test]
fn query_strings_are_read_into_a_type() {
    let service = start(service(routes));
    let client = service.guest();
    let read = client.get("/api/filtered?from=7&tags[]=a&tags[]=b");
    assert_eq!(read.json, json!({"from": 7, "tags": ["a", "b"]}), "{read}");
    let unknown = client.get("/api/filtered?form=7");
    assert_eq!(unknown.status, 400, "{unknown}");
    let message = unknown.json["message"].as_str().expect("a message");
    for part in ["`form`", "Did you mean `from`?"] {
        assert!(message.contains(part), "{message}");
    }
    let document = accept_documents(&client).get("/api/filtered?from=x");
    let parameter = &document.json["errors"][0]["source"]["parameter"];
    assert_eq!(parameter, "from", "{document}");
}

#[test]
fn the_context_knows_the_request() {
    let service = start(service(routes));
    let client = service.guest().header("X-Agent", "curl");
    let answer = client.get("/api/about?page=3");
    let id = answer.header("x-request-id").expect("an id");
    let expected = json!({
        "page": 3, "parameter": "3", "agent": "curl", "id": id, "client": "127.0.0.1", "tenant": null,
    });
    assert_eq!(answer.json, expected);
    let text = client.header("Accept", "text/html");
    let text = text.get("/api/about?page=3");
    assert_eq!(text.status, 200, "the media type is the handler's: {text}");
    let refused = service.guest().get("/api/about?page=x");
    assert_eq!(refused.status, 400, "axum rejects it: {refused}");
}
