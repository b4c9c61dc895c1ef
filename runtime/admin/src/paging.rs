//! Pages of a list.

use formwork_data::error::{Error, Result};

use super::admin_request::AdminRequest;

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
