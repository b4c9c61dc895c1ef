//! The confirmation before a deletion: a page by GET, so that *Back* leads to it.

use formwork::auth::AccountKind;

use super::{browser::csrf, service, signed_in};

/// The form of a page that leads there.
fn form<'p>(page: &'p str, action: &str) -> &'p str {
    let mut forms = page.split("<form ").skip(1);
    let form = forms.find(|form| form.contains(&format!("action=\"{action}\"")));
    let form = form.unwrap_or_else(|| panic!("{action} in {page}"));
    form.split("</form>").next().unwrap_or_default()
}

#[test]
fn a_deletion_shows_a_confirmation_page_that_changes_nothing() {
    let service = service();
    let browser = signed_in(&service);
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    let token = service.token(AccountKind::Customer, alice, &["*"]);
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", "")]);
    for (page, action) in [
        ("/resources", "/admin/resources/delete"),
        (&format!("/resources/{id}/edit"), "/admin/resources/delete"),
        ("/tokens", "/admin/tokens/delete"),
    ] {
        let page = browser.page(page);
        let form = form(&page, action);
        assert!(form.contains("method=\"get\""), "{form}");
        // Searches are part of addresses, which others may see.
        assert!(!form.contains(&csrf(&page)), "{form}");
    }
    for (below, what) in [
        ("/tokens/delete?ids=1", "alice@example.com"),
        (&format!("/resources/delete?ids={id}"), "(dishes)"),
    ] {
        for _ in 0..2 {
            let sure = browser.page(below);
            assert!(sure.contains(what), "{sure}");
        }
        assert_eq!(browser.send("HEAD", below, None, &[]).status, 200);
        let listed = browser.page(&format!("{below}&confirmed=1"));
        assert!(listed.contains(what), "{listed}");
    }
    assert_eq!(service.guest().get("/api/dishes").status, 405);
    assert_eq!(service.with_token(&token).get("/api/dishes/1").status, 404);
}

#[test]
fn a_confirmation_sent_twice_says_that_the_deletion_is_done() {
    let service = service();
    let browser = signed_in(&service);
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["*"]);
    let id = browser.row("dishes");
    for (list, ids) in [("/tokens", "1"), ("/resources", id.as_str())] {
        let question = format!("{list}/delete?ids={ids}");
        let delete = format!("{list}/delete");
        let fields = [("ids", ids), ("confirmed", "1")];
        let token = csrf(&browser.page(&question));
        assert_eq!(browser.post_with(&token, &delete, &fields).status, 303);
        let gone = format!("/admin{list}?notice=gone");
        for again in [
            browser.get(&question),
            browser.post_with(&token, &delete, &fields),
        ] {
            assert_eq!(
                (again.status, again.header("location")),
                (303, Some(&*gone))
            );
        }
        let told = browser.page(&format!("{list}?notice=gone"));
        assert!(told.contains("The selected rows no longer exist."));
        let none = browser.get(&delete);
        let none = none.header("location").map(str::to_owned);
        assert_eq!(none, Some(format!("/admin{list}?notice=none")));
    }
}

#[test]
fn an_unconfirmed_deletion_is_confirmed_first() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", "")]);
    let fields = [("ids", id.as_str()), ("ids", "77")];
    let sent = browser.post("/resources", "/resources/delete", &fields);
    let mut ids = [id.parse().expect("a key"), 77];
    ids.sort_unstable();
    let question = format!("/resources/delete?ids={}&ids={}", ids[0], ids[1]);
    let location = format!("/admin{question}");
    assert_eq!(
        (sent.status, sent.header("location")),
        (303, Some(&*location))
    );
    assert!(browser.page(&question).contains("(dishes)"));
    assert_eq!(service.guest().get("/api/dishes").status, 405);
}
