//! `Idempotency-Key` on routes whose handlers are axum's.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use formwork::{
    axum::{
        Router,
        body::{Body, Bytes},
        extract::State as AxumState,
        http::{Method, StatusCode, header},
        response::{AppendHeaders, IntoResponse, Response as Answer},
        routing::post,
    },
    http::route::Route,
    prelude::*,
    testing::{self, Client},
};
use futures_util::stream;

use super::{config, shop::service, start};

/// How often a handler did its work.
#[derive(Default)]
struct Done(AtomicUsize);

/// Answers what was sent, and how often it was.
async fn work(ctx: Context, body: Bytes) -> Result<impl IntoResponse> {
    let done = ctx.state::<Done>()?.0.fetch_add(1, Ordering::SeqCst) + 1;
    match &*body {
        b"refused" => return Err(Error::conflict("Not now.")),
        b"broken" => return Err(Error::internal("a fault")),
        _ => {}
    }
    let text = format!("{} {done}", body.len());
    let headers = [
        (header::CONTENT_TYPE, "text/plain"),
        (header::LOCATION, "/x"),
    ];
    Ok((StatusCode::CREATED, headers, text))
}

async fn streamed(ctx: Context) -> Result<Answer> {
    ctx.state::<Done>()?.0.fetch_add(1, Ordering::SeqCst);
    let chunks = ["a", "b", "c"].map(Ok::<_, std::io::Error>);
    Ok(Body::from_stream(stream::iter(chunks)).into_response())
}

/// Answers with two headers of one name, and no type.
async fn linked(ctx: Context) -> Result<impl IntoResponse> {
    ctx.state::<Done>()?.0.fetch_add(1, Ordering::SeqCst);
    let links = [
        (header::LINK, "</a>; rel=next"),
        (header::LINK, "</b>; rel=last"),
    ];
    Ok((StatusCode::NO_CONTENT, AppendHeaders(links)))
}

/// Sets two cookies. Its body says whether it stores a row.
async fn cookies(ctx: Context, body: Bytes) -> Result<impl IntoResponse> {
    ctx.state::<Done>()?.0.fetch_add(1, Ordering::SeqCst);
    if &*body == b"stores" {
        let sql = "INSERT INTO \"idempotency_keys\" \
            (\"caller\", \"key\", \"fingerprint\", \"created_at\") VALUES ('', '', '', ?)";
        ctx.db().execute(sql, [ctx.now().into()]).await?;
    }
    let cookies = [
        (header::SET_COOKIE, "a=secret"),
        (header::SET_COOKIE, "b=secret"),
    ];
    Ok(AppendHeaders(cookies))
}

/// Takes longer than ten times the time limit of other requests.
async fn slow(ctx: Context) -> Result<impl IntoResponse> {
    tokio::time::sleep(Duration::from_millis(700)).await;
    let done = ctx.state::<Done>()?.0.fetch_add(1, Ordering::SeqCst) + 1;
    Ok((StatusCode::CREATED, done.to_string()))
}

fn routes() -> Vec<Route> {
    let state = async |AxumState(seven): AxumState<i32>| seven.to_string();
    let nested = Router::new()
        .route("/work", post(work))
        .route("/state", post(state))
        .with_state(7);
    vec![
        Route::handler(Method::POST, "/work", Allow::All, work),
        Route::handler(Method::PUT, "/work", Allow::All, work),
        Route::handler(Method::POST, "/small", Allow::All, work).body_limit(10),
        Route::handler(Method::POST, "/large", Allow::All, work).body_limit(64 * 1024 * 1024),
        Route::handler(Method::POST, "/streamed", Allow::All, streamed),
        Route::handler(Method::POST, "/linked", Allow::All, linked),
        Route::handler(Method::POST, "/cookies", Allow::All, cookies),
        Route::handler(Method::POST, "/slow", Allow::All, slow).time_limit(Duration::from_secs(60)),
        Route::nest("/nested", Allow::All, nested),
    ]
}

fn started() -> testing::Service {
    start(service(routes).state(Done::default()))
}

fn done(service: &testing::Service) -> usize {
    let done = service.app().state::<Done>().expect("a state");
    done.0.load(Ordering::SeqCst)
}

fn keyed<'s>(service: &'s testing::Service, key: &str) -> Client<'s> {
    let client = service.guest().header("Content-Type", "text/plain");
    client.header("Idempotency-Key", key)
}

fn sent(client: &Client<'_>, path: &str, body: &str) -> testing::Answer {
    client.clone().send("POST", path, Some(body.to_owned()))
}

