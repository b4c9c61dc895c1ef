//! Makes conflicts smaller: neighbouring edits in lists are not conflicts, and the others are split
//! at lines that both sides have, as git does.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

use crate::merge::neighbours::Lists;
use crate::merge::three_way::{self, Outcome, Region, RegionLines, Sides};

/// The number of unchanged lines above and below a conflict that may be used: an item may begin
/// above the line that changed, and end below.
const LINES_AROUND: usize = 60;
/// Two conflicts with no more lines between them are one, and with more lines that hold no letters
/// (git's rule).
const LINES_BETWEEN: usize = 3;

/// Refines each conflict. Without `lists`, at common lines only.
pub fn refine(sides: &Sides<'_>, lists: Option<&Lists<'_>>, regions: Vec<Region>) -> Vec<Region> {
    joined(split_conflicts(sides, lists, regions), sides)
}

/// Refines each conflict, and leaves them apart.
pub fn split_conflicts(
    sides: &Sides<'_>,
    lists: Option<&Lists<'_>>,
    regions: Vec<Region>,
) -> Vec<Region> {
    let mut refined: Vec<Region> = Vec::with_capacity(regions.len());
    let mut regions = regions.into_iter().peekable();
    while let Some(region) = regions.next() {
        if region.outcome != Outcome::Conflict {
            refined.push(region);
            continue;
        }
        let around = [refined.last_mut(), regions.peek_mut()];
        let merged = lists.and_then(|lists| neighbours(lists, around, &region.span));
        if let Some(merged) = merged {
            refined.push(merged);
            continue;
        }
        refined.extend(split(sides, &region.span));
    }
    refined
}

/// Both sides' edits side by side; unchanged lines above and below may become part of them.
fn neighbours(
    lists: &Lists<'_>,
    around: [Option<&mut Region>; 2],
    span: &RegionLines,
) -> Option<Region> {
    if let Some(text) = lists.merge(span) {
        return Some(Region {
            span: span.clone(),
            outcome: Outcome::Merged(text),
        });
    }
    let [above, below] = around.map(|region| region.filter(|one| one.outcome == Outcome::Same));
    let [up, down] = [&above, &below].map(|region| {
        let lines = region.as_ref().map_or(0, |one| one.span.base.len());
        lines.min(LINES_AROUND)
    });
    let wider = |range: &Range<usize>| range.start - up..range.end + down;
    let wider = RegionLines {
        base: wider(&span.base),
        ours: wider(&span.ours),
        theirs: wider(&span.theirs),
    };
    let text = lists.merge(&wider)?;
    above.into_iter().for_each(|one| one.span.end_earlier(up));
    below.into_iter().for_each(|one| one.span.start_later(down));
    Some(Region {
        span: wider,
        outcome: Outcome::Merged(text),
    })
}

/// Splits a conflict at the lines that ours and theirs have in common.
fn split(sides: &Sides<'_>, span: &RegionLines) -> Vec<Region> {
    let (ours, theirs) = (
        &sides.ours[span.ours.clone()],
        &sides.theirs[span.theirs.clone()],
    );
    let base = &sides.base[span.base.clone()];
    let (to_ours, to_theirs) = (diff(base, ours), diff(base, theirs));
    let mut parts = Vec::new();
    let (mut from, mut is_exact) = ([0; 3], true);
    for op in diff(ours, theirs)
        .iter()
        .filter(|op| op.tag() == DiffTag::Equal)
    {
        let (mine, other) = (op.old_range(), op.new_range());
        let start = cut(&to_ours, &to_theirs, mine.start, other.start, from[0]);
        let end = cut(&to_ours, &to_theirs, mine.end, other.end, start.0);
        let to = [start.0, mine.start, other.start];
        parts.extend(part(sides, span, from, to, is_exact && start.1));
        let common = Region {
            span: absolute(span, to, [end.0, mine.end, other.end]),
            outcome: Outcome::Ours,
        };
        parts.push(common);
        (from, is_exact) = ([end.0, mine.end, other.end], end.1);
    }
    parts.extend(part(
        sides,
        span,
        from,
        [base.len(), ours.len(), theirs.len()],
        is_exact,
    ));
    parts
}

