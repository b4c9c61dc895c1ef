//! The keyboard focus of a page: on the field to correct, also without scripts.

use super::{Browser, area, service};

/// Returns the tag of a page that takes the focus when it is opened.
fn focused(page: &str) -> Option<&str> {
    let tags = page.split('<').filter_map(|tag| tag.split('>').next());
    let mut tags = tags.filter(|tag| tag.ends_with(" autofocus") || tag.contains(" autofocus "));
    let tag = tags.next();
    assert_eq!(tags.next(), None, "two take the focus");
    tag
}

/// Asserts that a page focuses the field of this name.
#[track_caller]
fn assert_focus(page: &str, field: &str) {
    let tag = focused(page).expect("a tag with the focus");
    assert!(tag.contains(&format!(" id=\"{field}\"")), "{field}: {tag}");
}

#[test]
fn a_refused_form_begins_at_its_first_faulty_field() {
    let (_, browser) = area();
    let opened = browser.edit("dishes");
    assert_eq!(focused(&opened), None);
    let invalid = [("name", ""), ("description", "x"), ("allow_show", "x")];
    for (changes, first) in [
        (&invalid[..], "name"),
        (&invalid[1..], "description"),
        (&invalid[2..], "allow_show"),
        (
            &[("allow_destroy", "x"), ("allow_index", "x")],
            "allow_index",
        ),
    ] {
        let answer = browser.submit(&opened, "dishes", changes);
        assert_eq!(answer.status, 422, "{answer}");
        assert_focus(&answer.body, first);
    }
}

#[test]
fn after_a_conflict_the_focus_is_on_the_differences() {
    let (_, browser) = area();
    let opened = browser.edit("dishes");
    browser.save("dishes", &[("name", "Meals")]);
    for name in ["Food", "x"] {
        let page = browser.conflict(&opened, "dishes", &[("name", name)]);
        let tag = focused(&page).expect("a tag with the focus");
        let is_alert = tag.starts_with("div class=\"alert\"");
        assert!(is_alert && tag.contains(" tabindex=\"-1\""), "{tag}");
    }
}

#[test]
fn the_login_form_focuses_the_field_to_be_typed() {
    let service = service();
    let browser = Browser::new(&service);
    for (login, field) in [("", "login"), ("nobody", "password")] {
        let answer = browser.try_sign_in(login, "wrong");
        assert_eq!(answer.status, 422, "{answer}");
        assert_focus(&answer.body, field);
    }
}
