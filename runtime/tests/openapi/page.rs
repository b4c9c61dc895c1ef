//! `GET /api/docs`: the page that shows the description.

use axum::{body::Body, http::Request};
use formwork::{
    config::Config,
    testing::{Client, Service},
};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::{magazine, with};

/// A client that takes what a browser takes.
fn browser(service: &Service) -> Client<'_> {
    browsing(service.guest())
}

fn browsing(client: Client<'_>) -> Client<'_> {
    client.header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
}

/// The addresses a page refers to, as it writes them.
pub fn references(page: &str) -> Vec<String> {
    let parts = ["src=\"", "href=\""]
        .into_iter()
        .flat_map(|word| page.split(word).skip(1));
    let ended = parts.filter_map(|rest| rest.split('"').next());
    ended.map(str::to_owned).collect()
}

#[test]
fn the_page_loads_files_of_the_service_only() {
    for prefix in ["/api", "/v1/shop", ""] {
        let mut config = Config::default();
        config.api.prefix = prefix.to_owned();
        let service = with(config);
        let page = browser(&service).get(&format!("{prefix}/docs"));
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, Some("text/html; charset=utf-8"))
        );
        assert!(
            page.body.contains(&format!("data-prefix=\"{prefix}\"")),
            "{}",
            page.body
        );
        let mut files = 0;
        for place in references(&page.body) {
            if place == "data:," {
                continue;
            }
            assert!(
                !place.contains(':') && !place.starts_with('/'),
                "{place} leads elsewhere"
            );
            let file = browser(&service).get(&format!("{prefix}/{place}"));
            assert_eq!(file.status, 200, "{place}");
            files += 1;
        }
        assert_eq!(files, 5, "{}", page.body);
    }
}

#[test]
fn the_page_has_the_title_of_the_service() {
    let mut config = Config::default();
    config.api.title = "Fish & <Chips> {prefix}".to_owned();
    let page = with(config)
        .guest()
        .header("Accept", "text/html")
        .get("/api/docs");
    let title = "<title>Fish &amp; &lt;Chips&gt; {prefix}</title>";
    assert!(page.body.contains(title), "{}", page.body);
    // Swagger UI brings the main part itself.
    assert!(!page.body.contains("<main"), "{}", page.body);
}

/// Inside another application the page refers to its files by relative paths.
#[test]
fn the_page_works_below_another_path() {
    let service = magazine();
    let whole = axum::Router::new().nest_service("/bistro", service.app().router());
    let ask = |path: &str| {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let answer = service
            .block_on(whole.clone().oneshot(request))
            .expect("an answer");
        let (parts, body) = answer.into_parts();
        let body = service.block_on(body.collect()).expect("a body").to_bytes();
        (
            parts.status.as_u16(),
            String::from_utf8_lossy(&body).into_owned(),
        )
    };
    let (status, page) = ask("/bistro/api/docs");
    assert_eq!(status, 200);
    let places = references(&page)
        .into_iter()
        .filter(|place| place != "data:,");
    let places: Vec<String> = places.collect();
    assert_eq!(places.len(), 5, "{places:?}");
    for place in places {
        assert_eq!(ask(&format!("/bistro/api/{place}")).0, 200, "{place}");
    }
}

#[test]
fn the_content_security_policy_of_the_page_allows_no_inline_scripts() {
    let service = magazine();
    let page = browser(&service).get("/api/docs");
    let policy = page.header("content-security-policy").expect("a policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let inline = page
        .body
        .split("<script")
        .skip(1)
        .filter(|rest| !rest.starts_with(" src="));
    assert_eq!(inline.count(), 0, "{}", page.body);
    assert!(!page.body.contains(" style=") && !page.body.contains(" onload="));
    let data = service.guest().get("/api/people");
    let other = data.header("content-security-policy").expect("a policy");
    assert!(
        !other.contains("script-src"),
        "only the page has scripts: {other}"
    );
}

#[test]
fn its_files_never_change_and_travel_compressed() {
    let service = magazine();
    let page = browser(&service).get("/api/docs");
    let script = references(&page.body)
        .into_iter()
        .find(|it| it.ends_with("bundle.js"));
    let place = format!("/api/{}", script.expect("a script"));
    let file = browser(&service).get(&place);
    assert_eq!(file.header("content-encoding"), Some("gzip"));
    assert_eq!(file.header("vary"), Some("Accept-Encoding"));
    let media_type = Some("text/javascript; charset=utf-8");
    assert_eq!(file.header("content-type"), media_type);
    let cache = file.header("cache-control").expect("a rule");
    assert!(
        cache.contains("immutable") && cache.contains("public"),
        "{cache}"
    );
    let length = file.header("content-length").expect("a length");
    let length: usize = length.parse().expect("a number");
    assert!((100_000..600_000).contains(&length), "{length}");
    let asked = |coding| {
        browser(&service)
            .header("Accept-Encoding", coding)
            .get(&place)
    };
    assert_eq!(asked("gzip, br").status, 200);
    assert_eq!(asked("identity").status, 406);
    let (before, _) = place.rsplit_once('/').expect("a path");
    assert_eq!(
        browser(&service).get(&format!("{before}/other.js")).status,
        404
    );
    assert_eq!(browser(&service).get("/api/docs/old/init.js").status, 404);
}

#[test]
fn the_page_has_an_etag_and_takes_get_and_head_only() {
    let service = magazine();
    let page = browser(&service).get("/api/docs");
    let tag = page.header("etag").expect("a tag");
    let known = browser(&service)
        .header("If-None-Match", tag)
        .get("/api/docs");
    assert_eq!(known.status, 304);
    let head = browser(&service).send("HEAD", "/api/docs", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    let put = browser(&service).send("PUT", "/api/docs", None);
    assert_eq!((put.status, put.header("allow")), (405, Some("GET, HEAD")));
    assert_eq!(
        browsing(service.with_token("7|no")).get("/api/docs").status,
        401
    );
    assert_eq!(browsing(service.admin()).get("/api/docs").status, 200);
}
