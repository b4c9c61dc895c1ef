//! What holds for every merge, and what does for a clean one.

use std::collections::BTreeMap;

use formwork_cli::merge::{Language, Merged, markers};

use crate::triples::{self, Triple};

/// What a merge lost, made up or left unreadable.
pub fn broken(triple: &Triple, merged: &Merged) -> Option<String> {
    let Triple {
        language,
        base,
        ours,
        theirs,
    } = triple;
    // Both sides of a conflict count, its base section does not.
    let text = markers::both_sides(&merged.text);
    let counts = [base, ours, theirs, &text].map(|text| count(text));
    let of = |side: usize, line: &str| counts[side].get(line).copied().unwrap_or(0);
    for line in counts[1].keys().chain(counts[2].keys()) {
        let added = |side: usize| of(side, line).saturating_sub(of(0, line));
        if of(3, line) < added(1).max(added(2)) {
            return Some(format!("{line:?} was added, and is lost"));
        }
        let kept = of(0, line) == 1 && of(1, line) > 0 && of(2, line) > 0;
        if kept && of(3, line) == 0 {
            return Some(format!("{line:?} was kept by both, and is lost"));
        }
    }
    let mut new = counts[3]
        .keys()
        .filter(|line| of(1, line) + of(2, line) == 0);
    if let Some(line) = new.next() {
        return Some(format!("{line:?} comes from nowhere"));
    }
    let parses = |text: &str| *language != Language::Rust || triples::parses(text);
    let is_unread = merged.conflicts == 0 && ours != base && parses(ours) && !parses(&merged.text);
    is_unread.then(|| "ours parsed, and the result does not".to_owned())
}

/// Whether a clean result can be used: it parses where ours did, and brings no name in that a side
/// has already, nor one that a side removed and the other moved.
pub fn stands(triple: &Triple, text: &str) -> bool {
    if triple.language != Language::Rust {
        return true;
    }
    let names = |text: &str| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for name in text.lines().filter_map(|line| name(line.trim_start())) {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
        counts
    };
    let (base, ours, theirs) = (
        names(&triple.base),
        names(&triple.ours),
        names(&triple.theirs),
    );
    let known = |side: &BTreeMap<String, usize>, name: &str| side.get(name).copied().unwrap_or(0);
    let is_new =
        |(name, count): (&String, &usize)| *count > known(&ours, name).max(known(&theirs, name));
    let has = |side: &BTreeMap<String, usize>, name: &str| known(side, name) > 0;
    let is_back = |(name, _): (&String, &usize)| {
        has(&base, name) && !(has(&ours, name) && has(&theirs, name))
    };
    let names = names(text);
    triples::parses(text) && !names.iter().any(is_new) && !names.iter().any(is_back)
}

/// What an import brings in, or a module, a function or a field is called.
fn name(line: &str) -> Option<&str> {
    let public = line.strip_prefix("pub ");
    let item = public.unwrap_or(line);
    let mut keywords = ["use ", "mod ", "fn "].into_iter();
    let named = keywords.find_map(|keyword| item.strip_prefix(keyword));
    let named = named.and_then(|rest| rest.split([';', '(']).next());
    named.or_else(|| public?.split_once(": ").map(|(name, _)| name))
}

/// How often each line occurs in a text.
pub fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        *counts.entry(line).or_default() += 1;
    }
    counts
}
