//! Pages: templates that escape all values, and the security headers of a page.

use axum::http::{HeaderName, StatusCode, header};
use formwork_core::{config::Config, response::Response};
use formwork_data::error::{Error, Result};
use serde::Serialize;
use tera::{Context, Kwargs, State, Tera};

use super::{assets, path, sessions::Session};

/// The templates. Their names end in `.html`: that makes the engine escape.
const TEMPLATES: [(&str, &str); 12] = [
    ("layout.html", include_str!("pages/layout.html")),
    ("paging.html", include_str!("pages/paging.html")),
    ("tabs.html", include_str!("pages/tabs.html")),
    ("login.html", include_str!("pages/login.html")),
    ("resources.html", include_str!("pages/resources.html")),
    ("resource.html", include_str!("pages/resource.html")),
    ("edit.html", include_str!("pages/edit.html")),
    ("docs.html", include_str!("pages/docs.html")),
    ("tokens.html", include_str!("pages/tokens.html")),
    ("confirm.html", include_str!("pages/confirm.html")),
    ("widening.html", include_str!("pages/widening.html")),
    ("message.html", include_str!("pages/message.html")),
];

/// The media type of pages.
pub(crate) const PAGE: &str = "text/html; charset=utf-8";

/// A page loads from and sends to this host alone, and is neither framed nor cached. Browsers tell
/// the area the origin of a form, which is checked.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (header::VARY, "Cookie"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The templates, understood.
#[derive(Debug)]
pub(super) struct Pages(Tera);

/// The part that every page shows.
#[derive(Debug, Serialize)]
pub(super) struct Frame<'a> {
    /// Where browsers find the area.
    base: String,
    style: String,
    script: String,
    icon: String,
    /// The administrator who is signed in.
    user: Option<&'a str>,
    /// The token of the page's forms.
    csrf: String,
    /// The notice of the last change.
    notice: Option<&'static str>,
}

impl<'a> Frame<'a> {
    /// The frame of a page for this session, if there is one. The token of its forms is that of the
    /// session, unless another is given.
    pub fn new(config: &'a Config, session: Option<&'a Session>, csrf: Option<String>) -> Self {
        let base = path::public(config);
        let account = session.map(|session| &session.account);
        let [style, script, icon] = assets::ALL.map(|asset| asset.path(&base));
        Self {
            base,
            style,
            script,
            icon,
            user: account.map(|account| account.name.as_deref().unwrap_or(&account.email)),
            csrf: csrf
                .or_else(|| session.map(|session| session.csrf.clone()))
                .unwrap_or_default(),
            notice: None,
        }
    }

    /// Adds the notice that a word of the address names; other words add none.
    pub fn noticing(mut self, word: &str) -> Self {
        self.notice = match word {
            "saved" => Some("Saved. This replica uses the change now, others within seconds."),
            "reset" => Some("Reset to the defaults."),
            "revoked" => Some("Revoked. Requests with these tokens are refused from now on."),
            "none" => Some("No row was selected."),
            "gone" => Some("The selected rows no longer exist."),
            _ => None,
        };
        self
    }
}

impl Pages {
    /// Reads the templates.
    pub fn new() -> Result<Self> {
        let mut tera = Tera::default();
        tera.register_filter("plain", |text: &str, _: Kwargs, _: &State| plain(text));
        tera.add_raw_templates(TEMPLATES).map_err(Error::internal)?;
        Ok(Self(tera))
    }

    /// A page.
    pub fn show(
        &self,
        template: &str,
        status: StatusCode,
        frame: &Frame<'_>,
        page: &impl Serialize,
    ) -> Result<Response> {
        let mut context = Context::new();
        context.insert("frame", frame);
        context.insert("page", page);
        let text = self.0.render(template, &context).map_err(Error::internal)?;
        let response = Response::bytes(PAGE, text.into_bytes());
        let response = response.with_status(status);
        let with = |response: Response, (name, value)| response.with_header(name, value);
        Ok(HEADERS.into_iter().fold(response, with))
    }
}

/// A text without the characters that turn the text around it (Unicode, UAX 9, "Explicit
/// Directional Embedding", "Explicit Directional Isolates"): for attributes and titles, which
/// cannot hold a `bdi`.
fn plain(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.replace(turns, "")
}

/// Another page, to be asked for by GET (RFC 9110, section 15.4.4).
pub(super) fn see(config: &Config, below: &str) -> Response {
    let address = format!("{}{below}", path::public(config));
    let response = Response::no_content().with_status(StatusCode::SEE_OTHER);
    let response = response.with_header(header::LOCATION, &address);
    response.with_header(header::CACHE_CONTROL, "no-store")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_sound_and_escape() {
        let pages = Pages::new().expect("templates");
        let config = Config::default();
        let frame = Frame::new(&config, None, None);
        let page = serde_json::json!({"title": "<script>", "message": "a\" onclick='b' & c"});
        let shown = pages
            .show("message.html", StatusCode::OK, &frame, &page)
            .expect("a page");
        let shown = String::from_utf8(shown.body().to_vec()).expect("text");
        assert!(
            shown.contains("&lt;script&gt;") && !shown.contains("<script>"),
            "{shown}"
        );
        assert!(!shown.contains("onclick='b'"), "{shown}");
    }
}
