//! The docs of a resource: its Markdown, and the way to the page of the API.

use formwork::prelude::*;

use super::{Page, area, configured, signed_in};

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
    let (_, browser) = area();
    let page = browser.page("/resources/dishes/docs");
    page.must_contain([
        "<h2>Dishes</h2>",
        "<td><code>x</code></td>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ]);
    page.must_lack(["<script>", "javascript:", "evil.example", "style="]);
    // Content that is wider than the screen is scrolled, with the keyboard as well.
    page.must_contain(["<article class=\"card docs\" tabindex=\"0\" role=\"region\""]);
}

#[test]
fn docs_lead_to_the_page_of_the_api() {
    let link = |address: &str| format!("href=\"{address}\"");
    let (_, browser) = area();
    let leads = cfg!(feature = "docs");
    for (key, text) in [("dishes", "<h2>Dishes</h2>"), ("notes", "")] {
        let page = browser.page(&format!("/resources/{key}/docs"));
        page.must_contain([text]);
        assert_eq!(page.contains(&link("/api/docs")), leads, "{page}");
    }
    let below = "api: { base_url: 'http://bistro.example/shop' }";
    let page = signed_in(&configured(below)).page("/resources/notes/docs");
    assert_eq!(page.contains(&link("/shop/api/docs")), leads, "{page}");
}
