//! Routes of an extension's own: the checks, the body, the answer; and the service inside another
//! application (docs/guide/custom-routes.md).

use std::marker::PhantomData;

use axum::{Router, body::Body, http::Request, routing::get};
use formwork::{
    auth::AccountKind, config::Config, http::route::Route, prelude::*, resource::action::Allow,
    testing::Service,
};
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::{
    MEDIA, alice_and_bob, create,
    house::{House, Letter, PlainController},
};

/// Letters can be sealed.
struct Seals;

impl Extension for Seals {
    fn name(&self) -> &'static str {
        "seals"
    }

    fn routes(&self) -> Vec<Route> {
        vec![
            Route::post("/letters/{id}/seal", Allow::Customer, seal).resource("letters"),
            Route::get("/letters/{id}/seal", Allow::Users, seen).abilities(&["letters:seal"]),
            Route::get("/echo/{word}/{other}", Allow::All, echo),
            Route::delete("/panic", Allow::Admin, panic),
        ]
    }
}

async fn seal(ctx: Context) -> Result<Response> {
    let key = ctx.path_key::<i64>("id")?;
    let letter = Letter::visible(&ctx)?.find(&ctx, key).await?;
    let mut letter: Letter = letter.ok_or_else(|| Error::record_not_found(key))?;
    let Some(with) = ctx.input().text("with") else {
        return Err(Error::validation("with", "The with field is required."));
    };
    letter.title = format!("{} ({with})", letter.title);
    letter.update(&ctx).await?;
    default::show(&PlainController::<Letter>(PhantomData), &ctx, key).await
}

async fn seen(_ctx: Context) -> Result<Response> {
    Ok(Response::no_content())
}

async fn echo(ctx: Context) -> Result<Response> {
    Response::json(&json!([
        ctx.path_value("word"),
        ctx.path_value("other"),
        ctx.path_value("x")
    ]))
}

async fn panic(_ctx: Context) -> Result<Response> {
    panic!("the wax is hot")
}

fn sealing() -> Service {
    let service = Service::start(vec![Box::new(House), Box::new(Seals)]);
    create(
        &service.customer(),
        "/api/letters",
        json!({"title": "Dear"}),
    );
    service
}

#[test]
fn a_route_answers_as_its_resource_does() {
    let service = sealing();
    let sealed = service
        .customer()
        .post("/api/letters/1/seal", json!({"with": "wax"}));
    assert_eq!(sealed.status, 200, "{sealed}");
    assert_eq!(sealed.json["data"]["title"], "Dear (wax)");
    assert!(sealed.header("x-request-id").is_some());
    let document = service
        .customer()
        .header("Accept", MEDIA[1])
        .post("/api/letters/1/seal", json!({"with": "glue"}));
    assert_eq!(document.json["data"]["type"], "letters", "{document}");
    let echoed = service.guest().get("/api/echo/a%20b/c%2Fd");
    assert_eq!(echoed.json, json!(["a b", "c/d", null]), "{echoed}");
}

#[test]
fn the_checks_come_in_their_order() {
    let service = sealing();
    let path = "/api/letters/1/seal";
    let body = json!({"with": "wax"});
    assert_eq!(service.guest().post(path, body.clone()).status, 401);
    assert_eq!(service.with_token("1|x").get("/api/echo/a/b").status, 401);
    assert_eq!(service.admin().post(path, body.clone()).status, 403);
    let (_, bob) = alice_and_bob(&service);
    assert_eq!(bob.post(path, body.clone()).status, 404, "not his");
    for id in ["0", "abc", "99", "-1"] {
        let path = format!("/api/letters/{id}/seal");
        assert_eq!(service.customer().post(&path, body.clone()).status, 404);
    }
    let missing = service.customer().post(path, json!({}));
    assert_eq!(missing.status, 422, "{missing}");
    assert!(missing.json["errors"]["with"].is_array(), "{missing}");
    let nothing = service.customer().send("POST", path, None);
    assert_eq!(nothing.status, 422, "no body has no members: {nothing}");
    let list = service.customer().send("POST", path, Some("[]".to_owned()));
    assert_eq!(list.status, 400, "{list}");
    let text = service.customer().header("Content-Type", "text/plain");
    assert_eq!(text.send("POST", path, Some("x".to_owned())).status, 415);
    let html = service.customer().header("Accept", "text/html");
    assert_eq!(html.post(path, body).status, 406);
}

