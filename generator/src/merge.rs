//! The three-way merge of one file (regeneration.md, "The merge").
//!
//! The caller formats base, ours and theirs first (planning does so in one batch); the rest of
//! the pipeline is here: normal form, line merge, refinement of its conflicts, gates that a clean
//! result must pass, git's markers, the file's own style.

pub mod item;
pub mod markers;
pub mod neighbours;
pub mod outline;
pub mod refine;
pub mod style;
pub mod three_way;
pub mod twice;

use self::neighbours::Lists;
use self::three_way::{Outcome, Region, Sides};

/// What a file is written in.
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
/// Where ours parsed and a clean result does not, or a clean result holds a name twice that no side
/// holds twice, the stretch of changes becomes a conflict.
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
    let (sides, plain) = three_way::merge(base, ours, theirs);
    let parses = language.parses(ours);
    let is_read = parses && language.parses(theirs);
    let lists = (is_read && conflicts(&plain) > 0).then(|| Lists::new(language, &sides));
    let mut regions = refine::refine(&sides, lists.as_ref(), plain.clone());
    if is_read {
        twice::settle(language, &sides, &mut regions);
    }
    let stands = |regions: &[Region]| {
        !parses || conflicts(regions) > 0 || language.parses(&text(&sides, regions))
    };
    if !stands(&regions) {
        regions = refine::refine(&sides, None, plain);
    }
    if !stands(&regions) {
        let changes = three_way::changes(&regions);
        three_way::as_one_conflict(&mut regions, changes);
    }
    Merged {
        text: text(&sides, &regions),
        conflicts: conflicts(&regions),
    }
}

fn conflicts(regions: &[Region]) -> usize {
    regions
        .iter()
        .filter(|region| region.outcome == Outcome::Conflict)
        .count()
}

fn text(sides: &Sides<'_>, regions: &[Region]) -> String {
    regions
        .iter()
        .map(|region| region_text(sides, region))
        .collect()
}

fn region_text(sides: &Sides<'_>, region: &Region) -> String {
    let [ours, base, theirs] = sides.texts(&region.span);
    match &region.outcome {
        Outcome::Same | Outcome::Ours => ours,
        Outcome::Theirs => theirs,
        Outcome::Merged(text) => text.clone(),
        Outcome::Conflict => markers::write(&ours, &base, &theirs),
    }
}

#[cfg(test)]
mod tests;
