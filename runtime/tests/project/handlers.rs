//! Routes whose handlers are axum's.

use std::time::Duration;

use formwork::{
    axum::{
        Json as AxumJson,
        body::Bytes,
        extract::{Multipart, Path},
        http::{HeaderMap, Method, StatusCode},
        response::Result as AxumResult,
    },
    http::{Validated, route::Route},
    prelude::*,
    rules::*,
    testing,
};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::{accept_documents, config, create, create_token, raw, shop::service, start};

const MEBIBYTE: usize = 1024 * 1024;

/// The secret of the webhook: state.
struct Secret(&'static [u8]);

/// Sizes and names of the parts of a form.
async fn upload(
    ctx: Context,
    Path(id): Path<i64>,
    mut form: Multipart,
) -> AxumResult<AxumJson<Json>> {
    let mut parts = Vec::new();
    while let Some(mut field) = form.next_field().await? {
        let (name, mut size) = (field.file_name().unwrap_or_default().to_owned(), 0);
        while let Some(chunk) = field.chunk().await? {
            size += chunk.len();
            // The chunks of an upload do not grow with it.
            assert!(chunk.len() < MEBIBYTE, "{} bytes at once", chunk.len());
        }
        if name == "virus.exe" {
            Err(Error::validation("file", "The file is refused."))?;
        }
        parts.push(json!([name, size]));
    }
    let told = json!({"id": id, "key": ctx.path_key::<i64>("id")?, "parts": parts});
    Ok(AxumJson(told))
}

/// A webhook: the signature is over the bytes as they were sent.
async fn webhook(ctx: Context, headers: HeaderMap, body: Bytes) -> Result<StatusCode> {
    let expected = signature(ctx.state::<Secret>()?.0, &body);
    match headers.get("x-signature") {
        Some(sent) if sent == &*expected => Ok(StatusCode::ACCEPTED),
        _ => Err(Error::unauthenticated("The signature is wrong.")),
    }
}

fn signature(secret: &[u8], body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key");
    mac.update(body);
    let bytes = mac.finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Debug, Serialize, Deserialize)]
struct Close {
    ids: Vec<i64>,
    note: Option<String>,
}

const CLOSE: &[Attribute] = &[
    attribute("ids", &[required(), array(), max(3)]),
    attribute("ids.*", &[integer(), exists("things", "id")]),
    attribute("note", &[nullable(), string(), max(5)]),
];

async fn close(Validated(close): Validated<Close>) -> AxumJson<Close> {
    AxumJson(close)
}

async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_millis(600)).await;
    "done"
}

fn routes() -> Vec<Route> {
    let size = async |body: Bytes| body.len().to_string();
    let members = async |ctx: Context| Response::json(ctx.input().members());
    let proxied = async || ([("x-request-id", "another's")], Error::conflict("Not now."));
    let panic = async || -> String { panic!("hot") };
    let rejected = async || -> Result<String> { Err(Error::conflict("No.")) };
    vec![
        Route::handler(Method::POST, "/things/{id}/files", Allow::Users, upload)
            .resource("things")
            .body_limit(25 * MEBIBYTE)
            .summary("Attach files")
            .answers("application/json", json!({"type": "object"}))
            .accepts(&["multipart/form-data"]),
        Route::handler(Method::POST, "/small", Allow::All, size),
        Route::handler(Method::POST, "/webhook", Allow::All, webhook),
        Route::handler(Method::POST, "/close", Allow::Users, close).rules(CLOSE),
        Route::post("/close-too", Allow::Users, members).rules(CLOSE),
        Route::handler(Method::GET, "/proxied", Allow::All, proxied),
        Route::handler(Method::GET, "/slow", Allow::All, slow).time_limit(Duration::from_secs(9)),
        Route::handler(Method::GET, "/slower", Allow::All, slow),
        Route::handler(Method::GET, "/quick", Allow::All, slow)
            .time_limit(Duration::from_millis(100)),
        Route::handler(Method::GET, "/panic", Allow::All, panic),
        Route::handler(Method::DELETE, "/refuse", Allow::All, rejected),
    ]
}

