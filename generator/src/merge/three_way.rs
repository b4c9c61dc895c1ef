//! The line merge, as regions that both sides agree on or not. Refinements work on regions.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, MergeResolution, TextMergeConfig};

use crate::merge::markers;

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
pub struct RegionLines {
    /// Lines of the base.
    pub base: Range<usize>,
    /// Lines of our side.
    pub ours: Range<usize>,
    /// Lines of their side.
    pub theirs: Range<usize>,
}

impl RegionLines {
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

/// The text of a region of the merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No side changed it.
    Same,
    /// Our side: theirs did not change it, or changed it alike.
    Ours,
    /// Their side: ours did not change it.
    Theirs,
    /// Both changed it, and this text has both changes.
    Merged(String),
    /// Both changed it, differently.
    Conflict,
}

/// A run of lines of a merge. The regions of a merge are in order and leave nothing out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its lines.
    pub span: RegionLines,
    /// The text.
    pub outcome: Outcome,
}

impl Sides<'_> {
    /// The merged text.
    pub fn text(&self, regions: &[Region]) -> String {
        regions
            .iter()
            .map(|region| self.region_text(region))
            .collect()
    }

    /// The text of a region, with git's markers around a conflict.
    pub fn region_text(&self, region: &Region) -> String {
        let [ours, base, theirs] = self.texts(&region.span);
        match &region.outcome {
            Outcome::Same | Outcome::Ours => ours,
            Outcome::Theirs => theirs,
            Outcome::Merged(text) => text.clone(),
            Outcome::Conflict => markers::write(&ours, &base, &theirs),
        }
    }

    /// The texts of a span: ours, base, theirs.
    pub fn texts(&self, span: &RegionLines) -> [String; 3] {
        [
            self.ours[span.ours.clone()].concat(),
            self.base[span.base.clone()].concat(),
            self.theirs[span.theirs.clone()].concat(),
        ]
    }
}

impl<'a> Sides<'a> {
    /// Cuts three texts in normal form into lines.
    pub fn of(base: &'a str, ours: &'a str, theirs: &'a str) -> Sides<'a> {
        let [base, ours, theirs] =
            [base, ours, theirs].map(|text| text.split_inclusive('\n').collect());
        Sides { base, ours, theirs }
    }

    /// Merges line by line, conflicts as wide as they come.
    pub fn merge(&self) -> Vec<Region> {
        // Lines go in as numbers: a lone carriage return within one would end it.
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let texts = [&self.base, &self.ours, &self.theirs].map(|lines| {
            let number = |line: &&'a str| {
                let next = numbers.len();
                format!("{}\n", numbers.entry(*line).or_insert(next))
            };
            lines.iter().map(number).collect::<String>()
        });
        let [base, ours, theirs] = &texts;
        let mut config = TextMergeConfig::default();
        let config = config.algorithm(Algorithm::Myers);
        let merge = config.merge_lines(base, ours, theirs);
        merge.regions().iter().map(region).collect()
    }
}

fn region(region: &similar::MergeRegion) -> Region {
    Region {
        span: RegionLines {
            base: region.base_range(),
            ours: region.ours_range(),
            theirs: region.theirs_range(),
        },
        outcome: match region.resolution() {
            MergeResolution::Unchanged => Outcome::Same,
            MergeResolution::Ours | MergeResolution::Both => Outcome::Ours,
            MergeResolution::Theirs => Outcome::Theirs,
            // The enum may grow: an unknown variant is a conflict.
            _ => Outcome::Conflict,
        },
    }
}

/// The regions of `range` as one conflict: for a line merge that is clean but not valid.
pub fn as_one_conflict(regions: &mut Vec<Region>, range: Range<usize>) {
    if let Some(span) = regions.get(range.clone()).and_then(span_of) {
        let outcome = Outcome::Conflict;
        regions.splice(range, [Region { span, outcome }]);
    }
}

/// The lines of some regions; `None` of none.
pub fn span_of(regions: &[Region]) -> Option<RegionLines> {
    let (first, last) = (regions.first()?, regions.last()?);
    Some(RegionLines {
        base: first.span.base.start..last.span.base.end,
        ours: first.span.ours.start..last.span.ours.end,
        theirs: first.span.theirs.start..last.span.theirs.end,
    })
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

/// How many conflicts there are.
pub fn conflicts(regions: &[Region]) -> usize {
    regions
        .iter()
        .filter(|region| region.outcome == Outcome::Conflict)
        .count()
}
