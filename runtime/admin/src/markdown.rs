//! The docs of a resource: Markdown as HTML.

use pulldown_cmark::{
    Alignment, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html,
};

/// The text as HTML. HTML within it is shown as text; links are limited to safe targets; pictures
/// become their descriptions, because they would be loaded from other hosts.
pub(super) fn html(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut page = String::with_capacity(text.len() * 2);
    let tamed = Parser::new_ext(text, options).filter_map(tamed);
    html::push_html(&mut page, tamed);
    page
}

fn tamed(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        // An alignment would need an inline style, which the content security policy forbids.
        Event::Start(Tag::Table(columns)) => {
            Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
        }
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: lower(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
        // `<chef@bistro.example>`: `mailto:` is written before it.
        Event::Start(Tag::Link {
            link_type: LinkType::Email,
            ..
        }) => event,
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: safe(dest_url),
            title,
            id,
        }),
        other => other,
    })
}

/// The page has a title of its own.
fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

/// An address of the web or of a person, or a place on this page; other links are removed.
fn safe(address: CowStr<'_>) -> CowStr<'_> {
    let known = ["https://", "http://", "mailto:", "#"];
    if known.iter().any(|begin| address.starts_with(begin)) {
        address
    } else {
        "#".into()
    }
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn headings_tables_lists_and_links_are_rendered() {
        let page = html(
            "# Menus\n\n| a | b |\n| --- | --- |\n| `x` | ~~y~~ |\n\n* [z](https://z.example)\n* <chef@z.example>\n",
        );
        for part in [
            "<h2>Menus</h2>",
            "<table>",
            "<code>x</code>",
            "<del>y</del>",
            "<li><a href=\"https://z.example\">z</a></li>",
            "<li><a href=\"mailto:chef@z.example\">chef@z.example</a></li>",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
    }

    #[test]
    fn markup_and_scripts_are_shown_as_text() {
        for (text, shown) in [
            (
                "<script>alert(1)</script>",
                "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
            ),
            (
                "a <b onclick=x>c</b>",
                "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n",
            ),
            (
                "`<i>` &lt;i&gt;",
                "<p><code>&lt;i&gt;</code> &lt;i&gt;</p>\n",
            ),
            ("[a](javascript:x)", "<p><a href=\"#\">a</a></p>\n"),
            ("[a](JavaScript:x)", "<p><a href=\"#\">a</a></p>\n"),
            ("[a](data:text/html,x)", "<p><a href=\"#\">a</a></p>\n"),
            ("[a](//evil.example)", "<p><a href=\"#\">a</a></p>\n"),
            ("<javascript:x>", "<p><a href=\"#\">javascript:x</a></p>\n"),
            ("![pic](https://evil.example/p.png)", "<p>pic</p>\n"),
            ("# T {#i onclick=x}", "<h2>T {#i onclick=x}</h2>\n"),
            (
                "[a](https://x.example/\"onclick=\"x)",
                "<p><a href=\"https://x.example/%22onclick=%22x\">a</a></p>\n",
            ),
            (
                "| a |\n| :-: |\n| b |",
                "<table><thead><tr><th>a</th></tr></thead><tbody>\n<tr><td>b</td></tr>\n</tbody></table>\n",
            ),
        ] {
            assert_eq!(html(text), shown, "{text}");
        }
    }
}
