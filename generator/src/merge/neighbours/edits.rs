//! What a side changed, cut so that each edit adds and removes whole items: the difference of two
//! texts knows lines only, and may begin an item in the middle.

use std::collections::VecDeque;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::Lists;
use crate::merge::item::{Run, Side};

/// Some lines of the base that a side replaced by its own; one of both may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub base: Range<usize>,
    pub side: Range<usize>,
}

impl Lists<'_> {
    /// A side's edits within a span, each of whole items.
    pub(super) fn edits(
        &self,
        side: &Side<'_>,
        base: &Range<usize>,
        of: &Range<usize>,
    ) -> Option<Vec<Edit>> {
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
        self.all_whole(side, edits.into(), base)
    }

    /// The same edits, cut so that each adds and removes whole items.
    fn all_whole(
        &self,
        side: &Side<'_>,
        mut edits: VecDeque<Edit>,
        span: &Range<usize>,
    ) -> Option<Vec<Edit>> {
        let mut whole = Vec::with_capacity(edits.len());
        while let Some(edit) = edits.pop_front() {
            let found = self
                .further_up(side, &edit, span.start)
                .or_else(|| self.in_two(side, &edit, span.end, &mut edits))
                .or_else(|| self.longer(side, &edit, span.end, &mut edits))?;
            whole.push(found);
        }
        Some(whole)
    }

    /// The edit, or the same one some lines further up. (An item that is added between two with
    /// the same attribute may seem to begin behind it.)
    fn further_up(&self, side: &Side<'_>, edit: &Edit, floor: usize) -> Option<Edit> {
        let mut edit = edit.clone();
        while !self.is_whole(side, &edit) {
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
        Some(edit)
    }

    /// The edit as two, with the next line between them. (Methods that are added at the end of an
    /// `impl`, and functions below it, may seem to be one run with a brace of its own.)
    fn in_two(
        &self,
        side: &Side<'_>,
        edit: &Edit,
        end: usize,
        rest: &mut VecDeque<Edit>,
    ) -> Option<Edit> {
        let next = edit.base.end;
        if next >= end || rest.front().is_some_and(|edit| edit.base.start <= next) {
            return None;
        }
        for line in edit.side.clone() {
            if side.lines[line] != self.base.lines[next] {
                continue;
            }
            let above = Edit {
                base: edit.base.clone(),
                side: edit.side.start..line,
            };
            let below = Edit {
                base: next + 1..next + 1,
                side: line + 1..edit.side.end + 1,
            };
            if self.is_whole(side, &above) && self.is_whole(side, &below) {
                rest.push_front(below);
                return Some(above);
            }
        }
        None
    }

    /// The edit with the lines below it, down to the end of the item.
    fn longer(
        &self,
        side: &Side<'_>,
        edit: &Edit,
        end: usize,
        rest: &mut VecDeque<Edit>,
    ) -> Option<Edit> {
        let mut edit = edit.clone();
        while !self.is_whole(side, &edit) {
            if rest
                .front()
                .is_some_and(|next| next.base.start <= edit.base.end)
            {
                let next = rest.pop_front()?;
                (edit.base.end, edit.side.end) = (next.base.end, next.side.end);
            } else if edit.base.end < end {
                (edit.base.end, edit.side.end) = (edit.base.end + 1, edit.side.end + 1);
            } else {
                return None;
            }
        }
        Some(edit)
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
}
