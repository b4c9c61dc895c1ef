//! After a session ended, the next sign-in leads back: to the page, and to the typed input.

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
fn form_input_survives_signing_in_again() {
    let (service, browser) = area();
    let opened = browser.edit("dishes");
    expire(&browser);
    let typed = [
        ("name", "Meals & <more>"),
        ("on_index", ""),
        ("allow_show", "users"),
    ];
    let page = browser.submit(&opened, "dishes", &typed);
    assert_eq!(page.status, 403, "{page}");
    page.body
        .must_contain(["Your input is kept", "Nothing has been saved"]);
    let wrong = sign_in(&browser, &page.body, "wrong");
    assert_eq!(wrong.status, 422, "{wrong}");
    let form = sign_in(&browser, &wrong.body, "formwork");
    assert_eq!(form.status, 200, "{form}");
    form.body.must_contain([
        "Your input is kept, and not saved yet",
        "value=\"Meals &#38; &#60;more&#62;\"",
        "action=\"/admin/resources/dishes/edit\"",
        "<option value=\"users\" selected>",
    ]);
    // The box is unticked, and the password is on no page.
    form.body
        .must_lack(["name=\"on_index\" value=\"1\" checked", "formwork\""]);
    assert_eq!(service.guest().get("/api/dishes").status, 200, "not saved");
    let done = browser.submit(&form.body, "dishes", &[]);
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(service.guest().get("/api/dishes").status, 405);
}

#[test]
fn settings_that_were_saved_meanwhile_are_shown_beside_it() {
    let (_, browser) = area();
    let opened = browser.edit("dishes");
    browser.save("dishes", &[("description", "Another's")]);
    expire(&browser);
    let page = browser.submit(&opened, "dishes", &[("name", "Meals")]);
    let form = sign_in(&browser, &page.body, "formwork");
    assert_eq!(form.status, 409, "{form}");
    form.body
        .must_contain(["someone else has changed", "<bdi>Meals</bdi>"]);
    form.body.must_contain([">Another&#39;s</textarea>"]);
}

/// Signed in again in another tab: the form of the first has the token of the previous session.
#[test]
fn a_form_with_the_token_of_another_session_is_kept_and_not_saved() {
    let (_, browser) = area();
    let opened = browser.edit("dishes");
    expire(&browser);
    browser.sign_in("chef", "formwork");
    let form = browser.submit(&opened, "dishes", &[("name", "Meals")]);
    assert_eq!(form.status, 403, "{form}");
    form.body.must_contain(["not saved yet", "value=\"Meals\""]);
    browser.page("/resources").must_lack([">Meals</a>"]);
    assert_eq!(browser.submit(&form.body, "dishes", &[]).status, 303);
    browser.must_show("/resources", [">Meals</a>"]);
}

#[test]
fn a_kept_form_is_refused_to_users_without_its_permission() {
    let (service, browser) = area();
    let opened = browser.edit("dishes");
    expire(&browser);
    change(
        &service,
        "UPDATE admin_users SET super_user = FALSE, permissions = '[]'",
    );
    let page = browser.submit(&opened, "dishes", &[("name", "Meals")]);
    let done = sign_in(&browser, &page.body, "formwork");
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(followed(&browser, &done).status, 403);
}
