//! The keyboard focus of a page: on the field to correct, also without scripts.

use super::{Browser, service, signed_in};

/// The tags of a page that take the focus when it is opened.
fn focused(page: &str) -> Vec<String> {
    let tags = page.split('<').filter_map(|tag| tag.split('>').next());
    let taken = tags.filter(|tag| tag.ends_with(" autofocus") || tag.contains(" autofocus "));
    taken.map(str::to_owned).collect()
}

#[test]
fn a_refused_form_begins_at_its_first_faulty_field() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let opened = browser.page(&format!("/resources/{id}/edit"));
    assert_eq!(focused(&opened), Vec::<String>::new());
    let fault = [("name", ""), ("description", "x"), ("allow_show", "x")];
    for (changes, first) in [
        (&fault[..], "name"),
        (&fault[1..], "description"),
        (&fault[2..], "allow_show"),
        (
            &[("allow_destroy", "x"), ("allow_index", "x")],
            "allow_index",
        ),
    ] {
        let answer = browser.save(&id, changes);
        assert_eq!(answer.status, 422, "{answer}");
        let tags = focused(&answer.body);
        assert_eq!(tags.len(), 1, "{first}: {tags:?}");
        assert!(tags[0].contains(&format!(" id=\"{first}\"")), "{tags:?}");
    }
}

#[test]
fn after_a_conflict_the_focus_is_on_the_differences() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let opened = browser.page(&format!("/resources/{id}/edit"));
    assert_eq!(browser.save(&id, &[("name", "Meals")]).status, 303);
    for name in ["Food", "x"] {
        let answer = browser.save_on(&opened, &id, &[("name", name)]);
        assert_eq!(answer.status, 409, "{answer}");
        let tags = focused(&answer.body);
        assert_eq!(tags.len(), 1, "{tags:?}");
        assert!(tags[0].starts_with("div class=\"alert\""), "{tags:?}");
        assert!(tags[0].contains(" tabindex=\"-1\""), "{tags:?}");
    }
}

#[test]
fn the_login_form_focuses_the_field_to_be_typed() {
    let service = service();
    let browser = Browser::new(&service);
    for (login, field) in [("", "login"), ("nobody", "password")] {
        let answer = browser.try_sign_in(login, "wrong");
        assert_eq!(answer.status, 422, "{answer}");
        let tags = focused(&answer.body);
        assert_eq!(tags.len(), 1, "{tags:?}");
        assert!(tags[0].contains(&format!(" id=\"{field}\"")), "{tags:?}");
    }
}
