//! Before more people may read or write rows, the area asks, and nothing is live until yes.

use super::{
    Browser, Page, area,
    browser::{Fields, assert_redirect, between, unescaped},
};
use formwork::testing::Service;

/// Returns the sentences of a question.
fn sentences(page: &str) -> Vec<String> {
    let list = between(page, "<ul class=\"gains\">", "</ul>").unwrap_or_default();
    let items = list.split("<li>").skip(1);
    let texts = items.filter_map(|item| item.split("</li>").next());
    texts.map(unescaped).collect()
}

/// Returns the question that follows these changes of a resource's form.
#[track_caller]
fn question(browser: &Browser, id: &str, changes: Fields<'_>) -> String {
    let answer = browser.submit(&browser.edit(id), id, changes);
    assert_eq!(answer.status, 200, "{changes:?}: {answer}");
    answer.body.must_contain(["Nothing has been saved"]);
    answer.body
}

/// Returns the statuses of lists and dishes for guests and customers.
fn statuses(service: &Service) -> [u16; 3] {
    let notes = service.guest().get("/api/notes").status;
    let dish = service.customer().delete("/api/dishes/9").status;
    [notes, service.customer().get("/api/notes").status, dish]
}

#[test]
fn before_more_people_reach_rows_the_area_asks_in_plain_words() {
    let (service, browser) = area();
    assert_eq!(statuses(&service), [401, 200, 403]);
    let cases: &[(&str, Fields<'_>, &[&str])] = &[
        (
            "notes",
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
            "notes",
            &[("allow_destroy", "users")],
            &["Every administrator will be able to delete all notes."],
        ),
        (
            "dishes",
            &[("allow_destroy", "customer")],
            &["Every customer will be able to delete all dishes, whoever created them."],
        ),
        (
            "dishes",
            &[("allow_update", "users"), ("allow_store", "all")],
            &[
                "Anyone on the internet will be able to create dishes.",
                "Every customer will be able to change all dishes, whoever created them.",
            ],
        ),
        (
            "dishes",
            &[("allow_edit", "users")],
            &["Every customer will be able to read all dishes."],
        ),
    ];
    for (id, changes, expected) in cases {
        let page = question(&browser, id, changes);
        assert_eq!(sentences(&page), *expected, "{changes:?}");
        let statuses = statuses(&service);
        assert_eq!(statuses, [401, 200, 403], "nothing is live: {changes:?}");
    }
}

#[test]
fn settings_that_widen_no_access_are_saved_at_once() {
    let (_, browser) = area();
    let cases: [(&str, Fields<'_>); 5] = [
        ("notes", &[("name", "Remarks")]),
        ("notes", &[("on_index", ""), ("allow_show", "customer")]),
        (
            "dishes",
            &[("allow_index", "users"), ("allow_show", "guest")],
        ),
        ("dishes", &[("allow_create", "all")]),
        ("dishes", &[("on_destroy", ""), ("allow_destroy", "all")]),
    ];
    for (id, changes) in cases {
        let answer = browser.submit(&browser.edit(id), id, changes);
        assert_eq!(answer.status, 303, "{changes:?}: {answer}");
    }
}

#[test]
fn confirming_saves_the_settings_and_going_back_keeps_the_form() {
    let (service, browser) = area();
    let changes = [("allow_index", "all"), ("description", "Mine & \"yours\"")];
    let question = question(&browser, "notes", &changes);
    let back = browser.submit(&question, "notes", &[("back", "1")]);
    assert_eq!(back.status, 200, "{back}");
    let kept = ">Mine &#38; &#34;yours&#34;</textarea>";
    back.body.must_contain([kept]);
    assert_eq!(statuses(&service)[0], 401);
    // The form that came back asks again, and yes is yes.
    let again = browser.submit(&back.body, "notes", &[]);
    assert_eq!(sentences(&again.body).len(), 1, "{again}");
    let done = browser.submit(&again.body, "notes", &[]);
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(statuses(&service)[0], 200);
    browser.edit("notes").must_contain([kept]);
}

#[test]
fn only_the_question_that_was_shown_can_be_confirmed() {
    let (service, browser) = area();
    let question = question(&browser, "notes", &[("allow_show", "all")]);
    // A made-up answer, an empty one, and an answer with another form.
    for change in [
        ("confirmed", "1"),
        ("confirmed", ""),
        ("allow_destroy", "all"),
    ] {
        let answer = browser.submit(&question, "notes", &[change]);
        assert_eq!(answer.status, 200, "{change:?}: {answer}");
        assert!(!sentences(&answer.body).is_empty(), "{change:?}: {answer}");
    }
    let answer = browser.submit(&question, "notes", &[("csrf", "x")]);
    assert_eq!(answer.status, 403, "{answer}");
    assert_eq!(service.guest().get("/api/notes/1").status, 401);
    // If the settings have changed since, the response is a form with the conflict.
    browser.save("notes", &[("name", "Remarks")]);
    browser.conflict(&question, "notes", &[]);
    assert_eq!(service.guest().get("/api/notes/1").status, 401);
}

#[test]
fn restoring_defaults_that_widen_access_needs_the_same_confirmation() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    browser.save(&id, &[("allow_index", "admin")]);
    let question = format!("/resources/delete?ids={id}");
    let expected = "Anyone on the internet will be able to read all dishes.";
    assert_eq!(sentences(&browser.page(&question)), [expected]);
    let unread = [("ids", id.as_str()), ("confirmed", "1")];
    let answer = browser.post("/tokens", "/resources/delete", &unread);
    assert_redirect(&answer, &format!("/admin{question}"));
    assert_eq!(service.guest().get("/api/dishes").status, 401);
    browser.reset(&id);
    assert_eq!(service.guest().get("/api/dishes").status, 200);
}
