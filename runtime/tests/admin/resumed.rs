//! After a session ended, the next sign-in leads back: to the page, and to what was typed.

use formwork::testing::Answer;

use super::{
    Browser,
    browser::{filled, form},
    change, service, signed_in,
};

/// Ends all sessions, as time does.
fn expire(browser: &Browser<'_>) {
    change(browser.service, "DELETE FROM admin_sessions");
}

/// Fills the sign-in form of this page in, and sends it.
fn sign_in(browser: &Browser<'_>, page: &str, password: &str) -> Answer {
    let mut fields = filled(page);
    fields.retain(|(name, _)| name != "login" && name != "password");
    let mut fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    fields.extend([("login", "chef"), ("password", password)]);
    browser.send("POST", "/login", Some(form(&fields)), &[])
}

/// The page that a redirection within the area leads to.
fn followed(browser: &Browser<'_>, answer: &Answer) -> Answer {
    let location = answer.header("location").unwrap_or_default();
    let below = location.strip_prefix("/admin").expect("a page of the area");
    browser.get(below)
}

#[test]
fn signing_in_leads_to_the_requested_page() {
    let service = service();
    let browser = signed_in(&service);
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
        assert!(page.body.contains("<h1>Sign in</h1>"), "{page}");
        let wrong = sign_in(&browser, &page.body, "wrong");
        assert_eq!(wrong.status, 422, "{wrong}");
        let done = sign_in(&browser, &wrong.body, "formwork");
        let there = format!("/admin{below}");
        assert_eq!((done.status, done.header("location")), (303, Some(&*there)));
        // A person who is signed in already, in another tab, goes on at once.
        let again = followed(&browser, &first);
        assert_eq!(again.header("location"), Some(&*there), "{again}");
    }
}

#[test]
fn a_list_of_rows_to_delete_survives_signing_in() {
    let service = service();
    let browser = signed_in(&service);
    expire(&browser);
    let sent = browser.post_with("x", "/tokens/delete", &[("ids", "3"), ("ids", "2")]);
    let done = sign_in(&browser, &followed(&browser, &sent).body, "formwork");
    assert_eq!(
        done.header("location"),
        Some("/admin/tokens/delete?ids=2&ids=3")
    );
}

#[test]
fn form_input_survives_signing_in_again() {
    let service = service();
    let browser = signed_in(&service);
    let opened = browser.page("/resources/dishes/edit");
    expire(&browser);
    let typed = [
        ("name", "Meals & <more>"),
        ("on_index", ""),
        ("allow_show", "users"),
    ];
    let page = browser.submit(&opened, "dishes", &typed);
    assert_eq!(page.status, 403, "{page}");
    for part in ["Your input is kept", "Nothing has been saved"] {
        assert!(page.body.contains(part), "{page}");
    }
    let wrong = sign_in(&browser, &page.body, "wrong");
    assert_eq!(wrong.status, 422, "{wrong}");
    let form = sign_in(&browser, &wrong.body, "formwork");
    assert_eq!(form.status, 200, "{form}");
    for part in [
        "Your input is kept, and not saved yet",
        "value=\"Meals &#38; &#60;more&#62;\"",
        "action=\"/admin/resources/dishes/edit\"",
        "<option value=\"users\" selected>",
    ] {
        assert!(form.body.contains(part), "{part} in {form}");
    }
    let ticked = "name=\"on_index\" value=\"1\" checked";
    assert!(!form.body.contains(ticked), "{form}");
    assert_eq!(service.guest().get("/api/dishes").status, 200, "not saved");
    assert!(!form.body.contains("formwork\""), "no password: {form}");
    let done = browser.submit(&form.body, "dishes", &[]);
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(service.guest().get("/api/dishes").status, 405);
}

#[test]
fn settings_that_were_saved_meanwhile_are_shown_beside_it() {
    let service = service();
    let browser = signed_in(&service);
    let opened = browser.page("/resources/dishes/edit");
    assert_eq!(
        browser
            .save("dishes", &[("description", "Another's")])
            .status,
        303
    );
    expire(&browser);
    let page = browser.submit(&opened, "dishes", &[("name", "Meals")]);
    let form = sign_in(&browser, &page.body, "formwork");
    assert_eq!(form.status, 409, "{form}");
    for part in [
        "someone else has saved",
        "value=\"Meals\"",
        ">Another&#39;s</textarea>",
    ] {
        assert!(form.body.contains(part), "{part} in {form}");
    }
}

/// Signed in again in another tab: the form of the first has the token of the session before.
#[test]
fn a_form_with_the_token_of_another_session_is_kept_and_not_saved() {
    let service = service();
    let browser = signed_in(&service);
    let opened = browser.page("/resources/dishes/edit");
    expire(&browser);
    browser.sign_in("chef", "formwork");
    let form = browser.submit(&opened, "dishes", &[("name", "Meals")]);
    assert_eq!(form.status, 403, "{form}");
    for part in ["not saved yet", "value=\"Meals\""] {
        assert!(form.body.contains(part), "{part} in {form}");
    }
    assert!(!browser.page("/resources").contains(">Meals</a>"));
    assert_eq!(browser.submit(&form.body, "dishes", &[]).status, 303);
    assert!(browser.page("/resources").contains(">Meals</a>"));
}

#[test]
fn a_kept_form_is_refused_to_users_without_its_permission() {
    let service = service();
    let browser = signed_in(&service);
    let opened = browser.page("/resources/dishes/edit");
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
