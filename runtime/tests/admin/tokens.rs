//! The screen of access tokens.

use formwork::{auth::AccountKind, literal::datetime};

use super::{
    Page, area,
    browser::assert_redirect,
    change_with,
    log::{listen, logged},
};

#[test]
fn tokens_are_listed_and_revoked() {
    listen();
    let (service, browser) = area();
    browser.must_show("/tokens", ["There are no tokens."]);
    let customer = service.account(AccountKind::Customer, "alice@example.com");
    let admin = service.account(AccountKind::Admin, "boss@example.com");
    let alice = service.token(AccountKind::Customer, customer, &["dishes:read", "notes:*"]);
    let boss = service.token(AccountKind::Admin, admin, &["*"]);
    let days = ["2026-03-04T05:06:07Z", "2026-04-01T00:00:00Z"];
    change_with(
        &service,
        "UPDATE api_tokens SET name = '<script>alert(1)</script>', \
         created_at = ?, expires_at = ? WHERE account_kind = 'admin'",
        days.map(|day| datetime(day).into()),
    );
    let page = browser.page("/tokens");
    page.must_contain([
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
    ]);
    let (id, secret) = alice.split_once('|').expect("a bar");
    page.must_lack(["<script>alert", secret, &boss]);

    let found = browser.page("/tokens?search=ALICE");
    found.must_contain(["alice@example.com"]);
    found.must_lack(["boss@"]);
    let found = browser.page("/tokens?search=script");
    found.must_contain(["boss@example.com"]);
    found.must_lack(["alice@"]);
    let none = browser.page("/tokens?search=_");
    none.must_contain(["No token has such a device or e-mail."]);

    // The confirmation page first, then the deletion.
    let question = browser.page(&format!("/tokens/delete?ids={id}"));
    question.must_contain(["<bdi>test</bdi> (Customer, <bdi>alice@example.com</bdi>)"]);
    let status = || service.with_token(&alice).get("/api/dishes").status;
    assert_eq!(status(), 200);
    let fields = [("ids", id), ("confirmed", "1")];
    let done = browser.post("/tokens", "/tokens/delete", &fields);
    assert_redirect(&done, "/admin/tokens?notice=revoked");
    logged().must_contain(["token revoked"]);
    assert_eq!(status(), 401);
    browser.must_show("/tokens?notice=revoked", ["Revoked."]);

    // An account may be deleted before its tokens.
    service.token(AccountKind::Customer, 77, &["*"]);
    browser.must_show("/tokens", ["<em>gone</em>"]);
}

#[test]
fn many_are_revoked_at_once_and_pages_turned() {
    let (service, browser) = area();
    let id = service.account(AccountKind::Customer, "alice@example.com");
    let token = |_| service.token(AccountKind::Customer, id, &["*"]);
    let tokens: Vec<String> = (0..25).map(token).collect();
    let page = browser.page("/tokens");
    page.must_contain(["Page 1 of 2, 25 in all"]);
    browser.must_show("/tokens?page=2", ["Page 2 of 2"]);
    let ids: Vec<String> = (1..=20).map(|id: i64| id.to_string()).collect();
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("ids", id.as_str())).collect();
    fields.push(("confirmed", "1"));
    let done = browser.post("/tokens", "/tokens/delete", &fields);
    assert_eq!(done.status, 303, "{done}");
    browser.must_show("/tokens", ["Page 1 of 1, 5 in all"]);
    let status = |token: &String| service.with_token(token).get("/api/dishes").status;
    assert_eq!([status(&tokens[0]), status(&tokens[24])], [401, 200]);
}
