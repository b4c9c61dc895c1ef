//! The three-way merge of one file (regeneration.md, "The merge").
//!
//! The caller formats base, ours and theirs first (planning does so in one batch); the rest of
//! the pipeline is here: normal form, line merge, refinement of its conflicts, gates that a clean
//! result must pass, git's markers, the file's own style.

pub mod item;
pub mod language;
pub mod markers;
pub mod names;
pub mod neighbours;
pub mod order;
pub mod outline;
pub mod refine;
pub mod step;
pub mod style;
pub mod three_way;

use std::cell::OnceCell;

pub use self::language::Language;
use self::neighbours::Lists;
pub use self::step::Steps;
use self::three_way::{Region, Sides, conflicts};

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
    merge_by(Steps::ALL, base, ours, theirs, context)
}

/// The merge by some of its steps.
pub fn merge_by(
    steps: Steps,
    base: &str,
    ours: &str,
    theirs: &str,
    context: &MergeContext<'_>,
) -> Merged {
    let [base, ours, theirs] = [base, ours, theirs].map(style::normalise);
    let clean = |text: &str| Merged {
        text: text.to_owned(),
        conflicts: 0,
    };
    let mut merged = if ours == theirs || base == theirs {
        clean(&ours)
    } else if base == ours {
        clean(&theirs)
    } else {
        merge_changes(steps, &Sides::of(&base, &ours, &theirs), context.language)
    };
    merged.text = style::restore(&merged.text, context.original);
    merged
}

/// The merge with lists in one order where a side moved something, unless that has more conflicts
/// than the merge of the texts as they are.
fn merge_changes(steps: Steps, sides: &Sides<'_>, language: Language) -> Merged {
    let plain = merge_lines(steps, sides, language);
    let parses = |side: &[&str]| language.parses(&side.concat());
    let is_read = steps.order && language == Language::Rust;
    let aligned = (is_read && parses(&sides.ours) && parses(&sides.theirs))
        .then(|| order::align(language, sides))
        .flatten();
    let Some([base, ours, theirs]) = aligned else {
        return plain;
    };
    let aligned = merge_lines(steps, &Sides::of(&base, &ours, &theirs), language);
    if aligned.conflicts <= plain.conflicts {
        aligned
    } else {
        plain
    }
}

/// The merge with the fewest conflicts among the ways to pair lines.
fn merge_lines(steps: Steps, sides: &Sides<'_>, language: Language) -> Merged {
    let parses = |side: &[&str]| language.parses(&side.concat());
    let ours_parses = parses(&sides.ours);
    let lists = OnceCell::new();
    let file = File {
        language,
        parses: ours_parses,
        lists: (ours_parses && parses(&sides.theirs)).then_some(&lists),
        sides,
        steps,
    };
    let ways = [false, true].into_iter().filter(|up| !up || steps.upwards);
    let mut best: Option<Vec<Region>> = None;
    for plain in ways.filter_map(|upwards| sides.merge(upwards)) {
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
        text: sides.text(&regions),
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
    steps: Steps,
}

impl File<'_> {
    /// Refines conflicts, and makes conflicts of what must not stand.
    fn settled(&self, plain: Vec<Region>) -> Vec<Region> {
        let lists = self
            .lists
            .filter(|_| self.steps.neighbours && conflicts(&plain) > 0);
        let new = || Lists::new(self.language, self.sides, self.steps);
        let lists = lists.map(|lists| lists.get_or_init(new));
        let mut regions = refine::refine(self.sides, lists, self.steps, plain);
        if self.lists.is_some() {
            names::settle(self.language, self.sides, self.steps, &mut regions);
        }
        if !self.stands(&regions) {
            let changes = three_way::changes(&regions);
            three_way::as_one_conflict(&mut regions, changes);
        }
        regions
    }

    fn stands(&self, regions: &[Region]) -> bool {
        let is_read = self.steps.parses && self.parses && conflicts(regions) == 0;
        !is_read || self.language.parses(&self.sides.text(regions))
    }
}

#[cfg(test)]
mod tests;
