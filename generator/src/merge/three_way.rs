//! The line merge, as regions that both sides agree on or not. Refinements work on regions.

use std::ops::Range;

use similar::{MergeResolution, TextMerge};

/// The three texts by their lines, each with its line feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides<'a> {
    /// As last rendered.
    pub base: Vec<&'a str>,
    /// As on disk.
    pub ours: Vec<&'a str>,
    /// As rendered now.
    pub theirs: Vec<&'a str>,
}

/// The lines of a region on each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Lines of the base.
    pub base: Range<usize>,
    /// Lines of our side.
    pub ours: Range<usize>,
    /// Lines of their side.
    pub theirs: Range<usize>,
}

impl Span {
    fn sides(&mut self) -> [&mut Range<usize>; 3] {
        [&mut self.base, &mut self.ours, &mut self.theirs]
    }

    /// Leaves out the last lines of each side.
    pub fn end_earlier(&mut self, lines: usize) {
        self.sides().into_iter().for_each(|side| side.end -= lines);
    }

    /// Leaves out the first lines of each side.
    pub fn start_later(&mut self, lines: usize) {
        self.sides()
            .into_iter()
            .for_each(|side| side.start += lines);
    }
}

/// What stands in a region of the merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No side changed it.
    Same,
    /// Our side: theirs did not change it, or changed it alike.
    Ours,
    /// Their side: ours did not change it.
    Theirs,
    /// Both changed it, and both changes stand in this text.
    Merged(String),
    /// Both changed it, differently.
    Conflict,
}

/// A run of lines of a merge. The regions of a merge are in order and leave nothing out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its lines.
    pub span: Span,
    /// What stands there.
    pub outcome: Outcome,
}

impl Sides<'_> {
    /// The texts of a span: ours, base, theirs.
    pub fn texts(&self, span: &Span) -> [String; 3] {
        [
            self.ours[span.ours.clone()].concat(),
            self.base[span.base.clone()].concat(),
            self.theirs[span.theirs.clone()].concat(),
        ]
    }
}

/// Merges line by line (Myers), conflicts as wide as they come. All three texts are in normal form.
pub fn merge<'a>(base: &'a str, ours: &'a str, theirs: &'a str) -> (Sides<'a>, Vec<Region>) {
    let merge = TextMerge::from_lines(base, ours, theirs);
    let sides = Sides {
        base: lines(
            base,
            (0..merge.base_len()).filter_map(|line| merge.base_line(line)),
        ),
        ours: lines(
            ours,
            (0..merge.ours_len()).filter_map(|line| merge.ours_line(line)),
        ),
        theirs: lines(
            theirs,
            (0..merge.theirs_len()).filter_map(|line| merge.theirs_line(line)),
        ),
    };
    let region = |region: &similar::MergeRegion| Region {
        span: Span {
            base: region.base_range(),
            ours: region.ours_range(),
            theirs: region.theirs_range(),
        },
        outcome: match region.resolution() {
            MergeResolution::Unchanged => Outcome::Same,
            MergeResolution::Ours | MergeResolution::Both => Outcome::Ours,
            MergeResolution::Theirs => Outcome::Theirs,
            // The enum may grow: what is not understood is left to the user.
            _ => Outcome::Conflict,
        },
    };
    let regions = merge.regions().iter().map(region).collect();
    (sides, regions)
}

/// The lines as slices of `text` itself, cut where the merge cuts them.
fn lines<'a, 'b>(text: &'a str, cut: impl Iterator<Item = &'b str>) -> Vec<&'a str> {
    let mut rest = text;
    cut.map(|line| {
        let (line, after) = rest.split_at(line.len());
        rest = after;
        line
    })
    .collect()
}

/// The regions of `range` as one conflict: for a merge that is clean by its lines, and yet must
/// not stand.
pub fn as_one_conflict(regions: &mut Vec<Region>, range: Range<usize>) {
    let [Some(first), Some(last)] = [
        regions.get(range.start),
        regions.get(range.end.wrapping_sub(1)),
    ] else {
        return;
    };
    let span = Span {
        base: first.span.base.start..last.span.base.end,
        ours: first.span.ours.start..last.span.ours.end,
        theirs: first.span.theirs.start..last.span.theirs.end,
    };
    let outcome = Outcome::Conflict;
    regions.splice(range, [Region { span, outcome }]);
}

/// From the first change to behind the last.
pub fn changes(regions: &[Region]) -> Range<usize> {
    let changed = |region: &Region| region.outcome != Outcome::Same;
    let first = regions.iter().position(changed).unwrap_or(0);
    first
        ..regions
            .iter()
            .rposition(changed)
            .map_or(first, |last| last + 1)
}
