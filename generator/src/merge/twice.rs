//! What is clean by its lines, and yet holds a name twice: both sides added a field, a method or a
//! rule of the same name, at different places. It would parse, and not compile.

use std::collections::{BTreeMap, BTreeSet};

use crate::merge::Language;
use crate::merge::item::Side;
use crate::merge::outline::{LineKind, Outline};
use crate::merge::three_way::{self, Outcome, Region, Sides};

/// A list by what stands before it, and a name in it.
type Name = (String, String);

/// Leaves names that both sides added to the user. An item that both added alike stands once.
pub fn settle(language: Language, sides: &Sides<'_>, regions: &mut Vec<Region>) {
    for _ in 0..regions.len() {
        let text = text(sides, regions);
        let merged: Vec<&str> = text.split_inclusive('\n').collect();
        let of_sides = repeated(language, &sides.ours)
            .union(&repeated(language, &sides.theirs))
            .cloned()
            .collect();
        let repeated = &repeated(language, &merged) - &of_sides;
        let Some((_, name)) = repeated.first() else {
            return;
        };
        if !drop_copy(language, sides, regions, name) && !conflict(language, sides, regions, name) {
            return;
        }
    }
}

/// The merged text, with our side of each conflict.
fn text(sides: &Sides<'_>, regions: &[Region]) -> String {
    let text = |region: &Region| match region.outcome {
        Outcome::Conflict => sides.ours[region.span.ours.clone()].concat(),
        _ => super::region_text(sides, region),
    };
    regions.iter().map(text).collect()
}

/// Names that stand more than once in one list.
fn repeated(language: Language, lines: &[&str]) -> BTreeSet<Name> {
    let side = Side {
        lines,
        outline: Outline::of(language, lines),
    };
    let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
    for (name, _) in names(&side) {
        *counts.entry(name).or_default() += 1;
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(name, _)| name)
        .collect()
}

/// All names of all lists, each with the line its item begins in.
fn names(side: &Side<'_>) -> Vec<(Name, usize)> {
    let outline = &side.outline;
    let mut names = Vec::new();
    // For each depth: whether the next line of code begins an item.
    let mut fresh: Vec<bool> = Vec::new();
    for line in 0..side.lines.len() {
        let LineKind::Code(_, last) = outline.kinds[line] else {
            continue;
        };
        let (depth, after) = (outline.depth[line], outline.depth[line + 1]);
        fresh.resize(fresh.len().max(depth.max(after) + 1), true);
        if let Some(list) = outline.list[line].filter(|_| fresh[depth]) {
            let keys = side.keys(&side.item_at(line));
            names.extend(
                keys.into_iter()
                    .map(|key| ((outline.heads[list].clone(), key), line)),
            );
        }
        fresh[depth.min(after)] = matches!(last, ',' | ';' | '}' | '|');
        if after > depth {
            fresh[after] = true;
        }
    }
    names
}

/// Regions that bring the name in, and the lines that do.
fn bringing(
    language: Language,
    sides: &Sides<'_>,
    regions: &[Region],
    name: &str,
) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        if matches!(region.outcome, Outcome::Same | Outcome::Conflict) {
            continue;
        }
        let text = super::region_text(sides, region);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let side = Side {
            lines: &lines,
            outline: Outline::of(language, &lines),
        };
        let brings = |line: &usize| {
            side.keys(&side.item_at(*line))
                .iter()
                .any(|key| key == name)
        };
        let of_name: Vec<String> = (0..lines.len())
            .filter(brings)
            .map(|line| lines[line].to_owned())
            .collect();
        if !of_name.is_empty() {
            found.push((index, of_name));
        }
    }
    found
}

/// A one-line item that both sides added alike is taken out of theirs.
fn drop_copy(language: Language, sides: &Sides<'_>, regions: &mut [Region], name: &str) -> bool {
    let found = bringing(language, sides, regions, name);
    let [(_, ours), (_, theirs)] = found.as_slice() else {
        return false;
    };
    let ([mine], [other]) = (ours.as_slice(), theirs.as_slice()) else {
        return false;
    };
    let of = |outcome: Outcome| {
        let mut indices = found.iter().map(|(index, _)| *index);
        indices.find(|index| regions[*index].outcome == outcome)
    };
    let is_whole = mine.trim_end().ends_with([',', ';']) && mine.trim() == other.trim();
    let (Some(index), Some(_), true) = (of(Outcome::Theirs), of(Outcome::Ours), is_whole) else {
        return false;
    };
    let [_, base, theirs] = sides.texts(&regions[index].span);
    if base.contains(mine.trim()) {
        return false;
    }
    let kept = theirs
        .split_inclusive('\n')
        .filter(|line| line.trim() != mine.trim())
        .collect();
    regions[index].outcome = Outcome::Merged(kept);
    true
}

/// Everything from the first region that brings the name to the last becomes a conflict.
fn conflict(language: Language, sides: &Sides<'_>, regions: &mut Vec<Region>, name: &str) -> bool {
    let found = bringing(language, sides, regions, name);
    let range = match (found.first(), found.last()) {
        (Some((first, _)), Some((last, _))) if found.len() > 1 => *first..*last + 1,
        _ => three_way::changes(regions),
    };
    three_way::as_one_conflict(regions, range.clone());
    !range.is_empty()
}
