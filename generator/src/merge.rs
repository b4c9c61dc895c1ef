//! The three-way merge of one file (regeneration.md, "The merge").
//!
//! The caller formats base, ours and theirs first (planning does so in one batch); the rest of
//! the pipeline is here: normal form, line merge, refinement of its conflicts, gates that a clean
//! result must pass, git's markers, the file's own style.

pub mod item;
pub mod markdown;
pub mod markers;
pub mod neighbours;
pub mod order;
pub mod outline;
pub mod refine;
pub mod style;
pub mod three_way;
pub mod twice;

use std::cell::OnceCell;

use self::markdown::Plain;
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

/// The merge with lists in one order where a side moved something, unless that has more conflicts
/// than the merge of the texts as they are.
fn merge_changes(base: &str, ours: &str, theirs: &str, language: Language) -> Merged {
    if language == Language::Markdown {
        let plain = Plain::of(base, ours, theirs);
        let [base, ours, theirs] = &plain.texts;
        let mut merged = merge_lines(&Sides::of(base, ours, theirs), language);
        merged.text = plain.restore(&merged.text);
        return merged;
    }
    let sides = Sides::of(base, ours, theirs);
    let plain = merge_lines(&sides, language);
    let is_read = language == Language::Rust && language.parses(ours) && language.parses(theirs);
    let aligned = is_read.then(|| order::align(language, &sides));
    let Some([base, ours, theirs]) = aligned.flatten() else {
        return plain;
    };
    let aligned = merge_lines(&Sides::of(&base, &ours, &theirs), language);
    if aligned.conflicts <= plain.conflicts {
        aligned
    } else {
        plain
    }
}

/// The merge with the fewest conflicts among the ways to pair lines.
fn merge_lines(sides: &Sides<'_>, language: Language) -> Merged {
    let parses = |side: &[&str]| language.parses(&side.concat());
    let ours_parses = parses(&sides.ours);
    let lists = OnceCell::new();
    let file = File {
        language,
        parses: ours_parses,
        lists: (ours_parses && parses(&sides.theirs)).then_some(&lists),
        sides,
    };
    let mut best: Option<Vec<Region>> = None;
    for plain in sides.merges() {
        let regions = file.settled(plain);
        if best
            .as_ref()
            .is_none_or(|best| conflicts(&regions) < conflicts(best))
        {
            best = Some(regions);
        }
        if best.as_ref().is_some_and(|best| conflicts(best) == 0) {
            break;
        }
    }
    let regions = best.unwrap_or_default();
    Merged {
        text: text(sides, &regions),
        conflicts: conflicts(&regions),
    }
}

/// What is known of a file that is merged.
struct File<'s> {
    language: Language,
    /// Whether ours does: then a clean result must.
    parses: bool,
    /// Where all is read: the lists of the texts, once they are asked for.
    lists: Option<&'s OnceCell<Lists<'s>>>,
    sides: &'s Sides<'s>,
}

impl File<'_> {
    /// Refines conflicts, and makes conflicts of what must not stand.
    fn settled(&self, plain: Vec<Region>) -> Vec<Region> {
        let sides = self.sides;
        let lists = self.lists.filter(|_| conflicts(&plain) > 0);
        let lists = lists.map(|lists| lists.get_or_init(|| Lists::new(self.language, sides)));
        let mut regions = refine::refine(sides, lists, plain.clone());
        if self.lists.is_some() {
            twice::settle(self.language, sides, &mut regions);
        }
        if !self.stands(&regions) {
            regions = refine::refine(sides, None, plain);
        }
        if !self.stands(&regions) {
            let changes = three_way::changes(&regions);
            three_way::as_one_conflict(&mut regions, changes);
        }
        regions
    }

    fn stands(&self, regions: &[Region]) -> bool {
        !self.parses || conflicts(regions) > 0 || self.language.parses(&text(self.sides, regions))
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
