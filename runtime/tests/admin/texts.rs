//! Texts of users stay in their place, whatever their length and direction.

use formwork::auth::AccountKind;

use super::{Browser, change, service, signed_in};

/// Reverses the following text, unless isolated (U+202E).
const TURNED: &str = "Soup \u{202e}puos";

#[test]
fn a_text_turns_nothing_around_but_itself() {
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
        "UPDATE api_tokens SET name = 'Soup ' || char(8238) || 'puos', \
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

/// What the style says of this selector, outside any `@media`.
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
