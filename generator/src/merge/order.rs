//! Items that a side moved to another place of their list. A line merge sees a removal and an
//! addition, and the other side's change of the item conflicts with the removal. So before a merge
//! the lists of all three texts get one order: ours where we moved something, else theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::merge::item::MergeSide;
use crate::merge::language::Language;
use crate::merge::outline::LineKind;
use crate::merge::three_way::Sides;

/// One value for each text: base, ours, theirs.
type Each<T> = [T; 3];
const BASE: usize = 0;

/// The texts with the items of their lists in one order; `None` where they are.
pub fn align(language: Language, sides: &Sides<'_>) -> Option<Each<String>> {
    let texts = [&sides.base, &sides.ours, &sides.theirs];
    let texts = texts.map(|lines| MergeSide::of(language, lines));
    let whole = [0, 1, 2].map(|text: usize| 0..texts[text].lines.len());
    let ordered = ListTexts { texts: &texts }.list(&whole);
    let mut both = texts.iter().zip(&ordered);
    let is_same = both.all(|(text, ordered)| text.lines.concat() == *ordered);
    (!is_same).then_some(ordered)
}

/// An item of a list.
#[derive(Debug, Clone)]
struct Item {
    /// Empty lines above it, and comments on the whole list: they belong to the place.
    space: Range<usize>,
    lines: Range<usize>,
    /// Its key; none if that is not certain.
    key: Option<String>,
}

struct ListTexts<'t> {
    texts: &'t Each<MergeSide<'t>>,
}

impl ListTexts<'_> {
    /// A list at these lines of each text, with its items in their new order.
    fn list(&self, at: &Each<Range<usize>>) -> Each<String> {
        let lists = [0, 1, 2].map(|text: usize| self.items(text, at[text].clone()));
        let rests = [0, 1, 2].map(|text| self.texts[text].text(&lists[text].1));
        let lists = only_known_once(lists.map(|(items, _)| items));
        let nested = self.nested(&lists);
        let leader = leader(&lists).map(|leader| keys(&lists[leader]));
        [0, 1, 2].map(|text| {
            let (side, items) = (&self.texts[text], &lists[text]);
            let places = leader.as_ref().map(|leader| order(items, leader));
            let places = places.unwrap_or_else(|| (0..items.len()).collect());
            let written = items.iter().zip(places).map(|(slot, place)| {
                let item = &items[place];
                let own = item.key.as_ref().and_then(|key| nested.get(key));
                let own = own.map_or_else(|| side.text(&item.lines), |own| own[text].clone());
                side.text(&slot.space) + &own
            });
            written.collect::<String>() + &rests[text]
        })
    }

    /// The items of a list, and the lines after the last.
    fn items(&self, text: usize, at: Range<usize>) -> (Vec<Item>, Range<usize>) {
        let side = &self.texts[text];
        let (items, rest) = side.items(at);
        let item = |lines: Range<usize>| {
            let of_place = |line: &usize| {
                let text = side.lines[*line].trim_start();
                let is_of_list = text.starts_with("//!") || text.starts_with("#![");
                is_of_list || side.outline.kinds[*line] == LineKind::Blank
            };
            let start = lines.start + lines.clone().take_while(of_place).count();
            Item {
                space: lines.start..start,
                key: self.key(text, &(start..lines.end)),
                lines: start..lines.end,
            }
        };
        (items.into_iter().map(item).collect(), rest)
    }

    fn key(&self, text: usize, item: &Range<usize>) -> Option<String> {
        let side = &self.texts[text];
        let keys = side.keys(item);
        if !keys.is_empty() {
            return Some(keys.join(" "));
        }
        // Its text is its key: `impl Dish {`, `to.created_at(…)?;`.
        let is_code = |line: &usize| matches!(side.outline.kinds[*line], LineKind::Code(..));
        let code = item
            .clone()
            .filter(is_code)
            .map(|line| side.lines[line].trim());
        let code: Vec<&str> = code.collect();
        let head = code.first()?;
        match head.starts_with("impl") {
            true => Some((*head).to_owned()),
            false => Some(code.join(" ")),
        }
    }

    /// Items that all three texts have, with the lists in them in one order.
    fn nested(&self, lists: &Each<Vec<Item>>) -> BTreeMap<String, Each<String>> {
        let found = |text: usize, key: &String| {
            let mut items = lists[text].iter();
            items
                .find(|item| item.key.as_ref() == Some(key))
                .map(|item| item.lines.clone())
        };
        let keys = lists[BASE].iter().filter_map(|item| item.key.clone());
        let all = |key: String| {
            let at = [found(0, &key)?, found(1, &key)?, found(2, &key)?];
            Some((key, self.item(&at)))
        };
        keys.filter_map(all).collect()
    }

    fn item(&self, at: &Each<Range<usize>>) -> Each<String> {
        let inner = [0, 1, 2].map(|text: usize| self.inner(text, &at[text]));
        // With another number of lists, they cannot be paired with certainty.
        let is_certain = inner.iter().all(|lists| lists.len() == inner[BASE].len());
        let count = if is_certain { inner[BASE].len() } else { 0 };
        let ordered: Vec<Each<String>> = (0..count)
            .map(|list| self.list(&[0, 1, 2].map(|text: usize| inner[text][list].clone())))
            .collect();
        [0, 1, 2].map(|text: usize| {
            let (side, mut from) = (&self.texts[text], at[text].start);
            let mut written = String::new();
            for (list, ordered) in inner[text].iter().zip(&ordered) {
                written += &side.text(&(from..list.start));
                written += &ordered[text];
                from = list.end;
            }
            written + &side.text(&(from..at[text].end))
        })
    }

    /// The outermost lists within an item, without the lines that open and close them.
    fn inner(&self, text: usize, item: &Range<usize>) -> Vec<Range<usize>> {
        let outline = &self.texts[text].outline;
        let own = outline.list.get(item.start).copied().flatten();
        let (mut lists, mut line) = (Vec::new(), item.start + 1);
        while line < item.end {
            let (list, depth) = (outline.list[line], outline.depth[line]);
            if list.is_none() || list == own {
                line += 1;
                continue;
            }
            let ends = |end: &usize| outline.lowest[*end] < depth;
            let end = (line..item.end).find(ends).unwrap_or(item.end);
            lists.push(line..end);
            line = end + 1;
        }
        lists
    }
}