fn diff(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    capture_diff_slices(Algorithm::Myers, old, new)
}

/// The line of the base at which a line of both sides stands, and whether both sides say the same.
fn cut(
    to_ours: &[DiffOp],
    to_theirs: &[DiffOp],
    ours: usize,
    theirs: usize,
    floor: usize,
) -> (usize, bool) {
    let (one, other) = (base_range(to_ours, ours), base_range(to_theirs, theirs));
    let (low, high) = (
        one.start.max(other.start).max(floor),
        one.end.min(other.end),
    );
    (high.max(low), one == other && one.is_empty())
}

/// The place of a side's line in the base: a range if it replaces some lines.
fn base_range(ops: &[DiffOp], line: usize) -> Range<usize> {
    for op in ops {
        let (tag, old, new) = op.as_tag_tuple();
        match tag {
            DiffTag::Equal if new.contains(&line) => {
                let at = old.start + line - new.start;
                return at..at;
            }
            // Lines that were removed directly above count as above.
            DiffTag::Delete if new.start == line => continue,
            _ if new.contains(&line) => return old,
            _ => {}
        }
    }
    let end = ops.last().map_or(0, |op| op.old_range().end);
    end..end
}

/// The lines between two common runs. They are a conflict, unless one side left them as they were.
fn part(
    sides: &Sides<'_>,
    span: &RegionLines,
    from: [usize; 3],
    to: [usize; 3],
    is_exact: bool,
) -> Option<Region> {
    let span = absolute(span, from, to);
    if span.ours.is_empty() && span.theirs.is_empty() && span.base.is_empty() {
        return None;
    }
    let [ours, base, theirs] = sides.texts(&span);
    let outcome = if ours == theirs {
        Outcome::Ours
    } else if is_exact && ours == base {
        Outcome::Theirs
    } else if is_exact && theirs == base {
        Outcome::Ours
    } else {
        Outcome::Conflict
    };
    Some(Region { span, outcome })
}

fn absolute(span: &RegionLines, from: [usize; 3], to: [usize; 3]) -> RegionLines {
    RegionLines {
        base: span.base.start + from[0]..span.base.start + to[0],
        ours: span.ours.start + from[1]..span.ours.start + to[1],
        theirs: span.theirs.start + from[2]..span.theirs.start + to[2],
    }
}

/// Conflicts with few lines between them are easier to read as one.
fn joined(regions: Vec<Region>, sides: &Sides<'_>) -> Vec<Region> {
    let mut joined: Vec<Region> = Vec::with_capacity(regions.len());
    for region in regions {
        let between = joined
            .iter()
            .rposition(|region| region.outcome == Outcome::Conflict);
        let joins = region.outcome == Outcome::Conflict
            && between.is_some_and(|last| are_next_to_each_other(&joined[last + 1..], sides));
        joined.push(region);
        if let Some(last) = between.filter(|_| joins) {
            let all = last..joined.len();
            three_way::as_one_conflict(&mut joined, all);
        }
    }
    joined
}

fn are_next_to_each_other(between: &[Region], sides: &Sides<'_>) -> bool {
    let is_common = between.iter().all(|region| {
        matches!(region.outcome, Outcome::Same | Outcome::Ours)
            && sides.ours[region.span.ours.clone()] == sides.theirs[region.span.theirs.clone()]
    });
    let lines: usize = between.iter().map(|region| region.span.ours.len()).sum();
    let mut words = between
        .iter()
        .flat_map(|region| &sides.ours[region.span.ours.clone()]);
    is_common && (lines <= LINES_BETWEEN || !words.any(|line| line.contains(char::is_alphanumeric)))
}
