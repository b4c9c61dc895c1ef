//! Reference docs.

use formwork::prelude::*;

use super::{service, signed_in};

/// What was written about the dishes.
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
    // What is wider than the screen is scrolled, with the keyboard as well.
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
    let page = browser.page(&format!("/resources/{}/docs", browser.row("notes")));
    assert!(page.contains("No documentation provided"), "{page}");
}
