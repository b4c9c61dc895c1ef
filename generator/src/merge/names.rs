//! Names that a line merge misplaces without a conflict: a field, a method or a rule that appears
//! twice because both sides added it, in another block than its side put it, or again although a side removed it.

use std::collections::{BTreeMap, BTreeSet};

use crate::merge::item::MergeSide;
use crate::merge::outline::Language;
use crate::merge::outline::LineKind;
use crate::merge::three_way::{self, Outcome, Region, Sides};

/// Makes a conflict of each such name.
pub fn mark_misplaced(language: Language, sides: &Sides<'_>, regions: &mut Vec<Region>) {
    let known =
        [&sides.base, &sides.ours, &sides.theirs].map(|lines| TextNames::of(language, lines));
    for _ in 0..regions.len() {
        let text = text(sides, regions);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let merged = TextNames::of(language, &lines);
        let mut names = merged.misplaced(&known);
        let range = names.find_map(|name| {
            let adding = regions_that_add(language, sides, regions, name);
            Some(*adding.first()?..*adding.last()? + 1)
        });
        let Some(range) = range else { return };
        three_way::as_one_conflict(regions, range);
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

    /// Returns the names that a merge of these texts misplaced.
    fn misplaced<'n>(&'n self, texts: &'n [TextNames; 3]) -> impl Iterator<Item = &'n str> {
        let names = self.homes.iter().filter(|(name, heads)| {
            self.is_repeated(name, texts)
                || self.is_elsewhere(name, heads, texts)
                || is_brought_back(name, heads, texts)
        });
        names.map(|(name, _)| name.as_str())
    }

    /// Whether a name occurs more often in one list than on any side.
    fn is_repeated(&self, name: &str, [_, ours, theirs]: &[TextNames; 3]) -> bool {
        let count = |side: &TextNames| side.counts.get(name).copied().unwrap_or(1);
        count(self) > count(ours).max(count(theirs))
    }

    /// Whether a side added the name to a block, and it occurs in other blocks only, although the
    /// block exists.
    fn is_elsewhere(
        &self,
        name: &str,
        heads: &BTreeSet<String>,
        [base, ours, theirs]: &[TextNames; 3],
    ) -> bool {
        let sides = [ours, theirs].into_iter();
        let wanted = sides.filter_map(|side| side.homes.get(name));
        let wanted: BTreeSet<&String> = wanted.flatten().collect();
        !base.homes.contains_key(name)
            && heads.iter().all(|head| !wanted.contains(head))
            && wanted.iter().any(|head| self.heads.contains(*head))
    }
}

/// Whether a side removed the name from a block, and it is there again because the other side moved it.
fn is_brought_back(
    name: &str,
    heads: &BTreeSet<String>,
    [base, ours, theirs]: &[TextNames; 3],
) -> bool {
    let has = |text: &TextNames, head: &String| {
        let homes = text.homes.get(name);
        homes.is_some_and(|homes| homes.contains(head))
    };
    let mut heads = heads.iter();
    heads.any(|head| has(base, head) && !(has(ours, head) && has(theirs, head)))
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

/// Returns the numbers of the regions that add an item of this name.
fn regions_that_add(
    language: Language,
    sides: &Sides<'_>,
    regions: &[Region],
    name: &str,
) -> Vec<usize> {
    let adds = |region: &Region| {
        let text = sides.region_text(region);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let side = MergeSide::of(language, &lines);
        (0..lines.len()).any(|line| side.keys(&side.item_at(line)).iter().any(|key| key == name))
    };
    let is_change = |region: &Region| !matches!(region.outcome, Outcome::Same | Outcome::Conflict);
    let numbered = regions.iter().enumerate();
    let adding = numbered.filter(|(_, region)| is_change(region) && adds(region));
    adding.map(|(number, _)| number).collect()
}
