//! The three-way merge of one file (docs/adr/0002-merge.md).
//!
//! The caller formats base, ours and theirs first (planning does so in one batch); the rest of
//! the pipeline is here: normal form, line merge, refinement of its conflicts, gates that a clean
//! result must pass, git's markers, the file's own style.

pub mod favour;
pub mod item;
pub mod markers;
pub mod names;
pub mod neighbours;
pub mod outline;
pub mod refine;
pub mod sections;
pub mod style;
pub mod three_way;

pub use self::favour::Favour;
use self::neighbours::Lists;
pub use self::outline::Language;
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
    merge_texts(None, [base, ours, theirs], context)
}

/// Merges as [`merge`], and takes one side of each conflict.
pub fn merge_in_favour(
    favour: Favour,
    base: &str,
    ours: &str,
    theirs: &str,
    context: &MergeContext<'_>,
) -> Merged {
    merge_texts(Some(favour), [base, ours, theirs], context)
}

fn merge_texts(favour: Option<Favour>, texts: [&str; 3], context: &MergeContext<'_>) -> Merged {
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
        merge_changes(favour, &sides, context.language)
    };
    merged.text = style::restore(&merged.text, context.original);
    merged
}

/// Merges texts that both sides changed. The lists of the texts are read only if both sides parse.
fn merge_changes(favour: Option<Favour>, sides: &Sides<'_>, language: Language) -> Merged {
    let [ours, theirs] = [&sides.ours, &sides.theirs].map(|side| language.parses(&side.concat()));
    let file = MergedFile {
        sides,
        language,
        parses: ours,
        lists: (ours && theirs).then(|| Lists::new(language, sides)),
    };
    let regions = match favour {
        Some(favour) => file.resolve_conflicts(favour),
        None => file.merge(),
    };
    Merged {
        text: sides.text(&regions),
        conflicts: conflicts(&regions),
    }
}

/// A file that both sides changed.
struct MergedFile<'a> {
    sides: &'a Sides<'a>,
    language: Language,
    /// Whether our side parses: then a clean result must.
    parses: bool,
    lists: Option<Lists<'a>>,
}

impl MergedFile<'_> {
    /// Refines conflicts, and takes one side of each. New items of the other side are added below
    /// it, if the result is valid.
    fn resolve_conflicts(&self, favour: Favour) -> Vec<Region> {
        let take = |lists: Option<&Lists<'_>>| {
            let mut regions = refine::split_conflicts(self.sides, lists, self.sides.merge());
            favour.decide(lists, &mut regions);
            self.mark_misplaced_names(&mut regions);
            let is_clean = conflicts(&regions) == 0 && self.is_valid(&regions);
            favour.decide(None, &mut regions);
            (regions, is_clean)
        };
        match take(self.lists.as_ref()) {
            (regions, true) => regions,
            _ => take(None).0,
        }
    }

    /// Merges line by line, refines conflicts, and makes a conflict of a result that is not valid.
    fn merge(&self) -> Vec<Region> {
        let mut regions = self.sides.merge();
        if self.language == Language::Markdown {
            sections::settle(self.sides, &mut regions);
        }
        let mut regions = refine::refine(self.sides, self.lists.as_ref(), regions);
        self.mark_misplaced_names(&mut regions);
        if !self.is_valid(&regions) {
            let changes = three_way::changes(&regions);
            three_way::as_one_conflict(&mut regions, changes);
        }
        regions
    }

    fn mark_misplaced_names(&self, regions: &mut Vec<Region>) {
        if self.lists.is_some() {
            names::mark_misplaced(self.language, self.sides, regions);
        }
    }

    fn is_valid(&self, regions: &[Region]) -> bool {
        let must_parse = self.parses && conflicts(regions) == 0;
        !must_parse || self.language.parses(&self.sides.text(regions))
    }
}

#[cfg(test)]
mod tests;
