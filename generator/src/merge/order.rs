//! Items that a side moved to another place of their list. To lines that is a removal here and an
//! addition there, and the other side's change of the item meets a removal. So before a merge the
//! lists of all three texts get one order: ours where we moved something, else theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::merge::item::Side;
use crate::merge::language::Language;
use crate::merge::outline::LineKind;
use crate::merge::three_way::Sides;

/// One value for each text: base, ours, theirs.
type Each<T> = [T; 3];
const BASE: usize = 0;

/// The texts with the items of their lists in one order; `None` where they are.
pub fn align(language: Language, sides: &Sides<'_>) -> Option<Each<String>> {
    let texts = [&sides.base, &sides.ours, &sides.theirs];
    let texts = texts.map(|lines| Side::of(language, lines));
    let whole = [0, 1, 2].map(|text: usize| 0..texts[text].lines.len());
    let ordered = Texts { texts: &texts }.list(&whole);
    let is_same = |(text, lines): (&Side<'_>, &Vec<usize>)| {
        lines.len() == text.lines.len() && lines.is_sorted()
    };
    if texts.iter().zip(&ordered).all(is_same) {
        return None;
    }
    let written = |text: usize| {
        ordered[text]
            .iter()
            .map(|line| texts[text].lines[*line])
            .collect()
    };
    Some([0, 1, 2].map(written))
}

/// An item of a list.
#[derive(Debug, Clone)]
struct Item {
    /// Empty lines above it, and what is said of the list as a whole: they belong to the place.
    space: Range<usize>,
    lines: Range<usize>,
    /// What it is known by; none where that is not certain.
    key: Option<String>,
}

struct Texts<'t> {
    texts: &'t Each<Side<'t>>,
}

impl Texts<'_> {
    /// The lines of a list, which stands at these lines of each text, in their new order.
    fn list(&self, at: &Each<Range<usize>>) -> Each<Vec<usize>> {
        let lists = [0, 1, 2].map(|text: usize| self.items(text, at[text].clone()));
        let rests = [0, 1, 2].map(|text| lists[text].1.clone());
        let lists = only_known_once(lists.map(|(items, _)| items));
        let nested = self.nested(&lists);
        let leader = leader(&lists).map(|leader| keys(&lists[leader]));
        [0, 1, 2].map(|text| {
            let items = &lists[text];
            let places = leader.as_ref().map(|leader| order(items, leader));
            let places = places.unwrap_or_else(|| (0..items.len()).collect());
            let mut lines = Vec::new();
            for (slot, place) in places.into_iter().enumerate() {
                let item = &items[place];
                lines.extend(items[slot].space.clone());
                let own = item.key.as_ref().and_then(|key| nested.get(key));
                match own {
                    Some(own) => lines.extend(&own[text]),
                    None => lines.extend(item.lines.clone()),
                }
            }
            lines.extend(rests[text].clone());
            lines
        })
    }

    /// The items of a list, and what stands behind the last.
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
        // Nothing but its text tells it from others: `impl Dish {`, `to.created_at(…)?;`.
        let is_code = |line: &usize| matches!(side.outline.kinds[*line], LineKind::Code(..));
        let code = item
            .clone()
            .filter(is_code)
            .map(|line| side.lines[line].trim());
        let code: Vec<&str> = code.collect();
        match code.first() {
            Some(head) if head.starts_with("impl") => Some((*head).to_owned()),
            Some(_) => Some(code.join(" ")),
            None => None,
        }
    }

    /// The lines of items that all three texts have, with the lists in them in one order.
    fn nested(&self, lists: &Each<Vec<Item>>) -> BTreeMap<String, Each<Vec<usize>>> {
        let found = |text: usize, key: &String| {
            let mut items = lists[text].iter();
            items
                .find(|item| item.key.as_ref() == Some(key))
                .map(|item| item.lines.clone())
        };
        let keys = lists[BASE].iter().filter_map(|item| item.key.clone());
        let both = |key: String| {
            let at = [found(0, &key)?, found(1, &key)?, found(2, &key)?];
            Some((key, self.item(&at)))
        };
        keys.filter_map(both).collect()
    }

    fn item(&self, at: &Each<Range<usize>>) -> Each<Vec<usize>> {
        let inner = [0, 1, 2].map(|text: usize| self.inner(text, &at[text]));
        let mut lines = [0, 1, 2].map(|_| Vec::new());
        let mut from = [0, 1, 2].map(|text: usize| at[text].start);
        let [base, ours, theirs] = &inner;
        // With another number of lists, which is which is not certain.
        let is_certain = base.len() == ours.len() && base.len() == theirs.len();
        let lists = base.iter().zip(ours).zip(theirs).filter(|_| is_certain);
        for ((base, ours), theirs) in lists {
            let range = [base.clone(), ours.clone(), theirs.clone()];
            let ordered = self.list(&range);
            for text in [0, 1, 2] {
                lines[text].extend(from[text]..range[text].start);
                lines[text].extend(&ordered[text]);
                from[text] = range[text].end;
            }
        }
        for text in [0, 1, 2] {
            lines[text].extend(from[text]..at[text].end);
        }
        lines
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

/// Leaves out the keys that stand twice in a text: they do not tell items apart.
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
/// might be any of them: then nobody leads.
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

/// The places of items in the leader's order. What the leader does not have stays behind what it
/// stands behind; before the first, it stays before that.
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
