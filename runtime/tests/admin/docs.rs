//! Reference docs.

use formwork::{prelude::*, rules::*};

use super::{
    Browser, Page, area, browser::between, changed_kitchen, kitchen::Note, signed_in, start,
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

/// Notes of at most 80 characters, which only administrators change.
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
    type Repository = Note;
    type Request = ShortRequest;
    type Transformer = Note;

    const DOCS: &'static str = "# Notes\n\nWritten by guests.\n";
    const PAGE_LIMIT: u32 = 7;
    const REQUIRED_ABILITIES: &'static [&'static str] = &["notes:*"];
}

/// Returns the docs of a resource, without the parts of the page around them.
fn docs(browser: &Browser, key: &str) -> String {
    let page = browser.page(&format!("/resources/{key}/docs"));
    let docs = between(&page, "<article class=\"card docs\">", "</article>");
    docs.expect("docs").to_owned()
}

#[test]
fn the_markdown_of_an_extension_is_shown() {
    let (_, browser) = area();
    let page = browser.page("/resources/dishes/docs");
    page.must_contain([
        "<h2>Dishes</h2>",
        "<td><code>x</code></td>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ]);
    page.must_lack(["<script>", "javascript:", "evil.example", "style="]);
    // Content that is wider than the screen is scrolled, with the keyboard as well.
    let scrolled = |(label, tag)| {
        format!("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n{tag}")
    };
    let parts = [
        ("Table 1", "<table>"),
        ("Table 2", "<table>"),
        ("Code 1", "<pre>"),
    ];
    page.must_contain(parts.map(scrolled));
}

/// Rules are those of the request, and generated docs follow the written ones.
#[test]
fn the_docs_of_a_resource_are_those_of_its_code() {
    let browser = signed_in(&start(
        "",
        changed_kitchen(|all| all[1].controller = Box::new(ShortNotes)),
    ));
    insta::assert_snapshot!("docs_of_notes", docs(&browser, "notes"));
    let page = docs(&browser, "dishes");
    insta::assert_snapshot!("docs_of_dishes", page);
    page.must_lack(["secret"]);
}

#[test]
fn docs_show_the_callers_that_settings_allow() {
    let (_, browser) = area();
    let line = |who: &str| format!("<td>GET</td><td><code>/api/dishes</code></td><td>{who}</td>");
    docs(&browser, "dishes").must_contain([line("All")]);
    browser.save("dishes", &[("allow_index", "customer"), ("on_destroy", "")]);
    let page = docs(&browser, "dishes");
    page.must_contain([line("Customers")]);
    page.must_lack(["<td>DELETE</td>"]);
}
