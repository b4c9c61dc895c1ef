//! `page[after]` and `page[before]`: pages that begin where another ended.

/// Which way a page leads from where its cursor points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `page[after]`: the rows behind it.
    After,
    /// `page[before]`: the rows in front of it.
    Before,
}

impl Direction {
    /// Its parameter.
    pub const fn parameter(self) -> &'static str {
        match self {
            Self::After => "page[after]",
            Self::Before => "page[before]",
        }
    }
}

/// A page of a list that is read by cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeysetParams {
    /// Whether the page lies after the cursor or before it.
    pub direction: Direction,
    /// The cursor from a link of an answer; empty: from the end of the list.
    pub cursor: String,
}

/// Whether a parameter says where a page begins, not how large it is: what links replace.
pub(crate) fn says_where(name: &str) -> bool {
    matches!(name, "page[after]" | "page[before]")
}
