//! Edits of neighbouring items that do not overlap: git calls them a conflict, because no line
//! between them stayed as it was; in a list they are none.
//!
//! Clean is only what keeps every line that a side added, and tears no item from its comments and
//! attributes. Where that is not certain, the conflict stays.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::merge::Language;
use crate::merge::item::{Run, Side};
use crate::merge::outline::{LineKind, Outline};
use crate::merge::three_way::{Sides, Span};

/// The three texts with their outlines.
#[derive(Debug)]
pub struct Lists<'a> {
    base: Side<'a>,
    ours: Side<'a>,
    theirs: Side<'a>,
}

/// Some lines of the base that a side replaced by its own; one of both may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    base: Range<usize>,
    side: Range<usize>,
}

/// An edit, whose it is, and what it adds.
#[derive(Debug, Clone, Copy)]
struct Placed<'a> {
    edit: &'a Edit,
    side: &'a Side<'a>,
}

impl<'a> Lists<'a> {
    /// Reads the shape of all three texts.
    pub fn new(language: Language, sides: &'a Sides<'a>) -> Lists<'a> {
        let side = |lines: &'a [&'a str]| Side {
            lines,
            outline: Outline::of(language, lines),
        };
        Lists {
            base: side(&sides.base),
            ours: side(&sides.ours),
            theirs: side(&sides.theirs),
        }
    }

    /// The lines of `span` with the edits of both sides; `None` where they overlap, or are no
    /// whole items of a list.
    pub fn merge(&self, span: &Span) -> Option<String> {
        let ours = self.edits(&self.ours, &span.base, &span.ours)?;
        let theirs = self.edits(&self.theirs, &span.base, &span.theirs)?;
        for one in &ours {
            for other in &theirs {
                let (one, other) = (
                    Placed {
                        edit: one,
                        side: &self.ours,
                    },
                    Placed {
                        edit: other,
                        side: &self.theirs,
                    },
                );
                self.may_stand_together(one, other)?;
            }
        }
        self.write(span, &ours, &theirs)
    }

    /// A side's edits within a span, each of whole items.
    fn edits(&self, side: &Side<'_>, base: &Range<usize>, of: &Range<usize>) -> Option<Vec<Edit>> {
        let (old, new) = (&self.base.lines[base.clone()], &side.lines[of.clone()]);
        let mut edits: Vec<Edit> = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            let (tag, old, new) = op.as_tag_tuple();
            let (old, new) = (
                old.start + base.start..old.end + base.start,
                new.start + of.start..new.end + of.start,
            );
            match edits.last_mut() {
                _ if tag == DiffTag::Equal => {}
                Some(last) if last.base.end == old.start && last.side.end == new.start => {
                    (last.base.end, last.side.end) = (old.end, new.end);
                }
                _ => edits.push(Edit {
                    base: old,
                    side: new,
                }),
            }
        }
        edits
            .into_iter()
            .map(|edit| self.whole(side, edit, base.start))
            .collect()
    }

    /// The edit, or the same one some lines further up, where it adds and removes whole items. (An
    /// item that is added between two with the same attribute may seem to begin behind it.)
    fn whole(&self, side: &Side<'_>, edit: Edit, floor: usize) -> Option<Edit> {
        let mut edit = edit;
        loop {
            if self.is_whole(side, &edit) {
                return Some(edit);
            }
            let is_one_sided = edit.base.is_empty() || edit.side.is_empty();
            if !is_one_sided || edit.base.start <= floor || edit.side.start == 0 {
                return None;
            }
            let above = self.base.lines[edit.base.start - 1];
            let last = if edit.base.is_empty() {
                side.lines[edit.side.end - 1]
            } else {
                self.base.lines[edit.base.end - 1]
            };
            if above != last || side.lines[edit.side.start - 1] != above {
                return None;
            }
            edit = Edit {
                base: edit.base.start - 1..edit.base.end - 1,
                side: edit.side.start - 1..edit.side.end - 1,
            };
        }
    }

    fn is_whole(&self, side: &Side<'_>, edit: &Edit) -> bool {
        let (Some(removed), Some(added)) = (
            self.base.run(edit.base.clone()),
            side.run(edit.side.clone()),
        ) else {
            return false;
        };
        let stands_free = !self.base.follows_attached(edit.base.start);
        match (removed, added) {
            (Run::Attached, Run::Attached) => true,
            (Run::Attached, Run::Items(added)) => added.is_empty(),
            (Run::Items(removed), Run::Attached) => removed.is_empty(),
            // One item for one: it keeps what is attached to it.
            (Run::Items(removed), Run::Items(added)) if removed.len() == 1 && added.len() == 1 => {
                true
            }
            _ => stands_free,
        }
    }

    /// Two edits of different sides: apart, side by side, or alike.
    fn may_stand_together(&self, one: Placed<'_>, other: Placed<'_>) -> Option<()> {
        let (a, b) = (&one.edit.base, &other.edit.base);
        let alike = a == b
            && one.side.lines[one.edit.side.clone()] == other.side.lines[other.edit.side.clone()];
        if alike || a.end < b.start || b.end < a.start {
            return Some(());
        }
        match () {
            () if a.is_empty() && b.is_empty() => Some(()),
            () if a.end <= b.start => self.keeps_head(one, other),
            () if b.end <= a.start => self.keeps_head(other, one),
            () => None,
        }
    }

    /// What `above` adds may belong to what follows; then `below` must leave that in its place.
    fn keeps_head(&self, above: Placed<'_>, below: Placed<'_>) -> Option<()> {
        let belongs = |side: &Side<'_>, run: &Range<usize>| {
            !run.is_empty() && side.run(run.clone()) == Some(Run::Attached)
        };
        let has_attached =
            belongs(above.side, &above.edit.side) || belongs(&self.base, &above.edit.base);
        if !has_attached {
            return Some(());
        }
        let before = self.base.run(below.edit.base.clone())?;
        let after = below.side.run(below.edit.side.clone())?;
        let stays = match (before, after) {
            (Run::Attached, Run::Attached) => true,
            (Run::Items(before), Run::Items(after)) => match (before.first(), after.first()) {
                (Some(before), Some(after)) => {
                    let keys = self.base.keys(before);
                    !keys.is_empty() && keys == below.side.keys(after)
                }
                _ => false,
            },
            _ => false,
        };
        stays.then_some(())
    }

    fn write(&self, span: &Span, ours: &[Edit], theirs: &[Edit]) -> Option<String> {
        let mut text = String::new();
        let mut cursor = span.base.start;
        let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
        while ours.peek().is_some() || theirs.peek().is_some() {
            let (one, other) = (ours.peek().copied(), theirs.peek().copied());
            let start = one
                .into_iter()
                .chain(other)
                .map(|edit| edit.base.start)
                .min()?;
            text.push_str(&self.base.lines.get(cursor..start)?.concat());
            let (taken, lines) = self.next(one, other)?;
            text.push_str(&lines);
            cursor = taken.base.end;
            ours.next_if(|edit| edit.base == taken.base);
            theirs.next_if(|edit| edit.base == taken.base);
        }
        text.push_str(&self.base.lines.get(cursor..span.base.end)?.concat());
        Some(text)
    }

    /// The edit that comes next with its lines; where both sides have one there, both.
    fn next<'e>(
        &self,
        ours: Option<&'e Edit>,
        theirs: Option<&'e Edit>,
    ) -> Option<(&'e Edit, String)> {
        let ours_lines = |edit: &Edit| self.ours.lines[edit.side.clone()].concat();
        let theirs_lines = |edit: &Edit| self.theirs.lines[edit.side.clone()].concat();
        Some(match (ours, theirs) {
            (Some(one), None) => (one, ours_lines(one)),
            (None, Some(other)) => (other, theirs_lines(other)),
            (Some(one), Some(other)) if one.base == other.base => {
                let (ours, theirs) = (ours_lines(one), theirs_lines(other));
                (
                    one,
                    if ours == theirs {
                        ours
                    } else {
                        self.both(one, other)?
                    },
                )
            }
            (Some(one), Some(other)) if one.base.end <= other.base.start => (one, ours_lines(one)),
            (Some(_), Some(other)) => (other, theirs_lines(other)),
            (None, None) => return None,
        })
    }

    /// What both sides added at one place: our items, then theirs; what is attached to the next
    /// item comes last.
    fn both(&self, ours: &Edit, theirs: &Edit) -> Option<String> {
        if !ours.base.is_empty() {
            return None;
        }
        let (one, other) = (
            self.ours.run(ours.side.clone())?,
            self.theirs.run(theirs.side.clone())?,
        );
        let (mine, new) = match (one, other) {
            (Run::Items(mine), Run::Items(new)) => (mine, new),
            (Run::Attached, Run::Items(_)) => {
                return Some(self.theirs.text(&theirs.side) + &self.ours.text(&ours.side));
            }
            (Run::Items(_), Run::Attached) => {
                return Some(self.ours.text(&ours.side) + &self.theirs.text(&theirs.side));
            }
            (Run::Attached, Run::Attached) => return None,
        };
        if mine.is_empty() || new.is_empty() {
            // Empty lines only.
            return None;
        }
        let texts: Vec<String> = mine.iter().map(|item| self.ours.text(item)).collect();
        let known = |item: &Range<usize>| {
            texts
                .iter()
                .any(|text| text.trim() == self.theirs.text(item).trim())
        };
        let names: Vec<String> = mine.iter().flat_map(|item| self.ours.keys(item)).collect();
        let mut text = self.ours.text(&ours.side);
        for item in new.iter().filter(|item| !known(item)) {
            if self.theirs.keys(item).iter().any(|key| names.contains(key)) {
                return None;
            }
            text.push_str(&self.theirs.text(item));
        }
        let behind = new.last().map_or(theirs.side.end, |last| last.end)..theirs.side.end;
        let blank = self.theirs.outline.kinds[behind.clone()]
            .iter()
            .all(|kind| *kind == LineKind::Blank);
        blank.then(|| text + &self.theirs.text(&behind))
    }
}
