//! Before more people may read or write rows, the area asks, and nothing is live until yes.

use super::{Browser, browser::unescaped, service, signed_in};
use formwork::testing::Service;

/// The sentences of a question.
fn sentences(page: &str) -> Vec<String> {
    let list = page
        .split("<ul class=\"gains\">")
        .nth(1)
        .unwrap_or_default();
    let list = list.split("</ul>").next().unwrap_or_default();
    let items = list.split("<li>").skip(1);
    items
        .map(|item| unescaped(item.split("</li>").next().unwrap_or_default()))
        .collect()
}

/// The question that follows these changes of a resource's form.
fn asked(browser: &Browser<'_>, id: &str, changes: &[(&str, &str)]) -> String {
    let opened = browser.page(&format!("/resources/{id}/edit"));
    let answer = browser.submit(&opened, id, changes);
    assert_eq!(answer.status, 200, "{changes:?}: {answer}");
    assert!(answer.body.contains("Nothing has been saved"), "{answer}");
    answer.body
}

/// How lists and dishes are answered to guests and customers.
fn statuses(service: &Service) -> [u16; 3] {
    let notes = service.guest().get("/api/notes").status;
    let dish = service.customer().delete("/api/dishes/9").status;
    [notes, service.customer().get("/api/notes").status, dish]
}

#[test]
fn before_more_people_reach_rows_the_area_asks_in_plain_words() {
    let service = service();
    let browser = signed_in(&service);
    let (notes, dishes) = (browser.row("notes"), browser.row("dishes"));
    let before = statuses(&service);
    assert_eq!(before, [401, 200, 403]);
    for (id, changes, expected) in [
        (
            &notes,
            &[("allow_index", "all")][..],
            &["Anyone on the internet will be able to read every customer's notes."][..],
        ),
        (
            &notes,
            &[
                ("allow_index", "all"),
                ("allow_show", "guest"),
                ("allow_destroy", "all"),
            ],
            &[
                "Anyone on the internet will be able to read every customer's notes.",
                "Anyone on the internet will be able to delete every customer's notes.",
            ],
        ),
        (
            &notes,
            &[("allow_destroy", "users")],
            &["Every administrator will be able to delete all notes."],
        ),
        (
            &dishes,
            &[("allow_destroy", "customer")],
            &["Every customer will be able to delete all dishes, whoever created them."],
        ),
        (
            &dishes,
            &[("allow_update", "users"), ("allow_store", "all")],
            &[
                "Anyone on the internet will be able to create dishes.",
                "Every customer will be able to change all dishes, whoever created them.",
            ],
        ),
        (
            &dishes,
            &[("allow_edit", "users")],
            &["Every customer will be able to read all dishes."],
        ),
    ] {
        let page = asked(&browser, id, changes);
        assert_eq!(sentences(&page), expected, "{changes:?}");
        assert_eq!(statuses(&service), before, "nothing is live: {changes:?}");
    }
}

#[test]
fn settings_that_widen_no_access_are_saved_at_once() {
    let service = service();
    let browser = signed_in(&service);
    let (notes, dishes) = (browser.row("notes"), browser.row("dishes"));
    for (id, changes) in [
        (&notes, &[("name", "Remarks")][..]),
        (&notes, &[("on_index", ""), ("allow_show", "customer")]),
        (
            &dishes,
            &[("allow_index", "users"), ("allow_show", "guest")],
        ),
        (&dishes, &[("allow_create", "all")]),
        (&dishes, &[("on_destroy", ""), ("allow_destroy", "all")]),
    ] {
        let opened = browser.page(&format!("/resources/{id}/edit"));
        let answer = browser.submit(&opened, id, changes);
        assert_eq!(answer.status, 303, "{changes:?}: {answer}");
    }
}

#[test]
fn confirming_saves_the_settings_and_going_back_keeps_the_form() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("notes");
    let changes = [("allow_index", "all"), ("description", "Mine & \"yours\"")];
    let question = asked(&browser, &id, &changes);
    let back = browser.submit(&question, &id, &[("back", "1")]);
    assert_eq!(back.status, 200, "{back}");
    assert!(
        back.body.contains(">Mine &#38; &#34;yours&#34;</textarea>"),
        "{back}"
    );
    assert_eq!(statuses(&service)[0], 401);
    // The form that came back asks again, and yes is yes.
    let again = browser.submit(&back.body, &id, &[]);
    assert_eq!(sentences(&again.body).len(), 1, "{again}");
    let done = browser.submit(&again.body, &id, &[]);
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(statuses(&service)[0], 200);
    let page = browser.page(&format!("/resources/{id}/edit"));
    assert!(
        page.contains(">Mine &#38; &#34;yours&#34;</textarea>"),
        "{page}"
    );
}

#[test]
fn only_the_question_that_was_shown_can_be_confirmed() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("notes");
    let question = asked(&browser, &id, &[("allow_show", "all")]);
    // An answer of one's own, to another question, with another form, without the token.
    for changes in [
        &[("confirmed", "1")][..],
        &[("confirmed", "")],
        &[("allow_destroy", "all")],
    ] {
        let answer = browser.submit(&question, &id, changes);
        assert_eq!(answer.status, 200, "{changes:?}: {answer}");
        assert!(!sentences(&answer.body).is_empty(), "{changes:?}: {answer}");
    }
    let answer = browser.submit(&question, &id, &[("csrf", "x")]);
    assert_eq!(answer.status, 403, "{answer}");
    assert_eq!(service.guest().get("/api/notes/1").status, 401);
    // If the settings are others by now, the answer is a form that says so.
    let other = [("name", "Remarks")];
    assert_eq!(browser.save(&id, &other).status, 303);
    assert_eq!(browser.submit(&question, &id, &[]).status, 409);
    assert_eq!(service.guest().get("/api/notes/1").status, 401);
}

#[test]
fn restoring_defaults_that_widen_access_needs_the_same_confirmation() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    assert_eq!(browser.save(&id, &[("allow_index", "admin")]).status, 303);
    let question = browser.page(&format!("/resources/delete?ids={id}"));
    let expected = "Anyone on the internet will be able to read all dishes.";
    assert_eq!(sentences(&question), [expected]);
    let unread = [("ids", id.as_str()), ("confirmed", "1")];
    let answer = browser.post("/tokens", "/resources/delete", &unread);
    let location = format!("/admin/resources/delete?ids={id}");
    assert_eq!(
        answer.header("location"),
        Some(location.as_str()),
        "{answer}"
    );
    assert_eq!(service.guest().get("/api/dishes").status, 401);
    assert_eq!(browser.reset(&id).status, 303);
    assert_eq!(service.guest().get("/api/dishes").status, 200);
}
