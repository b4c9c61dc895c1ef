//! The edits of a side, cut so that each adds and removes whole items: the difference of two texts
//! knows lines only, and may begin an item in the middle.

use std::collections::VecDeque;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::merge::item::{LineRun, MergeSide};

/// Some lines of the base that a side replaced by its own; one of both may be none.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    /// The lines of the base.
    pub base: Range<usize>,
    /// The lines of the side.
    pub lines: Range<usize>,
    /// The side.
    pub of: &'a MergeSide<'a>,
}

impl Edit<'_> {
    /// The present lines.
    pub fn text(&self) -> String {
        self.of.text(&self.lines)
    }

    /// The added items; `None` where the lines are not whole items.
    pub fn added(&self) -> Option<LineRun> {
        self.of.run(self.lines.clone())
    }

    /// The removed items; `None` where the lines are not whole items.
    pub fn removed(&self, base: &MergeSide<'_>) -> Option<LineRun> {
        base.run(self.base.clone())
    }

    fn is_whole(&self, base: &MergeSide<'_>) -> bool {
        let (Some(removed), Some(added)) = (self.removed(base), self.added()) else {
            return false;
        };
        match (removed, added) {
            (LineRun::Attached, LineRun::Attached) => true,
            (LineRun::Attached, LineRun::Items(added)) => added.is_empty(),
            (LineRun::Items(removed), LineRun::Attached) => removed.is_empty(),
            // One item for one keeps what is attached to it.
            (LineRun::Items(removed), LineRun::Items(added)) => {
                (removed.len() == 1 && added.len() == 1) || !base.follows_attached(self.base.start)
            }
        }
    }
}

/// Where edits are looked for.
pub struct Edits<'a> {
    /// As last rendered.
    pub base: &'a MergeSide<'a>,
    /// The side that changed it.
    pub side: &'a MergeSide<'a>,
}

impl<'a> Edits<'a> {
    /// The edits within a span, each of whole items.
    pub fn of(&self, base: &Range<usize>, lines: &Range<usize>) -> Option<Vec<Edit<'a>>> {
        let mut edits = self.of_lines(base, lines);
        let mut whole = Vec::with_capacity(edits.len());
        while let Some(edit) = edits.pop_front() {
            let found = match edit.is_whole(self.base) {
                true => edit,
                false => self
                    .in_two(&edit, base.end, &mut edits)
                    .or_else(|| self.longer(edit, base.end, &mut edits))?,
            };
            whole.push(found);
        }
        Some(whole)
    }

    fn of_lines(&self, base: &Range<usize>, lines: &Range<usize>) -> VecDeque<Edit<'a>> {
        let (old, new) = (
            &self.base.lines[base.clone()],
            &self.side.lines[lines.clone()],
        );
        let mut edits: VecDeque<Edit<'a>> = VecDeque::new();
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            let (tag, old, new) = op.as_tag_tuple();
            let edit = Edit {
                base: old.start + base.start..old.end + base.start,
                lines: new.start + lines.start..new.end + lines.start,
                of: self.side,
            };
            match edits.back_mut() {
                _ if tag == DiffTag::Equal => {}
                Some(last)
                    if last.base.end == edit.base.start && last.lines.end == edit.lines.start =>
                {
                    (last.base.end, last.lines.end) = (edit.base.end, edit.lines.end);
                }
                _ => edits.push_back(edit),
            }
        }
        edits
    }

    /// The edit as two, with the next line between them. (Methods that are added at the end of an
    /// `impl`, and functions below it, may seem to be one run with a brace of its own.)
    fn in_two(
        &self,
        edit: &Edit<'a>,
        end: usize,
        rest: &mut VecDeque<Edit<'a>>,
    ) -> Option<Edit<'a>> {
        let next = edit.base.end;
        let is_free = next < end && rest.front().is_none_or(|edit| edit.base.start > next);
        if !is_free {
            return None;
        }
        let closing = |line: &usize| self.side.lines[*line] == self.base.lines[next];
        for line in edit.lines.clone().filter(closing) {
            let (mut above, mut below) = (edit.clone(), edit.clone());
            above.lines.end = line;
            (below.base, below.lines) = (next + 1..next + 1, line + 1..edit.lines.end + 1);
            if above.is_whole(self.base) && below.is_whole(self.base) {
                rest.push_front(below);
                return Some(above);
            }
        }
        None
    }

    /// The edit with the lines below it, down to the end of the item.
    fn longer(
        &self,
        mut edit: Edit<'a>,
        end: usize,
        rest: &mut VecDeque<Edit<'a>>,
    ) -> Option<Edit<'a>> {
        while !edit.is_whole(self.base) {
            if let Some(next) = rest.pop_front_if(|next| next.base.start <= edit.base.end) {
                (edit.base.end, edit.lines.end) = (next.base.end, next.lines.end);
            } else if edit.base.end < end {
                (edit.base.end, edit.lines.end) = (edit.base.end + 1, edit.lines.end + 1);
            } else {
                return None;
            }
        }
        Some(edit)
    }
}
