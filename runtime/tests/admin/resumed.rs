//! After a session ended, the next sign-in leads back to the page, and no form is saved.

use formwork::testing::Answer;

use super::{Browser, Page, area, browser::assert_redirect, change};

/// Ends all sessions, as time does.
fn expire(browser: &Browser) {
    change(&browser.service, "DELETE FROM admin_sessions");
}

/// Fills the sign-in form of this page in, and sends it.
fn sign_in(browser: &Browser, page: &str, password: &str) -> Answer {
    let fields = [("login", "chef"), ("password", password)];
    browser.submit_to("/login", page, &fields)
}

/// Returns the page that a redirection within the area leads to.
fn followed(browser: &Browser, answer: &Answer) -> Answer {
    let location = answer.header("location").unwrap_or_default();
    let below = location.strip_prefix("/admin").expect("a page of the area");
    browser.get(below)
}

#[test]
fn signing_in_leads_to_the_requested_page() {
    let (_, browser) = area();
    for below in [
        "/resources/dishes/edit",
        "/resources/notes/docs",
        "/tokens?search=till&page=2",
        "/resources/delete?ids=1&ids=2",
    ] {
        expire(&browser);
        let first = browser.get(below);
        assert_eq!(first.status, 303, "{first}");
        let page = followed(&browser, &first);
        page.body.must_contain(["<h1>Sign in</h1>"]);
        let done = sign_in(&browser, &page.body, "formwork");
        let requested = format!("/admin{below}");
        assert_redirect(&done, &requested);
        // A person who is signed in already, in another tab, goes on at once.
        assert_redirect(&followed(&browser, &first), &requested);
    }
}

#[test]
fn a_list_of_rows_to_delete_survives_signing_in() {
    let (_, browser) = area();
    expire(&browser);
    let sent = browser.post_with("x", "/tokens/delete", &[("ids", "3"), ("ids", "2")]);
    let wrong = sign_in(&browser, &followed(&browser, &sent).body, "wrong");
    assert_eq!(wrong.status, 422, "{wrong}");
    let done = sign_in(&browser, &wrong.body, "formwork");
    assert_redirect(&done, "/admin/tokens/delete?ids=2&ids=3");
}

#[test]
fn settings_sent_after_the_session_ended_are_not_saved() {
    let (service, browser) = area();
    let opened = browser.edit("dishes");
    expire(&browser);
    let page = browser.submit(&opened, "dishes", &[("on_index", "")]);
    assert_eq!(page.status, 403, "{page}");
    page.body.must_contain(["Nothing has been saved"]);
    let done = sign_in(&browser, &page.body, "formwork");
    assert_redirect(&done, "/admin/resources/dishes/edit");
    assert_eq!(service.guest().get("/api/dishes").status, 200);
}

/// Signed in again in another tab: the form of the first has the token of the previous session.
#[test]
fn settings_with_the_token_of_another_session_are_not_saved() {
    let (_, browser) = area();
    let opened = browser.edit("dishes");
    expire(&browser);
    browser.sign_in("chef", "formwork");
    let page = browser.submit(&opened, "dishes", &[("name", "Meals")]);
    assert_eq!(page.status, 403, "{page}");
    page.body.must_contain(["The form is too old"]);
    browser.page("/resources").must_lack([">Meals</a>"]);
}
