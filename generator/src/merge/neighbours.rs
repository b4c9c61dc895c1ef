//! Edits of neighbouring items that do not overlap: a conflict for git, because there is no
//! unchanged line between them, but not in a list.
//!
//! A result is clean only if it keeps every line that a side added, and every item with its
//! comments and attributes. Otherwise the conflict stays.

mod edits;

use std::ops::Range;

use self::edits::{Edit, Edits};
use crate::merge::item::{LineRun, MergeSide};
use crate::merge::outline::Language;
use crate::merge::three_way::{RegionLines, Sides};

/// The three texts with their outlines.
#[derive(Debug)]
pub struct Lists<'a> {
    base: MergeSide<'a>,
    ours: MergeSide<'a>,
    theirs: MergeSide<'a>,
}

impl<'a> Lists<'a> {
    /// Reads the shape of all three texts.
    pub fn new(language: Language, sides: &'a Sides<'a>) -> Lists<'a> {
        let side = |lines: &'a [&'a str]| MergeSide::of(language, lines);
        Lists {
            base: side(&sides.base),
            ours: side(&sides.ours),
            theirs: side(&sides.theirs),
        }
    }

    /// The lines of `span` with the edits of both sides; `None` where they overlap, or are no
    /// whole items of a list.
    pub fn merge(&self, span: &RegionLines) -> Option<String> {
        let edits = |side, lines| {
            let base = &self.base;
            Edits { base, side }.of(&span.base, lines)
        };
        let ours = edits(&self.ours, &span.ours)?;
        let theirs = edits(&self.theirs, &span.theirs)?;
        let pairs = ours
            .iter()
            .flat_map(|one| theirs.iter().map(move |other| (one, other)));
        for (one, other) in pairs {
            self.may_stand_together(one, other)?;
        }
        self.write(&span.base, ours.iter().chain(&theirs).collect())
    }

    /// The lines of our side or of theirs, then the items that only the other side has; `None` if the other side holds no
    /// whole items of a list.
    pub fn side_with_new_items(&self, is_ours: bool, span: &RegionLines) -> Option<String> {
        let (ours, theirs) = ((&self.ours, &span.ours), (&self.theirs, &span.theirs));
        let ((side, lines), (other, other_lines)) = match is_ours {
            true => (ours, theirs),
            false => (theirs, ours),
        };
        let keys = |side: &MergeSide<'_>, lines: &Range<usize>| match side.run(lines.clone())? {
            LineRun::Items(items) => Some(items.iter().flat_map(|item| side.keys(item)).collect()),
            LineRun::Attached => None,
        };
        let mut known: Vec<String> = keys(side, lines)?;
        known.extend(keys(&self.base, &span.base)?);
        let LineRun::Items(items) = other.run(other_lines.clone())? else {
            return None;
        };
        let is_new = |item: &&Range<usize>| {
            let keys = other.keys(item);
            !keys.is_empty() && keys.iter().all(|key| !known.contains(key))
        };
        let new = items.iter().filter(is_new).map(|item| other.text(item));
        Some(side.text(lines) + &new.collect::<String>())
    }

    /// Two edits of different sides: apart, side by side, or alike.
    fn may_stand_together(&self, one: &Edit<'_>, other: &Edit<'_>) -> Option<()> {
        let (a, b) = (&one.base, &other.base);
        let are_alike = a == b && one.text() == other.text();
        let are_apart = a.end < b.start || b.end < a.start;
        if are_alike || are_apart || (a.is_empty() && b.is_empty()) {
            Some(())
        } else if a.end <= b.start {
            self.keeps_head(one, other)
        } else if b.end <= a.start {
            self.keeps_head(other, one)
        } else {
            None
        }
    }

    /// Lines that `above` adds may belong to the next item; then `below` must leave that item in
    /// its place.
    fn keeps_head(&self, above: &Edit<'_>, below: &Edit<'_>) -> Option<()> {
        let has_attached =
            [above.removed(&self.base), above.added()].contains(&Some(LineRun::Attached));
        if !has_attached {
            return Some(());
        }
        let stays = match (below.removed(&self.base)?, below.added()?) {
            (LineRun::Attached, LineRun::Attached) => true,
            // One more line that is attached to the same item.
            (LineRun::Items(before), LineRun::Attached) => before.is_empty(),
            (LineRun::Items(before), LineRun::Items(after)) => {
                match (before.first(), after.first()) {
                    (Some(before), Some(after)) => {
                        let keys = self.base.keys(before);
                        !keys.is_empty() && keys == below.of.keys(after)
                    }
                    _ => false,
                }
            }
            (LineRun::Attached, LineRun::Items(_)) => false,
        };
        stays.then_some(())
    }

    fn write(&self, span: &Range<usize>, mut edits: Vec<&Edit<'_>>) -> Option<String> {
        // Where both sides have an edit at one place, ours stays the first.
        edits.sort_by_key(|edit| (edit.base.start, edit.base.end));
        let (mut text, mut cursor) = (String::new(), span.start);
        let mut edits = edits.into_iter().peekable();
        while let Some(edit) = edits.next() {
            text.push_str(&self.base.lines.get(cursor..edit.base.start)?.concat());
            text.push_str(&match edits.next_if(|other| other.base == edit.base) {
                Some(other) if other.text() != edit.text() => ours_then_theirs(edit, other)?,
                _ => edit.text(),
            });
            cursor = edit.base.end;
        }
        text.push_str(&self.base.lines.get(cursor..span.end)?.concat());
        Some(text)
    }
}

/// The additions of both sides at one place: our items, then theirs; lines that are attached to the
/// next item come last. An item that both added is a conflict.
fn ours_then_theirs(ours: &Edit<'_>, theirs: &Edit<'_>) -> Option<String> {
    if !ours.base.is_empty() {
        return None;
    }
    let (mine, new) = (ours.text(), theirs.text());
    match (ours.added()?, theirs.added()?) {
        (LineRun::Attached, LineRun::Attached) => attached(mine, new),
        (LineRun::Attached, LineRun::Items(_)) => Some(new + &mine),
        (LineRun::Items(_), LineRun::Attached) => Some(mine + &new),
        (LineRun::Items(own), LineRun::Items(others)) => {
            let own: Vec<String> = own.iter().map(|item| ours.of.text(item)).collect();
            let is_known = |other| {
                own.iter()
                    .any(|own| own.trim() == theirs.of.text(other).trim())
            };
            (!others.iter().any(is_known)).then(|| mine + &new)
        }
    }
}

/// Lines that both sides put above one item: a description comes before attributes. Two
/// descriptions, or two attributes of one name, are a conflict.
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
        _ if twice => None,
        (true, true) => None,
        (false, true) => Some(theirs + &ours),
        _ => Some(ours + &theirs),
    }
}