/// Leaves out the keys that occur twice in a text: they do not identify an item.
fn only_known_once(mut lists: Each<Vec<Item>>) -> Each<Vec<Item>> {
    let mut twice = BTreeSet::new();
    for items in &lists {
        let mut seen = BTreeSet::new();
        let keys = items.iter().filter_map(|item| item.key.clone());
        twice.extend(keys.filter(|key| !seen.insert(key.clone())));
    }
    for item in lists.iter_mut().flatten() {
        item.key = item.key.take().filter(|key| !twice.contains(key));
    }
    lists
}

fn keys(items: &[Item]) -> Vec<String> {
    items.iter().filter_map(|item| item.key.clone()).collect()
}

/// The side that has what the base has in another order. An item that cannot be told from others
/// might be any of them: then no side leads.
fn leader(lists: &Each<Vec<Item>>) -> Option<usize> {
    if lists.iter().flatten().any(|item| item.key.is_none()) {
        return None;
    }
    let all = [0, 1, 2].map(|text: usize| keys(&lists[text]));
    let moved = |side: &usize| {
        let common = |keys: &[String], other: &[String]| {
            let other: BTreeSet<String> = other.iter().cloned().collect();
            let common = keys.iter().filter(|key| other.contains(*key));
            common.cloned().collect::<Vec<String>>()
        };
        common(&all[BASE], &all[*side]) != common(&all[*side], &all[BASE])
    };
    [1, 2].into_iter().find(moved)
}

/// The places of items in the leader's order. An item that the leader does not have stays after its
/// neighbour; before the first item, it stays before that.
fn order(items: &[Item], leader: &[String]) -> Vec<usize> {
    let ranks: BTreeMap<&String, usize> = leader.iter().zip(0..).collect();
    let rank = |item: &Item| item.key.as_ref().and_then(|key| ranks.get(key)).copied();
    let mut last = items.iter().find_map(rank).unwrap_or_default();
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        last = rank(item).unwrap_or(last);
        places.push((last, place));
    }
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}
