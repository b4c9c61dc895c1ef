//! Reference docs.

use formwork::{prelude::*, rules::*, testing::Service};

use super::{
    browser::Browser,
    kitchen::{Kitchen, Note, NoteRepository, NoteTransformer},
    service, signed_in,
};

/// An extension with a page about the dishes.
pub struct Booklet;

impl Extension for Booklet {
    fn name(&self) -> &'static str {
        "booklet"
    }

    fn docs(&self) -> &'static [(&'static str, &'static str)] {
        &[(
            "dishes",
            "# Dishes\n\n| a | b |\n| :-: | --- |\n| `x` | y |\n\n<script>alert(1)</script>\n\n\
             [bad](javascript:alert(1)) ![far](https://evil.example/x.png)\n\n\
             ```\nlong\n```\n\n| c |\n| --- |\n| d |\n",
        )]
    }
}

#[test]
fn the_markdown_of_an_extension_is_shown() {
    let service = service();
    let browser = signed_in(&service);
    let page = browser.page(&format!("/resources/{}/docs", browser.row("dishes")));
    for part in [
        "<h2>Dishes</h2>",
        "<td><code>x</code></td>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    for never in ["<script>", "javascript:", "evil.example", "style="] {
        assert!(!page.contains(never), "{never} in {page}");
    }
    // Content that is wider than the screen is scrolled, with the keyboard as well.
    let scrolled = |what: &str| {
        format!("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{what}\">\n")
    };
    for part in [
        scrolled("Table 1") + "<table>",
        scrolled("Table 2") + "<table>",
        scrolled("Code 1") + "<pre>",
    ] {
        assert!(page.contains(&part), "{part} in {page}");
    }
}

/// Notes of at most 80 letters, which only administrators change.
struct ShortNotes;

struct ShortRequest;

impl ResourceRequest for ShortRequest {
    type Model = Note;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("dish_id", &[integer()]).on_store(&[required()]),
        attribute("customer_id", &[nullable(), integer()]),
        attribute("text", &[required(), string(), max(80), regex("a|b")]),
    ];
}

impl RestController for ShortNotes {
    type Model = Note;
    type Repository = NoteRepository;
    type Request = ShortRequest;
    type Transformer = NoteTransformer;

    const DOCS: &'static str = "# Notes\n\nWritten by guests.\n";
    const PAGE_LIMIT: u32 = 7;
    const REQUIRED_ABILITIES: &'static [&'static str] = &["notes:*"];
}

/// The kitchen with short notes.
struct Short;

impl Extension for Short {
    fn name(&self) -> &'static str {
        "short"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = Kitchen.register_api_resources();
        resources[1].controller = Box::new(ShortNotes);
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        Kitchen.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        Kitchen.migrations()
    }
}

fn docs(browser: &Browser<'_>, key: &str) -> String {
    browser.page(&format!("/resources/{}/docs", browser.row(key)))
}

#[test]
fn rules_are_those_of_the_request() {
    for (extension, rules) in [
        (Box::new(Kitchen) as Box<dyn Extension>, "required|string"),
        (Box::new(Short), "required|string|max:80|regex:a|b"),
    ] {
        let service = Service::start(vec![extension]);
        let page = docs(&signed_in(&service), "notes");
        let row = format!(
            "<td><code>text</code></td><td>text</td><td>read and write</td><td><code>{rules}</code></td>"
        );
        assert!(page.contains(&row), "{row} in {page}");
    }
}

#[test]
fn generated_docs_follow_the_written_ones() {
    let service = Service::start(vec![Box::new(Short)]);
    let browser = signed_in(&service);
    let page = docs(&browser, "notes");
    let parts = [
        "<h2>Notes</h2>",
        "<p>Written by guests.</p>",
        "<h3>Endpoints</h3>",
        "<td>PUT, PATCH</td><td><code>/api/notes/{id}</code></td><td>User or Customers</td>",
        "A page has 7 records by default, at most 100.",
        "one of these abilities: <code>notes:*</code>.",
        "rows whose <code>customer_id</code> is their own",
        "<h3>Attributes</h3>",
        "<td><code>id</code></td><td>bigint</td><td>read only</td>",
        "<td><code>customer_id</code></td><td>bigint, nullable</td><td>administrators write</td>",
        "<h3>Includes</h3>",
        "<td><code>dish</code></td><td>one <code>dishes</code></td>",
    ];
    let mut rest = page.as_str();
    for part in parts {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("{part}, in this order, in {page}"));
        rest = &rest[at..];
    }
    assert!(page.contains("on store: <code>required</code>"), "{page}");
    let page = docs(&browser, "dishes");
    for part in [
        "<td><code>tags</code></td><td>many <code>tags</code></td>",
        "<code>sort</code> by <code>title</code>, <code>price</code>",
        "<td><code>enabled</code></td><td><code>active</code> is one of these values</td><td><code>true</code></td>",
        "<td>write only</td>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("secret"), "{page}");
}

#[test]
fn docs_show_the_callers_that_settings_allow() {
    let service = service();
    let browser = signed_in(&service);
    let line = |who: &str| format!("<td>GET</td><td><code>/api/dishes</code></td><td>{who}</td>");
    assert!(docs(&browser, "dishes").contains(&line("All")));
    let id = browser.row("dishes");
    let saved = browser.save(&id, &[("allow_index", "customer"), ("on_destroy", "")]);
    assert_eq!(saved.status, 303, "{saved}");
    let page = docs(&browser, "dishes");
    assert!(page.contains(&line("Customers")), "{page}");
    assert!(!page.contains("<td>DELETE</td>"), "{page}");
}
