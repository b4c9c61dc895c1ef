//! Texts of users stay in their place, whatever their length and direction.

use formwork::auth::AccountKind;

use super::{Browser, change, service, signed_in};

/// Reverses the following text, unless isolated (U+202E).
const TURNED: &str = "Soup \u{202e}puos";

#[test]
fn bidi_controls_of_a_text_reach_no_other_text() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    assert_eq!(browser.save(&id, &[("name", TURNED)]).status, 303);
    let alone = format!("<bdi>{TURNED}</bdi>");
    let list = browser.page("/resources");
    assert!(list.contains(&format!(">{TURNED}</a></bdi>")), "{list}");
    for tab in ["", "/edit", "/docs"] {
        let page = browser.page(&format!("/resources/{id}{tab}"));
        assert!(page.contains(&format!("<h1>{alone} <code>")), "{page}");
    }
    let sure = browser.page(&format!("/resources/delete?ids={id}"));
    assert!(sure.contains(&format!("<li>{alone} (dishes)</li>")));

    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["notes:*", "dishes:*"]);
    change(
        &service,
        "UPDATE api_tokens SET name = 'Soup \u{202e}puos', \
         abilities = '[\"notes:\u{202e}x\",\"dishes:*\"]'",
    );
    let list = browser.page("/tokens");
    assert!(list.contains(&format!("<th scope=\"row\">{alone}</th>")));
    let first = "<bdi><code>notes:\u{202e}x</code></bdi>";
    assert!(list.contains(first), "{list}");
    let sure = browser.page("/tokens/delete?ids=1");
    let whose = "(Customer, <bdi>alice@example.com</bdi>)";
    assert!(sure.contains(&format!("<li>{alone} {whose}</li>")));
}

/// Titles and labels cannot isolate a text: there it stands without what turns it.
#[test]
fn every_user_text_is_isolated_or_without_bidi_controls() {
    let service = service();
    let browser = signed_in(&service);
    change(
        &service,
        "UPDATE admin_users SET name = 'Chef \u{202e}fehc'",
    );
    let names = [("name", TURNED), ("description", TURNED)];
    assert_eq!(browser.save("dishes", &names).status, 303);
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["notes:*"]);
    for sql in [
        "UPDATE api_tokens SET name = 'Soup \u{202e}puos'",
        "UPDATE api_customers SET email = '\u{202e}' || email",
    ] {
        change(&service, sql);
    }
    let opened = browser.page("/resources/dishes/edit");
    let other = [("name", "Soup \u{2067}puos"), ("description", "Other")];
    let pages = [
        browser.page("/resources"),
        browser.page("/resources/dishes"),
        browser.page("/resources/dishes/docs"),
        browser.page("/resources/delete?ids=1&ids=2"),
        browser.page("/tokens"),
        browser.page("/tokens/delete?ids=1"),
        browser
            .submit(&opened, "dishes", &[("allow_store", "all")])
            .body,
        {
            assert_eq!(browser.save("dishes", &[("name", "Meals")]).status, 303);
            browser.submit(&opened, "dishes", &other).body
        },
    ];
    for page in pages {
        let mut turning = 0;
        for (at, letter) in page.match_indices(['\u{202e}', '\u{2067}']) {
            turning += 1;
            let before = &page[..at];
            let inside = |open: &str, close: &str| {
                let opened = before.rfind(open);
                opened.is_some_and(|begin| !before[begin..].contains(close))
            };
            // The value of a field is a text of its own.
            let is_value = inside(" value=\"", "\" ") || inside(" value=\"", "\">");
            let alone = inside("<bdi>", "</bdi>") || inside("<textarea", "</textarea>");
            let line = before.rsplit('\n').next().unwrap_or_default();
            assert!(alone || is_value, "{letter:?} after {line:?}");
        }
        assert!(turning > 0, "{page}");
    }
}

/// The table of tokens fits a window of 1280 pixels: its columns are as wide as their words.
#[test]
fn words_and_days_do_not_break_and_moments_do() {
    let service = service();
    let browser = signed_in(&service);
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["*"]);
    let list = browser.page("/tokens");
    assert!(list.contains("<td class=\"kind\" data-label=\"Type\">Customer</td>"));
    let created = list.split("data-label=\"Created\">").nth(1);
    let created = created.and_then(|rest| rest.split("</td>").next());
    let (day, time) = created.and_then(|it| it.split_once(' ')).expect("a moment");
    assert!(
        day.len() == 10 && time.ends_with("\u{a0}UTC"),
        "{created:?}"
    );
    assert!(rule(&browser, ".scroll .kind").contains("white-space: nowrap"));
    let both = rule(&browser, ".scroll .kind, .scroll .when");
    assert!(both.contains("overflow-wrap: normal"), "{both}");
    assert!(!rule(&browser, ".when").contains("nowrap"));
}

/// The style's rule for this selector, outside any `@media`.
fn rule(browser: &Browser<'_>, selector: &str) -> String {
    let style = asset(browser, ".css");
    let rule = style.split(&format!("\n{selector} {{")).nth(1);
    let rule = rule.unwrap_or_else(|| panic!("{selector} in {style}"));
    rule.split('}').next().unwrap_or_default().to_owned()
}

/// The file of the pages that ends so.
fn asset(browser: &Browser<'_>, ending: &str) -> String {
    let page = browser.page("/resources");
    let file = page.split('"').find(|part| part.ends_with(ending));
    let client = browser.service.guest().header("Accept", "*/*");
    client.get(file.expect("a file")).body
}

#[test]
fn long_words_break_in_cells_of_a_bounded_width() {
    let service = service();
    let browser = signed_in(&service);
    let cells = rule(&browser, ".scroll th, .scroll td");
    for said in ["overflow-wrap: anywhere", "max-width: "] {
        assert!(cells.contains(said), "{said} in {cells}");
    }
    assert!(rule(&browser, ".card").contains("overflow-wrap: "));
    assert!(!rule(&browser, ".scroll .path").contains("nowrap"));
}

#[test]
fn the_box_that_selects_all_has_words_on_small_screens() {
    let service = service();
    let browser = signed_in(&service);
    let script = asset(&browser, ".js");
    assert!(script.contains("\"Select all on this page\""), "{script}");
    assert!(!script.contains("aria-label"), "the words name it");
    let style = asset(&browser, ".css");
    let (wide, small) = style.split_once("@media (max-width: 40rem)").expect("both");
    assert!(wide.contains("\n.all span { position: absolute;"), "{wide}");
    assert!(small.contains(".all span { position: static;"), "{small}");
    // Without the script there is no box, and no strip for it.
    assert!(
        small.contains(".scroll thead { display: none; }"),
        "{small}"
    );
    assert!(small.contains(".scroll thead.scripted { display: block; }"));
    assert!(script.contains("\"scripted\""), "{script}");
}