#[test]
fn a_route_requires_its_abilities() {
    let service = sealing();
    let id = service.account(AccountKind::Customer, "a@example.com");
    for (ability, status) in [
        ("letters:seal", 204),
        ("letters:read", 403),
        ("letters.*", 204),
        ("rooms:*", 403),
    ] {
        let client = service.with_token(service.token(AccountKind::Customer, id, &[ability]));
        let answer = client.get("/api/letters/1/seal");
        assert_eq!(answer.status, status, "{answer}");
    }
}

#[test]
fn a_path_knows_its_methods() {
    let service = sealing();
    let put = service.admin().put("/api/letters/1/seal", json!({}));
    assert_eq!(put.status, 405, "{put}");
    assert_eq!(put.header("allow"), Some("POST, GET, HEAD"));
    for accept in MEDIA {
        let guest = service.guest().header("Accept", accept);
        for (method, path, allow) in [
            ("PATCH", "/api/letters/1/seal", "POST, GET, HEAD"),
            ("POST", "/api/echo/a/b", "GET, HEAD"),
            ("DELETE", "/api/echo/a/b", "GET, HEAD"),
            ("HEAD", "/api/panic", "DELETE"),
        ] {
            let answer = guest.send(method, path, None);
            assert_eq!(answer.status, 405, "{method} {path}: {answer}");
            assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
            assert_eq!(answer.header("content-type"), Some(accept));
        }
        for path in ["/api/echo/a/b", "/api/letters/1/seal"] {
            let (get, head) = (guest.get(path), guest.send("HEAD", path, None));
            assert_eq!(
                (head.status, head.body.as_str()),
                (get.status, ""),
                "{path}"
            );
            for name in "content-type content-length etag vary www-authenticate".split(' ') {
                assert_eq!(head.header(name), get.header(name), "{path}: {name}");
            }
            let length = get.header("content-length").map(str::to_owned);
            assert_eq!(length, Some(get.body.len().to_string()), "{path}");
        }
    }
    let broken = service.admin().delete("/api/panic");
    assert_eq!(broken.status, 500, "{broken}");
    assert!(!broken.body.contains("wax"), "{broken}");
}

#[test]
fn mistakes_of_routes_are_reported_when_the_service_starts() {
    struct Careless;
    impl Extension for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }
        fn routes(&self) -> Vec<Route> {
            vec![
                Route::get("/letters/{key}", Allow::All, echo),
                Route::get("letters", Allow::All, echo),
                Route::get("/a", Allow::All, echo).resource("nothing"),
            ]
        }
    }
    let extensions: Vec<Box<dyn Extension>> = vec![Box::new(House), Box::new(Careless)];
    let told = formwork::extension::registry(&extensions)
        .err()
        .expect("mistakes");
    assert_eq!(told.len(), 3, "{told:#?}");
}

/// `formwork::router` inside an application of one's own, merged and nested.
#[tokio::test]
async fn the_service_is_a_part_of_another() {
    let yaml = "database: { url: \"sqlite::memory:\", pool: { max: 1 } }\napi: { base_url: \"https://example.com/bistro\" }";
    let config = Config::from_sources(yaml, []).expect("configuration");
    let service = formwork::service(vec![Box::new(House)]);
    let app = service.start(config.clone()).await.expect("starts");
    formwork::data::migration::run(app.db(), app.migrations())
        .await
        .expect("migrates");
    let nested = Router::new()
        .route("/hello", get(async || "hello"))
        .nest_service("/bistro", app.router());
    for (path, status, part) in [
        ("/hello", 200, "hello"),
        (
            "/bistro/api/places",
            200,
            "https://example.com/bistro/api/places?page=1",
        ),
        ("/bistro/api/nothing", 404, "status_code"),
        ("/bistro/health/live", 200, ""),
        ("/api/places", 404, ""),
    ] {
        let (answered, body) = ask(nested.clone(), path).await;
        assert_eq!(answered, status, "{path}: {body}");
        assert!(body.contains(part), "{path}: {body}");
    }
    let service = formwork::router(config, vec![Box::new(House)])
        .await
        .expect("starts");
    let merged = Router::new()
        .route("/hello", get(async || "hello"))
        .merge(service);
    assert_eq!(ask(merged.clone(), "/hello").await.0, 200);
    assert_eq!(ask(merged, "/health/live").await.0, 200);
}

async fn ask(router: Router, path: &str) -> (u16, String) {
    let request = Request::get(path).body(Body::empty()).expect("a request");
    let answer = router.oneshot(request).await.expect("an answer");
    let status = answer.status().as_u16();
    let body = answer
        .into_body()
        .collect()
        .await
        .expect("a body")
        .to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}
