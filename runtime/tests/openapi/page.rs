//! `GET /api/docs`: the page that shows the description.

use axum::{Router, body::Body, http::Request};
use formwork::testing::{Client, Service};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::{accepting, magazine, with};

/// Returns a client that accepts what a browser accepts.
fn browser(service: &Service) -> Client<'_> {
    browsing(&service.guest())
}

fn browsing<'s>(client: &Client<'s>) -> Client<'s> {
    accepting(client, "text/html,application/xhtml+xml,*/*;q=0.8")
}

/// Returns the addresses that a page refers to, as they are in its source.
pub fn references(page: &str) -> Vec<String> {
    let parts = ["src=\"", "href=\""].into_iter();
    let parts = parts.flat_map(|word| page.split(word).skip(1));
    let addresses = parts.filter_map(|rest| rest.split('"').next());
    let files = addresses.filter(|address| *address != "data:,");
    files.map(str::to_owned).collect()
}

#[test]
fn the_page_loads_files_of_the_service_only() {
    for prefix in ["/api", "/v1/shop", ""] {
        let service = with(|config| config.api.prefix = prefix.to_owned());
        let page = browser(&service).get(&format!("{prefix}/docs"));
        assert_eq!(page.status, 200, "{page}");
        assert_eq!(
            page.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        let data = format!("data-prefix=\"{prefix}\"");
        assert!(page.body.contains(&data), "{page}");
        let files = references(&page.body);
        assert_eq!(files.len(), 5, "{page}");
        for file in files {
            let is_relative = !file.contains(':') && !file.starts_with('/');
            assert!(is_relative, "{file} leads elsewhere");
            let answer = browser(&service).get(&format!("{prefix}/{file}"));
            assert_eq!(answer.status, 200, "{file}");
        }
    }
}

#[test]
fn the_page_has_the_title_of_the_service() {
    let service = with(|config| config.api.title = "Fish & <Chips> {prefix}".to_owned());
    let page = browser(&service).get("/api/docs");
    let title = "<title>Fish &amp; &lt;Chips&gt; {prefix}</title>";
    assert!(page.body.contains(title), "{page}");
    // Swagger UI brings the main part itself.
    assert!(!page.body.contains("<main"), "{page}");
}

/// Inside another application the page refers to its files by relative paths.
#[test]
fn the_page_works_below_another_path() {
    let service = magazine();
    let outer = Router::new().nest_service("/bistro", service.app().router());
    let get = |path: &str| {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let answer = service.block_on(outer.clone().oneshot(request));
        let answer = answer.expect("a response");
        assert_eq!(answer.status(), 200, "{path}");
        let body = service.block_on(answer.into_body().collect());
        String::from_utf8_lossy(&body.expect("a body").to_bytes()).into_owned()
    };
    let files = references(&get("/bistro/api/docs"));
    assert_eq!(files.len(), 5, "{files:?}");
    for file in files {
        get(&format!("/bistro/api/{file}"));
    }
}

const POLICY: &str = "content-security-policy";

#[test]
fn the_content_security_policy_of_the_page_allows_no_inline_scripts() {
    let service = magazine();
    let page = browser(&service).get("/api/docs");
    let policy = page.header(POLICY).expect("a policy");
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
    let mut scripts = page.body.split("<script").skip(1);
    assert!(scripts.all(|rest| rest.starts_with(" src=")), "{page}");
    assert!(!page.body.contains(" style=") && !page.body.contains(" onload="));
    // Only the page has scripts.
    let data = service.guest().get("/api/people");
    let other = data.header(POLICY).expect("a policy");
    assert!(!other.contains("script-src"), "{other}");
}

#[test]
fn its_files_never_change_and_travel_compressed() {
    let service = magazine();
    let page = browser(&service).get("/api/docs");
    let mut files = references(&page.body).into_iter();
    let script = files.find(|it| it.ends_with("bundle.js"));
    let path = format!("/api/{}", script.expect("a script"));
    let file = browser(&service).get(&path);
    for (name, value) in [
        ("content-encoding", "gzip"),
        ("vary", "Accept-Encoding"),
        ("content-type", "text/javascript; charset=utf-8"),
    ] {
        assert_eq!(file.header(name), Some(value), "{name}");
    }
    let cache = file.header("cache-control").expect("a rule");
    assert!(
        cache.contains("immutable") && cache.contains("public"),
        "{cache}"
    );
    let length = file.header("content-length").expect("a length");
    let length: usize = length.parse().expect("a number");
    assert!((100_000..600_000).contains(&length), "{length}");
    for (coding, status) in [("gzip, br", 200), ("identity", 406)] {
        let client = browser(&service).header("Accept-Encoding", coding);
        assert_eq!(client.get(&path).status, status, "{coding}");
    }
    let (folder, _) = path.rsplit_once('/').expect("a path");
    for missing in [&format!("{folder}/other.js"), "/api/docs/old/init.js"] {
        assert_eq!(browser(&service).get(missing).status, 404, "{missing}");
    }
}

#[test]
fn the_page_has_an_etag_and_takes_get_and_head_only() {
    let service = magazine();
    let page = browser(&service).get("/api/docs");
    let tag = page.header("etag").expect("a tag");
    let cached = browser(&service).header("If-None-Match", tag);
    assert_eq!(cached.get("/api/docs").status, 304);
    let head = browser(&service).send("HEAD", "/api/docs", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    let put = browser(&service).send("PUT", "/api/docs", None);
    assert_eq!((put.status, put.header("allow")), (405, Some("GET, HEAD")));
    for (client, status) in [(service.with_token("7|no"), 401), (service.admin(), 200)] {
        assert_eq!(browsing(&client).get("/api/docs").status, status);
    }
}
