//! Routers of axum below a path of the service.

use formwork::{
    axum::{
        Router,
        body::Bytes,
        extract::Path,
        routing::{get, post},
    },
    http::route::Route,
    prelude::*,
};

use super::{create_token, shop::service, start};

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
    for (ability, get, post) in [("files:read", 200, 403), ("things:*", 403, 403)] {
        let (token, _) = create_token(&service, &format!("{}@example.com", &ability[..5]), ability);
        let client = service.with_token(token);
        assert_eq!(client.get("/api/files/a").status, get, "{ability}");
        let counted = client.post("/api/files/count", json!({}));
        assert_eq!(counted.status, post, "{ability}");
    }
    let refused = all.get("/api/files/refuse");
    assert_eq!(refused.json["message"], "Not this one.", "{refused}");
    assert_eq!(service.with_token("1|x").get("/api/open/a").status, 401);
    assert_eq!(service.guest().get("/api/open/a").body, "a false");
    assert_eq!(service.guest().get("/api/open/a/b").status, 404);
    let plain = service.guest().header("Content-Type", "text/plain");
    let count = |body: &str| plain.send("POST", "/api/open/count", Some(body.to_owned()));
    assert_eq!(count("1234").body, "4");
    assert_eq!(count("12345").status, 413);
    let description = service.guest().get("/api/openapi.json");
    assert!(!description.body.contains("/api/files"));
}
