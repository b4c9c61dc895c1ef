//! Texts of users do not change the page around them, whatever their length and direction.

use formwork::auth::AccountKind;

use super::{Browser, Page, area, browser::between, change};

/// Reverses the following text, unless isolated (U+202E).
const REVERSED: &str = "Soup \u{202e}puos";

#[test]
fn bidi_controls_of_a_text_reach_no_other_text() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    browser.save(&id, &[("name", REVERSED)]);
    let isolated = format!("<bdi>{REVERSED}</bdi>");
    let list = browser.page("/resources");
    list.must_contain([format!(">{REVERSED}</a></bdi>")]);
    for tab in ["", "/edit", "/docs"] {
        let page = browser.page(&format!("/resources/{id}{tab}"));
        page.must_contain([format!("<h1>{isolated} <code>")]);
    }
    let question = browser.page(&format!("/resources/delete?ids={id}"));
    question.must_contain([format!("<li>{isolated} (dishes)</li>")]);

    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["notes:*", "dishes:*"]);
    change(
        &service,
        "UPDATE api_tokens SET name = 'Soup \u{202e}puos', \
         abilities = '[\"notes:\u{202e}x\",\"dishes:*\"]'",
    );
    let list = browser.page("/tokens");
    list.must_contain([format!("<th scope=\"row\">{isolated}</th>")]);
    list.must_contain(["<bdi><code>notes:\u{202e}x</code></bdi>"]);
    let account = "(Customer, <bdi>alice@example.com</bdi>)";
    let question = browser.page("/tokens/delete?ids=1");
    question.must_contain([format!("<li>{isolated} {account}</li>")]);
}

/// Asserts that each bidirectional control of a page is isolated, or within a field's value.
fn assert_isolated(page: &str) {
    let controls: Vec<_> = page.match_indices(['\u{202e}', '\u{2067}']).collect();
    for (at, control) in &controls {
        let before = &page[..*at];
        let inside = |open: &str, close: &str| {
            let opened = before.rfind(open);
            opened.is_some_and(|begin| !before[begin..].contains(close))
        };
        // The value of a field is a text of its own.
        let is_value = inside(" value=\"", "\" ") || inside(" value=\"", "\">");
        let is_isolated = inside("<bdi>", "</bdi>") || inside("<textarea", "</textarea>");
        let line = before.rsplit('\n').next().unwrap_or_default();
        assert!(is_isolated || is_value, "{control:?} after {line:?}");
    }
    assert!(!controls.is_empty(), "{page}");
}

/// Titles and labels cannot isolate a text: they show it without these controls.
#[test]
fn every_user_text_is_isolated_or_without_bidi_controls() {
    let (service, browser) = area();
    let names = [("name", REVERSED), ("description", REVERSED)];
    browser.save("dishes", &names);
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["notes:*"]);
    for sql in [
        "UPDATE admin_users SET name = 'Chef \u{202e}fehc'",
        "UPDATE api_tokens SET name = 'Soup \u{202e}puos'",
        "UPDATE api_customers SET email = '\u{202e}' || email",
    ] {
        change(&service, sql);
    }
    for page in [
        "/resources",
        "/resources/dishes",
        "/resources/dishes/docs",
        "/resources/delete?ids=1&ids=2",
        "/tokens",
        "/tokens/delete?ids=1",
    ] {
        assert_isolated(&browser.page(page));
    }
    let opened = browser.edit("dishes");
    let question = browser.submit(&opened, "dishes", &[("allow_store", "all")]);
    assert_isolated(&question.body);
    browser.save("dishes", &[("name", "Meals")]);
    let typed = [("name", "Soup \u{2067}puos"), ("description", "Other")];
    assert_isolated(&browser.conflict(&opened, "dishes", &typed));
}

/// Returns the style's rule for this selector, outside any `@media`.
fn rule(style: &str, selector: &str) -> String {
    let rule = between(style, &format!("\n{selector} {{"), "}");
    let rule = rule.unwrap_or_else(|| panic!("{selector} in {style}"));
    rule.to_owned()
}

/// Returns the file of the pages whose name has this ending.
fn asset(browser: &Browser, ending: &str) -> String {
    let page = browser.page("/resources");
    let file = page.split('"').find(|part| part.ends_with(ending));
    let client = browser.service.guest().header("Accept", "*/*");
    client.get(file.expect("a file")).body
}

/// The table of tokens fits a window of 1280 pixels: its columns are as wide as their words.
#[test]
fn words_and_days_do_not_break_and_moments_do() {
    let (service, browser) = area();
    let alice = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, alice, &["*"]);
    let list = browser.page("/tokens");
    list.must_contain(["<td class=\"kind\" data-label=\"Type\">Customer</td>"]);
    let created = between(&list, "data-label=\"Created\">", "</td>");
    let (day, time) = created.and_then(|it| it.split_once(' ')).expect("a date");
    assert!(
        day.len() == 10 && time.ends_with("\u{a0}UTC"),
        "{created:?}"
    );
    let style = asset(&browser, ".css");
    rule(&style, ".scroll .kind").must_contain(["white-space: nowrap"]);
    let both = rule(&style, ".scroll .kind, .scroll .when");
    both.must_contain(["overflow-wrap: normal"]);
    rule(&style, ".when").must_lack(["nowrap"]);
    // Long words break in cells of a bounded width.
    let cells = rule(&style, ".scroll th, .scroll td");
    cells.must_contain(["overflow-wrap: anywhere", "max-width: "]);
    rule(&style, ".card").must_contain(["overflow-wrap: "]);
    rule(&style, ".scroll .path").must_lack(["nowrap"]);
}

#[test]
fn the_box_that_selects_all_has_words_on_small_screens() {
    let (_, browser) = area();
    let script = asset(&browser, ".js");
    script.must_contain(["\"Select all on this page\"", "\"scripted\""]);
    // The words name it.
    script.must_lack(["aria-label"]);
    let style = asset(&browser, ".css");
    let (wide, small) = style.split_once("@media (max-width: 40rem)").expect("both");
    wide.must_contain(["\n.all span { position: absolute;"]);
    // Without the script there is no box, and no space for it.
    small.must_contain([
        ".all span { position: static;",
        ".scroll thead { display: none; }",
        ".scroll thead.scripted { display: block; }",
    ]);
}
