//! The path of the area, beside all other routes.

use formwork::{
    auth::AccountKind,
    http::route::Route,
    prelude::*,
    resource::action::Allow,
    testing::{Answer, Service},
};

use super::{Browser, config, extensions};

/// A route at the root, where `api.prefix` is empty.
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

/// Why a service does not start, if it does not.
fn refused(yaml: &str) -> Option<String> {
    let mut config = config(yaml);
    config.database.url = "sqlite::memory:".to_owned();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut all = extensions();
    all.push(Box::new(Desk));
    runtime.block_on(async {
        let started = formwork::service(all).start(config).await;
        started.err().map(|error| error.to_string())
    })
}

#[test]
fn paths_that_collide_are_refused_when_the_service_starts() {
    for yaml in [
        "admin: { path: / }",
        "admin: { path: /a//b }",
        "admin: { path: /../x }",
        "admin: { path: /api }",
        "admin: { path: /api/ }",
        "admin: { path: /api/admin }",
        "admin: { path: /health }",
        "admin: { path: /health/live }",
        "admin: { path: /health/x }",
        "{ admin: { path: /v1 }, api: { prefix: /v1/api } }",
        "{ admin: { path: /dishes }, api: { prefix: / } }",
        "{ admin: { path: /dishes/x }, api: { prefix: / } }",
        "{ admin: { path: /token }, api: { prefix: / } }",
        "{ admin: { path: /docs }, api: { prefix: / } }",
        "{ admin: { path: /desk }, api: { prefix: / } }",
    ] {
        let told = refused(yaml).unwrap_or_else(|| panic!("{yaml} starts"));
        assert!(told.starts_with("admin.path: "), "{yaml}: {told}");
    }
    for yaml in [
        "",
        "admin: { path: /apis }",
        "admin: { path: /healthy }",
        "admin: { path: /back/office/ }",
        "{ admin: { path: /tags }, api: { prefix: / } }",
        "{ admin: { path: /x }, api: { prefix: /api } }",
    ] {
        assert_eq!(refused(yaml), None, "{yaml}");
    }
}

#[test]
fn the_admin_area_is_served_at_the_configured_path() {
    for yaml in [
        "admin: { path: /back/office }",
        "{ admin: { path: /tools }, api: { prefix: / } }",
    ] {
        let service = Service::with_config(config(yaml), extensions());
        let browser = super::signed_in(&service);
        let base = super::base(&service);
        assert_eq!(
            browser.get("").header("location"),
            Some(&*format!("{base}/resources"))
        );
        assert_eq!(browser.get("/").status, 303);
        assert!(
            browser
                .page("/resources")
                .contains(&format!("{base}/tokens"))
        );
        let client = service.guest().header("Accept", "text/html");
        assert_eq!(client.get("/admin").status, 404);
        let prefix = &service.app().config().api.prefix;
        assert_eq!(service.guest().get(&format!("{prefix}/dishes")).status, 200);
        drop(Browser::new(&service));
    }
}

#[test]
fn below_the_path_of_a_proxy_everything_leads_there() {
    let yaml = "{ api: { base_url: 'http://bistro.example/shop/' }, admin: { path: /office } }";
    let service = Service::with_config(config(yaml), extensions());
    service.account(AccountKind::Admin, "chef@example.com");
    // The proxy's request, without its own path.
    let browser = Browser::new(&service);
    let location = |answer: &Answer| answer.header("location").map(str::to_owned);
    let login = Some("/shop/office/login".to_owned());
    assert_eq!(location(&browser.get("")), login);
    let cookie = " HttpOnly; SameSite=Strict; Path=/shop/office";
    let set = |answer: &Answer| answer.header("set-cookie").map(str::to_owned);
    let shown = set(&browser.get("/login")).expect("a cookie");
    let answer = browser.try_sign_in("chef", "formwork");
    let list = Some("/shop/office/resources".to_owned());
    assert_eq!(location(&answer), list, "{answer}");
    for line in [shown, set(&answer).expect("a cookie")] {
        assert_eq!(line.split_once(';').map(|it| it.1), Some(cookie));
    }
    let mut pages = vec![browser.page("/resources"), browser.page("/tokens")];
    pages.push(browser.page(&format!("/resources/{}/edit", browser.row("dishes"))));
    pages.push(Browser::new(&service).page("/login"));
    pages.push(browser.get("/nothing").body);
    for page in &pages {
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
    let service = super::service();
    let codes: Vec<&str> = service
        .app()
        .permissions()
        .iter()
        .map(|it| it.code)
        .collect();
    assert_eq!(codes, ["Ext.Api.Manage"]);
}
