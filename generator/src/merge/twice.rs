//! What is clean by its lines, and yet holds a name twice: both sides added a field, a method or a
//! rule of the same name, at different places. It would parse, and not compile.

use std::collections::BTreeMap;

use crate::merge::Language;
use crate::merge::item::Side;
use crate::merge::outline::{LineKind, Outline};
use crate::merge::three_way::{self, Outcome, Region, Sides};

/// Leaves names that both sides added to the user. An item that both added alike stands once.
pub fn settle(language: Language, sides: &Sides<'_>, regions: &mut Vec<Region>) {
    for _ in 0..regions.len() {
        let text = text(sides, regions);
        let merged: Vec<&str> = text.split_inclusive('\n').collect();
        let [merged, ours, theirs] =
            [&merged, &sides.ours, &sides.theirs].map(|lines| counts(language, lines));
        let of = |side: &BTreeMap<String, usize>, name: &str| side.get(name).copied().unwrap_or(1);
        let repeated = merged
            .iter()
            .find(|(name, count)| **count > of(&ours, name).max(of(&theirs, name)));
        let Some((name, _)) = repeated else {
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

/// How often each name stands in one and the same list.
fn counts(language: Language, lines: &[&str]) -> BTreeMap<String, usize> {
    let side = Side {
        lines,
        outline: Outline::of(language, lines),
    };
    let mut lists: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for name in names(&side) {
        *lists.entry(name).or_default() += 1;
    }
    let mut counts = BTreeMap::new();
    for ((_, name), count) in lists {
        let most: &mut usize = counts.entry(name).or_default();
        *most = count.max(*most);
    }
    counts
}

/// All names of all lists, each with the number of its list.
fn names(side: &Side<'_>) -> Vec<(usize, String)> {
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
            names.extend(keys.into_iter().map(|key| (list, key)));
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

/// A one-line item that both sides added alike is taken out of theirs, once.
fn drop_copy(language: Language, sides: &Sides<'_>, regions: &mut [Region], name: &str) -> bool {
    let found = bringing(language, sides, regions, name);
    let mine: Vec<&str> = found
        .iter()
        .filter(|(index, _)| regions[*index].outcome == Outcome::Ours)
        .flat_map(|(_, lines)| lines.iter().map(|line| line.trim()))
        .collect();
    let copies = found.iter().flat_map(|(index, lines)| {
        let lines = lines.iter().map(|line| line.trim());
        lines.map(|line| (*index, line))
    });
    let copy = copies.into_iter().find(|(index, line)| {
        let [_, base, theirs] = sides.texts(&regions[*index].span);
        let is_theirs = regions[*index].outcome == Outcome::Theirs && theirs != base;
        let is_whole = line.ends_with([',', ';']);
        let is_old = base.lines().any(|old| old.trim() == *line);
        is_theirs && is_whole && !is_old && mine.contains(line)
    });
    let Some((index, copy)) = copy else {
        return false;
    };
    let [_, _, theirs] = sides.texts(&regions[index].span);
    let mut lines: Vec<&str> = theirs.split_inclusive('\n').collect();
    let Some(at) = lines.iter().position(|line| line.trim() == copy) else {
        return false;
    };
    let above = at.checked_sub(1).map_or("", |above| lines[above].trim());
    if above.starts_with("//") || above.starts_with("#[") {
        // What belongs to it would belong to the next item.
        return false;
    }
    lines.remove(at);
    regions[index].outcome = Outcome::Merged(lines.concat());
    true
}

/// Everything from the first region that brings the name to the last becomes a conflict.
fn conflict(language: Language, sides: &Sides<'_>, regions: &mut Vec<Region>, name: &str) -> bool {
    let found = bringing(language, sides, regions, name);
    let (Some((first, _)), Some((last, _))) = (found.first(), found.last()) else {
        return false;
    };
    three_way::as_one_conflict(regions, *first..*last + 1);
    true
}