#[test]
fn a_handler_of_axum_does_its_work_once() {
    let service = started();
    for (path, key) in [("/api/work", "k"), ("/api/nested/work", "n")] {
        let client = keyed(&service, key);
        let before = done(&service);
        let first = sent(&client, path, "four");
        let expected = format!("4 {}", before + 1);
        assert_eq!((first.status, &first.body), (201, &expected));
        let again = sent(&client, path, "four");
        assert_eq!((again.status, &again.body), (201, &first.body), "{again}");
        for name in ["content-type", "location"] {
            assert_eq!(again.header(name), first.header(name), "{name}");
        }
        assert_eq!(first.header("idempotency-replayed"), None);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(sent(&client, path, "other").status, 422, "another body");
        assert_eq!(done(&service), before + 1);
    }
    let state = keyed(&service, "state");
    assert_eq!(sent(&state, "/api/nested/state", "").body, "7");
    let without = service.guest().header("Content-Type", "text/plain");
    for expected in ["1 3", "1 4"] {
        assert_eq!(sent(&without, "/api/work", "x").body, expected);
    }
    let put = keyed(&service, "p");
    for expected in ["1 5", "1 6"] {
        let answer = put.clone().send("PUT", "/api/work", Some("x".to_owned()));
        assert_eq!(answer.body, expected, "PUT is idempotent by itself");
    }
}

#[test]
fn refusals_free_the_key_and_faults_keep_it() {
    let service = started();
    // A rejected request may be sent again; one that failed halfway is not repeated.
    for (body, status, expected) in [("refused", 409, 2), ("broken", 500, 3)] {
        let client = keyed(&service, body);
        for _ in 0..2 {
            assert_eq!(sent(&client, "/api/work", body).status, status);
        }
        assert_eq!(done(&service), expected, "{body}");
    }
}

#[test]
fn a_keyed_body_is_held_within_bounds() {
    let service = started();
    let client = keyed(&service, "l");
    let large = "x".repeat(2 * 1024 * 1024);
    let refused = sent(&client, "/api/large", &large);
    assert_eq!(refused.status, 400, "{refused}");
    assert!(refused.body.contains("without the header"), "{refused}");
    let without = service.guest().header("Content-Type", "text/plain");
    assert_eq!(sent(&without, "/api/large", &large).status, 201);
    assert_eq!(sent(&client, "/api/large", "small").status, 201);
    let refused = sent(&keyed(&service, "s"), "/api/small", &"x".repeat(11));
    assert_eq!(refused.status, 413, "{refused}");
    assert_eq!(sent(&keyed(&service, ""), "/api/work", "x").status, 400);
}

#[test]
fn a_streamed_answer_is_kept_whole() {
    let service = started();
    let client = keyed(&service, "s");
    for _ in 0..2 {
        assert_eq!(sent(&client, "/api/streamed", "").body, "abc");
    }
    assert_eq!(done(&service), 1);
}

#[test]
fn a_replayed_response_has_every_header_of_the_first() {
    let service = started();
    let client = keyed(&service, "links");
    let [first, again] = [(); 2].map(|()| sent(&client, "/api/linked", ""));
    assert_eq!((first.status, again.status, done(&service)), (204, 204, 1));
    for (answer, replayed) in [(&first, None), (&again, Some("true"))] {
        let links = answer.headers.get_all(header::LINK).iter();
        let links: Vec<_> = links.map(|link| link.to_str().expect("a text")).collect();
        assert_eq!(links, ["</a>; rel=next", "</b>; rel=last"], "{answer}");
        assert_eq!(answer.header("content-type"), None, "{answer}");
        assert_eq!(answer.header("idempotency-replayed"), replayed);
    }
}

/// Cookies are secrets, and no work is done twice.
#[test]
fn a_response_with_a_cookie_is_not_stored() {
    let service = started();
    let stored = || {
        let sql = "SELECT \"headers\" FROM \"idempotency_keys\" WHERE \"headers\" IS NOT NULL";
        let rows = service.block_on(service.app().db().rows(sql, []));
        rows.expect("rows").len()
    };
    for (key, body, second) in [("reads", "reads", 200), ("stores", "stores", 409)] {
        let client = keyed(&service, key);
        let first = sent(&client, "/api/cookies", body);
        assert_eq!(first.status, 200, "{first}");
        let cookies = first.headers.get_all(header::SET_COOKIE);
        assert_eq!(cookies.iter().count(), 2, "{first}");
        assert_eq!(sent(&client, "/api/cookies", body).status, second, "{body}");
    }
    assert_eq!((stored(), done(&service)), (0, 3));
}

#[test]
fn the_time_limit_of_a_route_counts_for_keyed_requests_too() {
    let shop = service(routes).state(Done::default());
    let mut config = config("");
    config.api.request_timeout = Duration::from_millis(50);
    let service = testing::Service::setup(shop).config(config).start();
    let client = keyed(&service, "slow");
    for _ in 0..2 {
        let answer = sent(&client, "/api/slow", "x");
        assert_eq!((answer.status, &*answer.body), (201, "1"), "{answer}");
    }
}
