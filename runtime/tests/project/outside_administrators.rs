//! Administrators that a proxy or an issuer signed in: they have the permissions that the project's code
//! grants.

use formwork::{
    Service,
    auth::{AccountKind, ProxyUser},
    http::route::Route,
    prelude::*,
    testing,
};

use super::{config, shop::service};

fn routes() -> Vec<Route> {
    let done = async |_: Context| Ok(Response::no_content());
    vec![
        Route::post("/refund", Allow::Admin, done).permission("shop.refund"),
        Route::post("/close", Allow::Admin, done),
    ]
}

/// A service behind a proxy that signs administrators in.
fn behind(proxy: ProxyUser) -> testing::Service {
    let shop = Service::authenticate(service(routes), proxy);
    let yaml = "api: { trusted_proxies: [127.0.0.1] }";
    let service = testing::Service::setup(shop).config(config(yaml)).start();
    service.account(AccountKind::Admin, "chef@example.com");
    service
}

/// The answers to three requests that need a permission.
fn statuses(client: &testing::Client<'_>) -> [u16; 3] {
    let post = |path| client.post(path, json!({})).status;
    [
        client.get("/api/things").status,
        post("/api/refund"),
        post("/api/close"),
    ]
}

#[test]
fn an_administrator_of_a_proxy_has_the_permissions_that_code_grants() {
    let proxy = || ProxyUser::new("x-forwarded-email").administrators();
    let of = |service: &testing::Service| {
        statuses(
            &service
                .guest()
                .header("X-Forwarded-Email", "chef@example.com"),
        )
    };
    assert_eq!(
        of(&behind(proxy())),
        [403, 403, 403],
        "though a super user here"
    );
    let stored = proxy().grant(|stored, _| stored);
    assert_eq!(of(&behind(stored)), [200, 204, 204]);
    let refunds = proxy().grant(|stored, head| {
        assert!(head.headers.contains_key("x-forwarded-email"));
        Account {
            permissions: vec!["shop.refund".to_owned()],
            ..stored.without_permissions()
        }
    });
    assert_eq!(of(&behind(refunds)), [403, 204, 403]);
}

#[test]
fn an_administrator_of_an_issuer_has_the_permissions_that_code_grants() {
    use super::issuer::{Issuer, issuer};

    fn started(tokens: formwork::auth::OidcTokens, issuer: &Issuer) -> [u16; 3] {
        let service = super::start(Service::authenticate(service(routes), tokens));
        service.account(AccountKind::Admin, "eva@example.com");
        statuses(&service.with_token(issuer.token(json!({ "scope": "*" }))))
    }
    let issuer = issuer();
    let tokens = || issuer.tokens().administrators();
    assert_eq!(started(tokens(), &issuer), [403, 403, 403]);
    assert_eq!(
        started(tokens().grant(|stored, _| stored), &issuer),
        [200, 204, 204]
    );
    let refunds = tokens().grant(|stored, claims| {
        assert_eq!(claims.subject(), "u-1");
        Account {
            permissions: vec!["shop.refund".to_owned()],
            ..stored.without_permissions()
        }
    });
    assert_eq!(started(refunds, &issuer), [403, 204, 403]);
}
