//! The path of the area, alongside all other routes.

use formwork::{
    auth::AccountKind, http::route::Route, prelude::*, resource::action::Allow, testing::Answer,
};

use super::{
    Browser, browser::assert_redirect, config, configured, extensions, service, signed_in,
};

/// A route at the root, if `api.prefix` is empty.
struct Desk;

impl Extension for Desk {
    fn name(&self) -> &'static str {
        "desk"
    }

    fn routes(&self) -> Vec<Route> {
        vec![Route::get("/desk/bell", Allow::All, bell)]
    }
}

async fn bell(_ctx: Context) -> Result<Response> {
    Ok(Response::no_content())
}

/// Returns why a service does not start with this path and this prefix of the API.
fn start_error(path: &str, prefix: &str) -> Option<String> {
    let mut config = config(&format!(
        "{{ admin: {{ path: {path} }}, api: {{ prefix: {prefix} }} }}"
    ));
    config.database.url = "sqlite::memory:".to_owned();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut all = extensions();
    all.push(Box::new(Desk));
    let started = runtime.block_on(formwork::service(all).start(config));
    started.err().map(|error| error.to_string())
}

#[test]
fn paths_that_collide_are_refused_when_the_service_starts() {
    let paths = "/ /a//b /../x /api /api/ /api/admin /health /health/live /health/x";
    let at_api = paths.split(' ').map(|path| (path, "/api"));
    let at_root = ["/dishes", "/dishes/x", "/token", "/docs", "/desk"].map(|path| (path, "/"));
    for (path, prefix) in at_api.chain(at_root).chain([("/v1", "/v1/api")]) {
        let error = start_error(path, prefix);
        let error = error.unwrap_or_else(|| panic!("{path} beside {prefix} starts"));
        assert!(error.starts_with("admin.path: "), "{path}: {error}");
    }
    for (path, prefix) in [
        ("/apis", "/api"),
        ("/healthy", "/api"),
        ("/back/office/", "/api"),
        ("/tags", "/"),
        ("/x", "/api"),
    ] {
        assert_eq!(start_error(path, prefix), None, "{path} {prefix}");
    }
}

#[test]
fn the_admin_area_is_served_at_the_configured_path() {
    for (base, prefix) in [("/back/office", "/api"), ("/tools", "/")] {
        let yaml = format!("{{ admin: {{ path: {base} }}, api: {{ prefix: {prefix} }} }}");
        let service = configured(&yaml);
        let browser = signed_in(&service);
        assert_redirect(&browser.get(""), &format!("{base}/resources"));
        assert_eq!(browser.get("/").status, 303);
        browser.must_show("/resources", [format!("{base}/tokens")]);
        let client = service.guest().header("Accept", "text/html");
        assert_eq!(client.get("/admin").status, 404);
        let list = format!("{}/dishes", prefix.trim_end_matches('/'));
        assert_eq!(service.guest().get(&list).status, 200);
    }
}

#[test]
fn below_the_path_of_a_proxy_everything_leads_there() {
    let yaml = "{ api: { base_url: 'http://bistro.example/shop/' }, admin: { path: /office } }";
    let service = configured(yaml);
    // The proxy's request, without its own path.
    let browser = Browser::new(&service);
    assert_redirect(&browser.get(""), "/shop/office/login");
    let login = browser.get("/login");
    service.account(AccountKind::Admin, "chef@example.com");
    let done = browser.try_sign_in("chef", "formwork");
    assert_redirect(&done, "/shop/office/resources");
    let cookie = |answer: &Answer| answer.header("set-cookie").map(str::to_owned);
    for line in [cookie(&login), cookie(&done)] {
        let line = line.expect("a cookie");
        let attributes = "; HttpOnly; SameSite=Strict; Path=/shop/office";
        assert!(line.ends_with(attributes), "{line}");
    }
    let pages = [
        "/resources",
        "/tokens",
        "/resources/dishes/edit",
        "/nothing",
    ];
    let pages = pages.map(|below| browser.get(below).body);
    for page in pages.iter().chain([&login.body]) {
        let links = ["href", "src", "action"].map(|name| format!(" {name}=\""));
        let links = links.iter().flat_map(|name| page.split(name).skip(1));
        let links: Vec<&str> = links.filter_map(|it| it.split('"').next()).collect();
        assert!(links.len() > 3, "{page}");
        for link in links.iter().filter(|link| !link.starts_with('#')) {
            assert!(link.starts_with("/shop/office"), "{link} in {page}");
        }
        let style = links.iter().find(|link| link.ends_with(".css"));
        let style = style.and_then(|it| it.strip_prefix("/shop"));
        let client = service.guest().header("Accept", "text/css,*/*;q=0.1");
        assert_eq!(client.get(style.expect("a style")).status, 200);
    }
}

#[test]
fn the_runtime_s_permission_is_known() {
    let service = service();
    let permissions = service.app().permissions().iter();
    let codes: Vec<&str> = permissions.map(|permission| permission.code).collect();
    assert_eq!(codes, ["Ext.Api.Manage"]);
}
