//! The three-way merge of one file (docs/adr/0002-merge.md).
//!
//! The caller formats base, ours and theirs first (planning does so in one batch); the rest of
//! the pipeline is here: normal form, line merge, refinement of its conflicts, gates that a clean
//! result must pass, git's markers, the file's own style.

pub mod favour;
pub mod item;
pub mod language;
pub mod markers;
pub mod names;
pub mod neighbours;
pub mod order;
pub mod outline;
pub mod refine;
pub mod sections;
pub mod step;
pub mod style;
pub mod three_way;

pub use self::favour::Favour;
pub use self::language::Language;
use self::neighbours::Lists;
pub use self::step::Steps;
use self::three_way::{Region, Sides, conflicts};

/// The inputs of a merge beside the three texts.
#[derive(Debug, Clone, Copy)]
pub struct MergeContext<'a> {
    /// The language of the file.
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

/// Merges as [`merge`], and takes one side of each conflict.
pub fn merge_in_favour(
    favour: Favour,
    base: &str,
    ours: &str,
    theirs: &str,
    context: &MergeContext<'_>,
) -> Merged {
    merge_texts(Steps::ALL, Some(favour), [base, ours, theirs], context)
}

/// The merge by some of its steps.
pub fn merge_by(
    steps: Steps,
    base: &str,
    ours: &str,
    theirs: &str,
    context: &MergeContext<'_>,
) -> Merged {
    merge_texts(steps, None, [base, ours, theirs], context)
}

fn merge_texts(
    steps: Steps,
    favour: Option<Favour>,
    texts: [&str; 3],
    context: &MergeContext<'_>,
) -> Merged {
    let [base, ours, theirs] = texts.map(style::normalise);
    let clean = |text: &str| Merged {
        text: text.to_owned(),
        conflicts: 0,
    };
    let mut merged = if ours == theirs || base == theirs {
        clean(&ours)
    } else if base == ours {
        clean(&theirs)
    } else {
        let sides = Sides::of(&base, &ours, &theirs);
        merge_changes(steps, favour, &sides, context.language)
    };
    merged.text = style::restore(&merged.text, context.original);
    merged
}

/// The merge with lists in one order where a side moved something, unless that has more conflicts
/// than the merge of the texts as they are.
fn merge_changes(
    steps: Steps,
    favour: Option<Favour>,
    sides: &Sides<'_>,
    language: Language,
) -> Merged {
    let [ours, theirs] = [&sides.ours, &sides.theirs].map(|side| language.parses(&side.concat()));
    let file = FileFacts {
        language,
        parses: ours,
        is_read: ours && theirs,
        steps,
        favour,
    };
    let plain = file.merge(sides);
    let is_ordered = steps.order && file.is_read && language == Language::Rust;
    let aligned = is_ordered.then(|| order::align(language, sides)).flatten();
    let aligned = aligned.map(|[base, ours, theirs]| file.merge(&Sides::of(&base, &ours, &theirs)));
    match aligned {
        Some(aligned) if aligned.conflicts <= plain.conflicts => aligned,
        _ => plain,
    }
}

/// Facts about the merged file.
struct FileFacts {
    language: Language,
    /// Whether ours does: then a clean result must.
    parses: bool,
    /// Whether the lists of all texts can be read.
    is_read: bool,
    steps: Steps,
    favour: Option<Favour>,
}

impl FileFacts {
    /// The merge with the fewest conflicts among the ways to pair lines.
    fn merge(&self, sides: &Sides<'_>) -> Merged {
        let new = || Lists::new(self.language, sides, self.steps);
        let lists = (self.is_read && self.steps.neighbours).then(new);
        if let Some(favour) = self.favour {
            let regions = self.decided(sides, lists.as_ref(), favour);
            return Merged {
                text: sides.text(&regions),
                conflicts: 0,
            };
        }
        let merge = |upwards| self.settled(sides, lists.as_ref(), sides.merge(upwards));
        let mut regions = merge(false);
        if self.steps.upwards && conflicts(&regions) > 0 {
            let others = merge(true);
            if conflicts(&others) < conflicts(&regions) {
                regions = others;
            }
        }
        Merged {
            text: sides.text(&regions),
            conflicts: conflicts(&regions),
        }
    }

    /// Refines conflicts, and takes one side of each. New items beside it stay, if the result is valid.
    fn decided(&self, sides: &Sides<'_>, lists: Option<&Lists<'_>>, favour: Favour) -> Vec<Region> {
        let take = |lists: Option<&Lists<'_>>| {
            let plain = sides.merge(false);
            let mut regions = refine::split_conflicts(sides, lists, self.steps, plain);
            favour.decide(lists, &mut regions);
            if self.is_read {
                names::settle(self.language, sides, self.steps, &mut regions);
            }
            let is_clean = conflicts(&regions) == 0 && self.is_valid(sides, &regions);
            favour.decide(None, &mut regions);
            (regions, is_clean)
        };
        match take(lists) {
            (regions, true) => regions,
            _ => take(None).0,
        }
    }

    /// Refines conflicts, and makes conflicts of results that are not valid.
    fn settled(
        &self,
        sides: &Sides<'_>,
        lists: Option<&Lists<'_>>,
        mut plain: Vec<Region>,
    ) -> Vec<Region> {
        if self.steps.sections && self.language == Language::Markdown {
            sections::settle(sides, &mut plain);
        }
        let mut regions = refine::refine(sides, lists, self.steps, plain);
        if self.is_read {
            names::settle(self.language, sides, self.steps, &mut regions);
        }
        if !self.is_valid(sides, &regions) {
            let changes = three_way::changes(&regions);
            three_way::as_one_conflict(&mut regions, changes);
        }
        regions
    }

    fn is_valid(&self, sides: &Sides<'_>, regions: &[Region]) -> bool {
        let is_parsed = self.steps.parses && self.parses && conflicts(regions) == 0;
        !is_parsed || self.language.parses(&sides.text(regions))
    }
}

#[cfg(test)]
mod tests;
