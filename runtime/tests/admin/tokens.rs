//! The screen of access tokens.

use formwork::auth::AccountKind;

use super::{change_with, service, signed_in};
use formwork::literal::datetime;

#[test]
fn tokens_are_listed_and_revoked() {
    let service = service();
    let browser = signed_in(&service);
    assert!(browser.page("/tokens").contains("There are no tokens."));
    let customer = service.account(AccountKind::Customer, "alice@example.com");
    let admin = service.account(AccountKind::Admin, "boss@example.com");
    let alice = service.token(AccountKind::Customer, customer, &["dishes:read", "notes:*"]);
    let boss = service.token(AccountKind::Admin, admin, &["*"]);
    change_with(
        &service,
        "UPDATE api_tokens SET name = '<script>alert(1)</script>', \
         created_at = ?, expires_at = ? WHERE account_kind = 'admin'",
        [
            datetime("2026-03-04T05:06:07Z").into(),
            datetime("2026-04-01T00:00:00Z").into(),
        ],
    );
    let page = browser.page("/tokens");
    for part in [
        "alice@example.com",
        "boss@example.com",
        ">Customer</td>",
        ">User</td>",
        "<code>dishes:read</code>",
        "&#60;script&#62;alert(1)&#60;/script&#62;",
        "2026-03-04 05:06\u{a0}UTC",
        "2026-04-01 00:00\u{a0}UTC",
        "expired",
        "never",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script>alert"), "{page}");
    let secret = alice.split_once('|').expect("a bar").1;
    assert!(!page.contains(secret) && !page.contains(&boss), "{page}");

    let found = browser.page("/tokens?search=ALICE");
    assert!(
        found.contains("alice@example.com") && !found.contains("boss@"),
        "{found}"
    );
    let found = browser.page("/tokens?search=script");
    assert!(
        found.contains("boss@example.com") && !found.contains("alice@"),
        "{found}"
    );
    assert!(
        browser
            .page("/tokens?search=_")
            .contains("No token has such a device or e-mail.")
    );

    // The question first, then the deed.
    let id = alice.split('|').next().expect("an id");
    let sure = browser.page(&format!("/tokens/delete?ids={id}"));
    assert!(
        sure.contains("<bdi>test</bdi> (Customer, <bdi>alice@example.com</bdi>)"),
        "{sure}"
    );
    assert_eq!(service.with_token(&alice).get("/api/dishes").status, 200);
    let done = browser.post(
        "/tokens",
        "/tokens/delete",
        &[("ids", id), ("confirmed", "1")],
    );
    assert_eq!(
        (done.status, done.header("location")),
        (303, Some("/admin/tokens?notice=revoked"))
    );
    assert_eq!(service.with_token(&alice).get("/api/dishes").status, 401);
    assert!(browser.page("/tokens?notice=revoked").contains("Revoked."));
    let none = browser.post(
        "/tokens",
        "/tokens/delete",
        &[("confirmed", "1"), ("ids", "x")],
    );
    assert_eq!(none.header("location"), Some("/admin/tokens?notice=none"));
}

#[test]
fn tokens_without_an_account_are_shown_too() {
    let service = service();
    let browser = signed_in(&service);
    service.token(AccountKind::Customer, 77, &["*"]);
    let page = browser.page("/tokens");
    assert!(page.contains("<em>gone</em>"), "{page}");
}

#[test]
fn many_are_revoked_at_once_and_pages_turned() {
    let service = service();
    let browser = signed_in(&service);
    let id = service.account(AccountKind::Customer, "alice@example.com");
    let tokens: Vec<String> = (0..25)
        .map(|_| service.token(AccountKind::Customer, id, &["*"]))
        .collect();
    let page = browser.page("/tokens");
    assert!(page.contains("Page 1 of 2, 25 in all"), "{page}");
    assert!(browser.page("/tokens?page=2").contains("Page 2 of 2"));
    let ids: Vec<String> = (1..=20).map(|id: i64| id.to_string()).collect();
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("ids", id.as_str())).collect();
    fields.push(("confirmed", "1"));
    assert_eq!(
        browser.post("/tokens", "/tokens/delete", &fields).status,
        303
    );
    assert!(browser.page("/tokens").contains("Page 1 of 1, 5 in all"));
    assert_eq!(
        service.with_token(&tokens[0]).get("/api/dishes").status,
        401
    );
    assert_eq!(
        service.with_token(&tokens[24]).get("/api/dishes").status,
        200
    );
}
