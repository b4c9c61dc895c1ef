//! The confirmation before a deletion: a page by GET, so that *Back* leads to it.

use formwork::auth::AccountKind;

use super::{
    Page, area,
    browser::{assert_redirect, csrf},
};

#[test]
fn a_deletion_shows_a_confirmation_page_that_changes_nothing() {
    let (service, browser) = area();
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    let token = service.token(AccountKind::Customer, alice, &["*"]);
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", "")]);
    for (page, action) in [
        ("/resources", "/admin/resources/delete"),
        ("/resources/dishes/edit", "/admin/resources/delete"),
        ("/tokens", "/admin/tokens/delete"),
    ] {
        let page = browser.page(page);
        let mut forms = page.split("<form ").skip(1);
        let form = forms.find(|form| form.contains(&format!("action=\"{action}\"")));
        let form = form.unwrap_or_else(|| panic!("{action} in {page}"));
        let form = form.split("</form>").next().unwrap_or_default();
        form.must_contain(["method=\"get\""]);
        // Searches are part of addresses, which others may see.
        form.must_lack([csrf(&page)]);
    }
    for (below, what) in [
        ("/tokens/delete?ids=1", "alice@example.com"),
        (&format!("/resources/delete?ids={id}"), "(dishes)"),
    ] {
        for _ in 0..2 {
            browser.must_show(below, [what]);
        }
        assert_eq!(browser.send("HEAD", below, None, &[]).status, 200);
        let page = browser.page(&format!("{below}&confirmed=1"));
        page.must_contain([what]);
    }
    assert_eq!(service.guest().get("/api/dishes").status, 405);
    assert_eq!(service.with_token(&token).get("/api/dishes/1").status, 404);
}

#[test]
fn a_confirmation_sent_twice_says_that_the_deletion_is_done() {
    let (service, browser) = area();
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["*"]);
    let id = browser.row("dishes");
    for (list, ids) in [("/tokens", "1"), ("/resources", id.as_str())] {
        let delete = format!("{list}/delete");
        let question = format!("{delete}?ids={ids}");
        let fields = [("ids", ids), ("confirmed", "1")];
        let token = csrf(&browser.page(&question));
        assert_eq!(browser.post_with(&token, &delete, &fields).status, 303);
        let gone = format!("/admin{list}?notice=gone");
        assert_redirect(&browser.get(&question), &gone);
        assert_redirect(&browser.post_with(&token, &delete, &fields), &gone);
        let page = browser.page(&format!("{list}?notice=gone"));
        page.must_contain(["The selected rows no longer exist."]);
        let none = format!("/admin{list}?notice=none");
        assert_redirect(&browser.get(&delete), &none);
        let page = browser.post_with(&token, &delete, &[("confirmed", "1"), ("ids", "x")]);
        assert_redirect(&page, &none);
    }
}

#[test]
fn an_unconfirmed_deletion_is_confirmed_first() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", "")]);
    let fields = [("ids", id.as_str()), ("ids", "77")];
    let sent = browser.post("/resources", "/resources/delete", &fields);
    let mut ids = [id.parse().expect("a key"), 77];
    ids.sort_unstable();
    let question = format!("/resources/delete?ids={}&ids={}", ids[0], ids[1]);
    assert_redirect(&sent, &format!("/admin{question}"));
    browser.must_show(&question, ["(dishes)"]);
    assert_eq!(service.guest().get("/api/dishes").status, 405);
}
