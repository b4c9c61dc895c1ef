//! Routers of axum below a path of the service.

use formwork::{
    auth::AccountKind,
    axum::{
        Router,
        body::Bytes,
        extract::Path,
        routing::{get, post},
    },
    http::route::Route,
    prelude::*,
};

use super::{shop::service, start};

fn routes() -> Vec<Route> {
    let files = Router::new()
        .route("/", get(async || "all"))
        .route(
            "/{name}",
            get(async |ctx: Context, Path(name): Path<String>| {
                format!("{name} {:?}", ctx.customer_id().is_some())
            }),
        )
        .route("/count", post(async |body: Bytes| body.len().to_string()))
        .route("/refuse", get(async || Error::forbidden("Not this one.")));
    vec![
        Route::nest("/files", Allow::Users, files.clone()).abilities(&["files:*"]),
        Route::nest("/open", Allow::All, files).body_limit(4),
    ]
}

#[test]
fn a_nested_router_has_the_checks_of_its_route() {
    let service = start(service(routes));
    assert_eq!(service.guest().get("/api/files/a").status, 401);
    let all = service.customer();
    assert_eq!(all.get("/api/files/a").body, "a true");
    assert_eq!(all.get("/api/files").body, "all");
    let id = service.account(AccountKind::Customer, "reader@example.com");
    let client =
        |ability: &str| service.with_token(service.token(AccountKind::Customer, id, &[ability]));
    assert_eq!(client("files:read").get("/api/files/a").status, 200);
    assert_eq!(
        client("files:read")
            .post("/api/files/count", json!({}))
            .status,
        403
    );
    assert_eq!(client("things:*").get("/api/files/a").status, 403);
    let refused = all.get("/api/files/refuse");
    assert_eq!(refused.json["message"], "Not this one.", "{refused}");
    assert_eq!(service.with_token("1|x").get("/api/open/a").status, 401);
    assert_eq!(service.guest().get("/api/open/a").body, "a false");
    assert_eq!(service.guest().get("/api/open/a/b").status, 404);
    let plain = service.guest().header("Content-Type", "text/plain");
    assert_eq!(
        plain
            .send("POST", "/api/open/count", Some("1234".into()))
            .body,
        "4"
    );
    assert_eq!(
        plain
            .send("POST", "/api/open/count", Some("12345".into()))
            .status,
        413
    );
    let description = service.guest().get("/api/openapi.json");
    assert!(
        !description.body.contains("/api/files"),
        "it is not described"
    );
}
