//! The three-way merge of one file (regeneration.md, "The merge").
//!
//! The caller formats base, ours and theirs first (planning does so in one batch); the rest of
//! the pipeline is here: normal form, line merge, parse gate, git's markers, the file's own style.

pub mod markers;
pub mod style;
pub mod three_way;

use self::three_way::Chunk;

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Rust: formatted, and parsed after the merge.
    Rust,
    /// Anything else: lines.
    Other,
}

impl Language {
    /// The language by the ending of `path`.
    pub fn of(path: &str) -> Language {
        if path.ends_with(".rs") {
            Language::Rust
        } else {
            Language::Other
        }
    }

    fn parses(self, text: &str) -> bool {
        self == Language::Other || syn::parse_file(text).is_ok()
    }
}

/// What a merge goes by, beside the three texts.
#[derive(Debug, Clone, Copy)]
pub struct MergeContext<'a> {
    /// What the file is written in.
    pub language: Language,
    /// The file as it is on disk, whose line endings, byte order mark and final newline the
    /// result gets.
    pub original: &'a str,
}

/// A merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text, with git's markers around each conflict.
    pub text: String,
    /// How many conflicts it holds.
    pub conflicts: usize,
}

/// Merges what `theirs` changed since `base` into `ours`.
///
/// Where ours parsed and a clean result does not, the whole stretch of changes becomes a conflict.
pub fn merge(base: &str, ours: &str, theirs: &str, context: &MergeContext<'_>) -> Merged {
    let [base, ours, theirs] = [base, ours, theirs].map(style::normalise);
    let mut merged = match () {
        () if ours == theirs || base == theirs => Merged {
            text: ours.clone().into_owned(),
            conflicts: 0,
        },
        () if base == ours => Merged {
            text: theirs.into_owned(),
            conflicts: 0,
        },
        () => merge_changes(&base, &ours, &theirs, context.language),
    };
    merged.text = style::restore(&merged.text, context.original);
    merged
}

fn merge_changes(base: &str, ours: &str, theirs: &str, language: Language) -> Merged {
    let chunks = three_way::merge(base, ours, theirs);
    let merged = write(&chunks);
    if merged.conflicts == 0 && !language.parses(&merged.text) && language.parses(ours) {
        return write(&three_way::as_one_conflict(chunks));
    }
    merged
}

fn write(chunks: &[Chunk]) -> Merged {
    let mut merged = Merged {
        text: String::new(),
        conflicts: 0,
    };
    for chunk in chunks {
        match chunk {
            Chunk::Same(text) | Chunk::Changed { merged: text, .. } => merged.text.push_str(text),
            Chunk::Conflict { ours, base, theirs } => {
                merged.text.push_str(&markers::write(ours, base, theirs));
                merged.conflicts += 1;
            }
        }
    }
    merged
}

#[cfg(test)]
mod tests;
