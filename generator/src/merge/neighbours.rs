//! Edits of neighbouring items that do not overlap: git calls them a conflict, because no line
//! between them stayed as it was; in a list they are none.
//!
//! Clean is only what keeps every line that a side added, and tears no item from its comments and
//! attributes. Where that is not certain, the conflict stays.

mod edits;

use std::ops::Range;

use self::edits::Edit;
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

/// An edit, whose it is, and what it adds.
#[derive(Debug, Clone, Copy)]
struct Placed<'a> {
    edit: &'a Edit,
    side: &'a Side<'a>,
}

/// What both sides put above one item: a description comes before attributes. Two descriptions,
/// or two attributes of one name, are a conflict.
fn attached(ours: String, theirs: String) -> Option<String> {
    let is_doc = |line: &str| line.trim_start().starts_with("///");
    let attribute = |line: &str| {
        let name = line.trim_start().strip_prefix("#[")?;
        name.split(['(', ']', ' ']).next().map(str::to_owned)
    };
    let names = |text: &str| text.lines().filter_map(attribute).collect::<Vec<_>>();
    let twice = names(&ours)
        .iter()
        .any(|name| names(&theirs).contains(name));
    match (ours.lines().any(is_doc), theirs.lines().any(is_doc)) {
        (true, true) => None,
        _ if twice => None,
        (false, true) => Some(theirs + &ours),
        _ => Some(ours + &theirs),
    }
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
            // One more line that is attached to the same item.
            (Run::Items(before), Run::Attached) => before.is_empty(),
            (Run::Items(before), Run::Items(after)) => match (before.first(), after.first()) {
                (Some(before), Some(after)) => {
                    let keys = self.base.keys(before);
                    let is_named = !keys.is_empty() && keys == below.side.keys(after);
                    is_named || self.is_renamed_by_us(before, below, after)
                }
                _ => false,
            },
            _ => false,
        };
        stays.then_some(())
    }

    /// A field that the user gave another name, and left at its place with its type, is the same
    /// field. (A template that does so may mean another one.)
    fn is_renamed_by_us(
        &self,
        before: &Range<usize>,
        below: Placed<'_>,
        after: &Range<usize>,
    ) -> bool {
        let is_ours = std::ptr::eq(below.side, &self.ours);
        let kind = |side: &Side<'_>, item: &Range<usize>| {
            let text = side.text(item);
            let (_, kind) = text.split_once(": ")?;
            (item.len() == 1).then(|| kind.to_owned())
        };
        let known = kind(&self.base, before);
        is_ours && known.is_some() && known == kind(below.side, after)
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
            (Run::Attached, Run::Attached) => {
                return attached(self.ours.text(&ours.side), self.theirs.text(&theirs.side));
            }
        };
        if mine.is_empty() || new.is_empty() {
            // One side parts what stands here by an empty line.
            let (ours, theirs) = (self.ours.text(&ours.side), self.theirs.text(&theirs.side));
            let is_parted = ours.starts_with('\n') && theirs.starts_with('\n');
            return Some(match () {
                () if !is_parted => ours + &theirs,
                () if mine.is_empty() => theirs,
                () => ours,
            });
        }
        let mut alike: Vec<String> = mine.iter().map(|item| self.ours.text(item)).collect();
        let names: Vec<String> = mine.iter().flat_map(|item| self.ours.keys(item)).collect();
        let mut text = self.ours.text(&ours.side);
        for item in &new {
            // Each of ours stands for one of theirs: what they have twice is not lost.
            let known = |text: &String| text.trim() == self.theirs.text(item).trim();
            if let Some(at) = alike.iter().position(known) {
                alike.swap_remove(at);
                continue;
            }
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
