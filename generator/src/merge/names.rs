//! Names that a line merge misplaces without a conflict: a field, a method or a rule that appears
//! twice because both sides added it, or in another block than its side put it.

use std::collections::{BTreeMap, BTreeSet};

use crate::merge::item::MergeSide;
use crate::merge::language::Language;
use crate::merge::outline::LineKind;
use crate::merge::step::Steps;
use crate::merge::three_way::{self, Outcome, Region, Sides};

/// Makes conflicts of such names. An equal item that both sides added is kept once.
pub fn settle(language: Language, sides: &Sides<'_>, steps: Steps, regions: &mut Vec<Region>) {
    let known =
        [&sides.base, &sides.ours, &sides.theirs].map(|lines| TextNames::of(language, lines));
    for _ in 0..regions.len() {
        let text = text(sides, regions);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let merged = TextNames::of(language, &lines);
        let Some(name) = merged.repeated(&known).or_else(|| merged.misplaced(&known)) else {
            return;
        };
        let brought = bringing(language, sides, regions, name);
        let is_settled = (steps.copies && drop_copy(sides, regions, &brought))
            || (steps.names && conflict(regions, &brought));
        if !is_settled {
            return;
        }
    }
}

/// The merged text, with our side of each conflict.
fn text(sides: &Sides<'_>, regions: &[Region]) -> String {
    let text = |region: &Region| match region.outcome {
        Outcome::Conflict => sides.ours[region.span.ours.clone()].concat(),
        _ => sides.region_text(region),
    };
    regions.iter().map(text).collect()
}

/// The names in a text.
struct TextNames {
    /// How often each occurs in one list.
    counts: BTreeMap<String, usize>,
    /// Each name with what its list belongs to: `impl Dish`, `mod tests`.
    homes: BTreeMap<String, BTreeSet<String>>,
    heads: BTreeSet<String>,
}

impl TextNames {
    fn of(language: Language, lines: &[&str]) -> TextNames {
        let side = MergeSide::of(language, lines);
        let mut lists: BTreeMap<(usize, String), usize> = BTreeMap::new();
        for name in names(&side) {
            *lists.entry(name).or_default() += 1;
        }
        let heads = &side.outline.heads;
        let mut names = TextNames {
            counts: BTreeMap::new(),
            homes: BTreeMap::new(),
            heads: heads.iter().cloned().collect(),
        };
        for ((list, name), count) in lists {
            let head = heads.get(list).cloned().unwrap_or_default();
            names.homes.entry(name.clone()).or_default().insert(head);
            let most = names.counts.entry(name).or_default();
            *most = count.max(*most);
        }
        names
    }

    /// A name that occurs more often in one list than on any side.
    fn repeated(&self, [_, ours, theirs]: &[TextNames; 3]) -> Option<&str> {
        let of = |side: &TextNames, name: &str| side.counts.get(name).copied().unwrap_or(1);
        let mut counts = self.counts.iter();
        let repeated = counts.find(|(name, count)| **count > of(ours, name).max(of(theirs, name)));
        repeated.map(|(name, _)| name.as_str())
    }

    /// A name that a side added to a block, and that occurs in other blocks only, although the
    /// block exists.
    fn misplaced(&self, [base, ours, theirs]: &[TextNames; 3]) -> Option<&str> {
        let is_misplaced = |(name, heads): &(&String, &BTreeSet<String>)| {
            let sides = [ours, theirs]
                .into_iter()
                .filter_map(|side| side.homes.get(*name));
            let wanted: BTreeSet<&String> = sides.flatten().collect();
            !base.homes.contains_key(*name)
                && heads.iter().all(|head| !wanted.contains(head))
                && wanted.iter().any(|head| self.heads.contains(*head))
        };
        let found = self.homes.iter().find(is_misplaced);
        found.map(|(name, _)| name.as_str())
    }
}

/// All names of all lists, each with the number of its list.
fn names(side: &MergeSide<'_>) -> Vec<(usize, String)> {
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

/// The lines that bring the name in, each with the number of its region.
fn bringing(
    language: Language,
    sides: &Sides<'_>,
    regions: &[Region],
    name: &str,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, region) in regions.iter().enumerate() {
        if matches!(region.outcome, Outcome::Same | Outcome::Conflict) {
            continue;
        }
        let text = sides.region_text(region);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let side = MergeSide::of(language, &lines);
        let brings = |line: &usize| {
            side.keys(&side.item_at(*line))
                .iter()
                .any(|key| key == name)
        };
        let brought = (0..lines.len()).filter(brings);
        found.extend(brought.map(|line| (index, lines[line].to_owned())));
    }
    found
}

/// A one-line item that both sides added alike is taken out of theirs, once.
fn drop_copy(sides: &Sides<'_>, regions: &mut [Region], brought: &[(usize, String)]) -> bool {
    let of = |outcome: Outcome| {
        let is_of = |(index, _): &&(usize, String)| regions[*index].outcome == outcome;
        brought.iter().filter(is_of).collect::<Vec<_>>()
    };
    let mine = of(Outcome::Ours);
    let copy = of(Outcome::Theirs).into_iter().find(|(index, line)| {
        let [_, base, _] = sides.texts(&regions[*index].span);
        let is_whole = line.trim_end().ends_with([',', ';']);
        let is_old = base.lines().any(|old| old.trim() == line.trim());
        is_whole && !is_old && mine.iter().any(|(_, own)| own.trim() == line.trim())
    });
    let Some((index, copy)) = copy else {
        return false;
    };
    let lines = &sides.theirs[regions[*index].span.theirs.clone()];
    let at = lines
        .iter()
        .position(|line| line == copy)
        .unwrap_or_default();
    let above = at.checked_sub(1).map_or("", |above| lines[above].trim());
    if above.starts_with("//") || above.starts_with("#[") {
        // Its comments and attributes would belong to the next item.
        return false;
    }
    regions[*index].outcome = Outcome::Merged(lines[..at].concat() + &lines[at + 1..].concat());
    true
}

/// Everything from the first region that brings the name to the last becomes a conflict.
fn conflict(regions: &mut Vec<Region>, brought: &[(usize, String)]) -> bool {
    let (Some((first, _)), Some((last, _))) = (brought.first(), brought.last()) else {
        return false;
    };
    three_way::as_one_conflict(regions, *first..*last + 1);
    true
}
