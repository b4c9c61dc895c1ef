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
        response::{IntoResponse, Response as Answer},
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