fn shop() -> testing::Service {
    let service = start(service(routes).state(Secret(b"secret")));
    for name in ["a", "b"] {
        create(&service.admin(), "/api/things", json!({"name": name}));
    }
    service
}

fn form(name: &str, size: usize) -> String {
    format!(
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{}\r\n--x--\r\n",
        "z".repeat(size)
    )
}

/// Sends a head without the bytes of its body: a server that waits for them does not answer.
fn status_of_head(service: &testing::Service, path: &str, length: usize, head: &str) -> String {
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\
         Expect: 100-continue\r\n{head}Connection: close\r\n\r\n"
    );
    raw::ask(service, &request)[9..12].to_owned()
}

#[test]
fn an_upload_of_20_megabytes_passes_where_the_route_raises_the_limit() {
    let service = shop();
    let client = service
        .customer()
        .header("Content-Type", "multipart/form-data; boundary=x");
    let size = 20 * MEBIBYTE;
    let answer = client.send("POST", "/api/things/1/files", Some(form("a.png", size)));
    let expected = json!({"id": 1, "key": 1, "parts": [["a.png", size]]});
    assert_eq!(answer.json, expected, "{answer}");
    let virus = client.send("POST", "/api/things/1/files", Some(form("virus.exe", 9)));
    assert_eq!(virus.status, 422, "{virus}");
    assert_eq!(virus.json["errors"]["file"][0], "The file is refused.");
    // Its body is not sent: the length is rejected.
    let (token, _) = create_token(&service, "large@example.com", "*");
    let head = format!(
        "Authorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    );
    let large = status_of_head(&service, "/api/things/1/files", 25 * MEBIBYTE + 1, &head);
    assert_eq!(large, "413");
    let plain = service.guest().header("Content-Type", "text/plain");
    let small = plain.send("POST", "/api/small", Some("x".repeat(MEBIBYTE)));
    assert_eq!(small.body, MEBIBYTE.to_string(), "{}", small.status);
    let small = plain.send("POST", "/api/small", Some("x".repeat(MEBIBYTE + 1)));
    assert_eq!(small.status, 413, "others keep the limit: {small}");
    assert_eq!(small.json["status_code"], 413);
}

#[test]
fn a_body_without_a_length_is_limited_too() {
    let service = shop();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(65536));
    let request = format!(
        "POST /api/small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\
         Content-Type: text/plain\r\nConnection: close\r\n\r\n{}0\r\n\r\n",
        chunk.repeat(17)
    );
    let answer = raw::ask(&service, &request);
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[test]
fn the_checks_come_before_the_body_is_read() {
    let service = shop();
    let post = |path: &str, head: &str| status_of_head(&service, path, 9_000_000, head);
    let path = "/api/things/1/files";
    let (narrow, _) = create_token(&service, "narrow@example.com", "rooms:*");
    let (wide, _) = create_token(&service, "wide@example.com", "things:write");
    assert_eq!(post(path, ""), "401");
    assert_eq!(post(path, "Authorization: Bearer 1|x\r\n"), "401");
    let narrow = format!("Authorization: Bearer {narrow}\r\n");
    assert_eq!(post(path, &narrow), "403");
    let json = format!("Authorization: Bearer {wide}\r\nContent-Type: application/json\r\n");
    assert_eq!(post(path, &json), "415");
    assert_eq!(post("/api/small", "Content-Type: text/plain\r\n"), "413");
}

#[test]
fn a_signed_webhook_is_verified_over_its_bytes() {
    let service = shop();
    let body = "{ \"paid\":   true }";
    let signature = signature(b"secret", body.as_bytes());
    let client = service.guest().header("X-Signature", &signature);
    let answer = client.send("POST", "/api/webhook", Some(body.to_owned()));
    assert_eq!(answer.status, 202, "{answer}");
    let other = client.send("POST", "/api/webhook", Some("{\"paid\":true}".to_owned()));
    assert_eq!(other.status, 401, "{other}");
    assert_eq!(other.json["message"], "The signature is wrong.");
    let document = accept_documents(&client).send("POST", "/api/webhook", Some("x".to_owned()));
    assert_eq!(document.json["errors"][0]["status"], "401", "{document}");
}

#[test]
fn rules_of_a_route_run_before_both_kinds_of_handler() {
    let service = shop();
    let client = service.customer();
    for path in ["/api/close", "/api/close-too"] {
        let done = client.post(path, json!({"ids": [1, 2], "note": " x ", "other": 1}));
        assert_eq!(done.json, json!({"ids": [1, 2], "note": "x"}), "{done}");
        let refused = client.post(path, json!({"ids": [1, 9, "x"], "note": "too long"}));
        assert_eq!(refused.status, 422, "{refused}");
        let errors = refused.json["errors"].as_object().expect("errors");
        let fields: Vec<&String> = errors.keys().collect();
        assert_eq!(fields, ["ids.1", "ids.2", "note"], "{refused}");
        let document = accept_documents(&client).post(path, json!({"note": "x"}));
        let field = &document.json["errors"][0]["meta"]["field"];
        assert_eq!(field, "ids", "{document}");
        let text = client.clone().header("Content-Type", "text/plain");
        assert_eq!(text.send("POST", path, Some("{}".to_owned())).status, 415);
        assert_eq!(client.send("POST", path, Some("[".to_owned())).status, 400);
    }
}

#[test]
fn errors_and_panics_of_handlers_have_both_renderings() {
    let service = shop();
    let refused = service.guest().delete("/api/refuse");
    assert_eq!(refused.status, 409, "{refused}");
    assert_eq!(refused.json["message"], "No.", "{refused}");
    let document = accept_documents(&service.guest()).delete("/api/refuse");
    assert_eq!(document.json["errors"][0]["status"], "409", "{document}");
    assert_eq!(service.guest().get("/api/panic").status, 500);
    let proxied = service.guest().get("/api/proxied");
    assert_eq!(proxied.json["message"], "Not now.", "{proxied}");
    assert_ne!(proxied.header("x-request-id"), Some("another's"));
    let method = service.guest().put("/api/refuse", json!({}));
    assert_eq!(method.status, 405, "{method}");
    assert_eq!(method.header("allow"), Some("DELETE"));
}

#[test]
fn a_route_has_a_time_limit_of_its_own() {
    let shop = service(routes).state(Secret(b""));
    let mut config = config("");
    config.api.request_timeout = Duration::from_millis(300);
    let service = testing::Service::setup(shop).config(config).start();
    for (path, status) in [
        ("/api/slow", 200),
        ("/api/slower", 503),
        ("/api/quick", 503),
    ] {
        let answer = service.guest().get(path);
        assert_eq!(answer.status, status, "{path}: {answer}");
    }
}

#[test]
fn the_description_has_the_summary_bodies_and_answers_of_routes() {
    let service = shop();
    let told = service.guest().get("/api/openapi.json").json;
    let operation = |path: &str| told["paths"][path]["post"].clone();
    let files = operation("/api/things/{id}/files");
    assert_eq!(files["summary"], "Attach files");
    let body = files["requestBody"]["content"].as_object();
    let media_types: Vec<&String> = body.expect("media types").keys().collect();
    assert_eq!(media_types, ["multipart/form-data"]);
    let answer = &files["responses"]["2XX"]["content"]["application/json"]["schema"];
    assert_eq!(*answer, json!({"type": "object"}));
    let close = operation("/api/close");
    let schema = &close["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(schema["required"], json!(["ids"]), "{close}");
    let items = &schema["properties"]["ids"]["items"];
    assert_eq!(items["type"], "integer", "{close}");
    assert!(close["responses"]["422"].is_object(), "{close}");
    let webhook = operation("/api/webhook");
    let body = &webhook["requestBody"]["content"]["*/*"];
    assert!(body.is_object(), "{webhook}");
}
