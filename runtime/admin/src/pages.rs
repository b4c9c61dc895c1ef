//! Pages: their frame, their security headers, and the pages of a list. Templates (`templates/`) escape all values.

use askama::Template;
use axum::http::{HeaderName, StatusCode, header};
use formwork_core::{config::Config, response::Response, state::ServiceState};
use formwork_data::error::{Error, Result};

use super::{admin_request::AdminRequest, assets, path, sessions::Session};

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

/// The part that every page shows.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    /// Where browsers find the area.
    pub base: String,
    pub style: String,
    pub script: String,
    pub icon: String,
    /// The administrator who is signed in.
    pub user: Option<&'a str>,
    /// The token of the page's forms.
    pub csrf: String,
    /// The notice of the last change.
    pub notice: Option<&'static str>,
}

impl<'a> Frame<'a> {
    /// The frame of a page for this session, if there is one. The token of its forms is that of the
    /// session, unless another is given.
    pub fn new(config: &'a Config, session: Option<&'a Session>, csrf: Option<String>) -> Self {
        let base = path::base(config);
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

    /// Returns the frame of a page for the administrator who is signed in, with the notice that the
    /// address names.
    pub fn of(app: &'a ServiceState, request: &'a AdminRequest) -> Self {
        let mut frame = Self::new(app.config(), request.session.as_ref(), None);
        frame.notice = match request.param("notice").as_str() {
            "saved" => Some("Saved. This replica uses the change now, others within seconds."),
            "reset" => Some("Reset to the defaults."),
            "revoked" => Some("Revoked. Requests with these tokens are refused from now on."),
            "none" => Some("No row was selected."),
            "gone" => Some("The selected rows no longer exist."),
            _ => None,
        };
        frame
    }
}

/// A page: its template is compiled, and escapes all values.
pub(super) fn show(status: StatusCode, page: &impl Template) -> Result<Response> {
    let text = page.render().map_err(Error::internal)?;
    let response = Response::bytes(PAGE, text.into_bytes());
    let response = response.with_status(status);
    let with = |response: Response, (name, value)| response.with_header(name, value);
    Ok(HEADERS.into_iter().fold(response, with))
}

/// A page that says one thing.
#[derive(Template)]
#[template(path = "message.html")]
pub(super) struct Message<'a> {
    pub frame: Frame<'a>,
    pub title: &'a str,
    pub message: &'a str,
}

/// Rows on a page.
const PER_PAGE: i64 = 20;

/// Most bytes of a search: as those of a word in the API's `search`, well below every database's
/// limit.
const LONGEST_SEARCH: usize = 1000;

/// The shown page of a list, its search, and the links to other pages.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paging {
    /// The search text.
    pub search: String,
    /// Counted from 1.
    pub page: i64,
    /// How many there are.
    pub pages: i64,
    /// Rows on all pages.
    pub total: i64,
    /// The query string of the page before.
    pub prev: Option<String>,
    /// The query string of the page after.
    pub next: Option<String>,
}

impl Paging {
    /// Reads the page and the search.
    ///
    /// # Errors
    ///
    /// 400 for a search that is too long.
    pub fn of(request: &AdminRequest) -> Result<Self> {
        let page = request.param("page").parse().unwrap_or(1);
        let search = request.param("search");
        if search.len() > LONGEST_SEARCH || search.contains('\0') {
            let message =
                format!("A search has at most {LONGEST_SEARCH} bytes, none of them U+0000.");
            return Err(Error::bad_parameter("search", message));
        }
        Ok(Self {
            search,
            page: i64::max(page, 1),
            pages: 1,
            total: 0,
            prev: None,
            next: None,
        })
    }

    /// Most rows, and how many before them are left out.
    pub fn bounds(&self) -> (i64, i64) {
        (PER_PAGE, (self.page - 1).saturating_mul(PER_PAGE))
    }

    /// The links to other pages, once the number of rows is known. False where the page is past the
    /// end: then it is the last page.
    pub fn counted(&mut self, total: i64) -> bool {
        self.total = total;
        self.pages = i64::max(1, (total + PER_PAGE - 1) / PER_PAGE);
        let within = self.page <= self.pages;
        self.page = i64::min(self.page, self.pages);
        self.prev = (self.page > 1).then(|| self.query(self.page - 1));
        self.next = (self.page < self.pages).then(|| self.query(self.page + 1));
        within
    }

    fn query(&self, page: i64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.search.is_empty() {
            query.append_pair("search", &self.search);
        }
        query.append_pair("page", &page.to_string()).finish()
    }
}

/// What templates do with values beside escaping them.
pub(super) mod filters {
    use std::fmt::Display;

    /// A text without the characters that turn the text around it (Unicode, UAX 9, "Explicit
    /// Directional Embedding", "Explicit Directional Isolates"): for attributes and titles, which
    /// cannot hold a `bdi`.
    #[askama::filter_fn]
    pub fn plain(text: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
        let turns =
            |letter: char| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        Ok(text.to_string().replace(turns, ""))
    }
}

/// Another page, to be asked for by GET (RFC 9110, section 15.4.4).
pub(super) fn see(config: &Config, below: &str) -> Response {
    let address = format!("{}{below}", path::base(config));
    let response = Response::no_content().with_status(StatusCode::SEE_OTHER);
    let response = response.with_header(header::LOCATION, &address);
    response.with_header(header::CACHE_CONTROL, "no-store")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped() {
        let config = Config::default();
        let page = Message {
            frame: Frame::new(&config, None, None),
            title: "<script>",
            message: "a\" onclick='b' & c",
        };
        let shown = show(StatusCode::OK, &page).expect("a page");
        let shown = String::from_utf8(shown.body().to_vec()).expect("text");
        assert!(
            shown.contains("&#60;script&#62;") && !shown.contains("<script>"),
            "{shown}"
        );
        assert!(!shown.contains("onclick='b'"), "{shown}");
    }
}
