//! The language of a file.

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Rust: formatted, and parsed after the merge.
    Rust,
    /// Markdown: lines, with tables and lists.
    Markdown,
    /// Anything else: lines.
    Other,
}

impl Language {
    /// The language by the ending of `path`.
    pub fn of(path: &str) -> Language {
        match path.rsplit_once('.') {
            Some((_, "rs")) => Language::Rust,
            Some((_, "md")) => Language::Markdown,
            _ => Language::Other,
        }
    }

    /// Whether `text` is written in it; any text is of a language that is not parsed.
    pub fn parses(self, text: &str) -> bool {
        self != Language::Rust || syn::parse_file(text).is_ok()
    }
}
