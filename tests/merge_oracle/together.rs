//! Every line of both is kept once, and a clean merge parses.

use std::collections::{BTreeMap, BTreeSet};

use formwork_cli::merge::markers;
use formwork_tests::cases;

use crate::months;
use crate::promises;
use crate::triples::Triple;

/// What came of the triples.
#[derive(Debug, Default)]
struct Tally {
    triples: usize,
    clean: usize,
    conflicts: usize,
    stayed: usize,
}

#[test]
fn months_of_edits_and_changed_manifests_come_together() {
    let seed = crate::seed();
    let mut tally = Tally::default();
    for triple in months::triples(seed, cases(150) as usize) {
        let merged = crate::merged(triple.language, &triple.base, &triple.ours, &triple.theirs);
        let name = format!("seed {seed}, triple {}", tally.triples);
        crate::holds(&name, &triple, &merged);
        if merged.conflicts == 0 {
            let (stayed, wrong) = faults(&triple, &merged.text);
            assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{}", merged.text);
            tally.stayed += usize::from(stayed > 0);
        }
        tally.triples += 1;
        tally.clean += usize::from(merged.conflicts == 0);
        tally.conflicts += merged.conflicts;
    }
    assert!(tally.triples >= 60, "{tally:?}");
    // A part of an item that was moved somewhere else is no item, and stays when the item goes.
    assert!(tally.stayed * 100 < tally.triples, "{tally:?}");
    // Both change the same thing now and then; that is all.
    assert!(tally.clean * 5 > tally.triples * 4, "{tally:?}");
}

/// Where a clean result is not what both sides want; first how many lines stayed that the user
/// moved and the template removed.
fn faults(triple: &Triple, text: &str) -> (usize, Vec<String>) {
    let Triple {
        base, ours, theirs, ..
    } = triple;
    let counts = [base, ours, theirs].map(|text| promises::count(text));
    let [base, mine, new] = &counts;
    let there = promises::count(text);
    let of = |counts: &BTreeMap<&str, usize>, line: &str| counts.get(line).copied().unwrap_or(0);
    let lines: BTreeSet<&str> = counts
        .iter()
        .flat_map(|counts| counts.keys().copied())
        .collect();
    let (mut stayed, mut wrong) = (0, Vec::new());
    for line in lines
        .into_iter()
        .filter(|line| line.contains(char::is_alphanumeric))
    {
        let (b, o, t) = (of(base, line), of(mine, line), of(new, line));
        // Where both sides added it, or both removed it, once is enough.
        let sum = (o + t).saturating_sub(b);
        let (least, most) = if (o > b && t > b) || (o < b && t < b) {
            (sum.min(o.max(t)).min(o.min(t)), sum.max(o.max(t)))
        } else {
            (sum, sum)
        };
        let found = of(&there, line);
        if o == b && t < b && found == b {
            stayed += 1;
        } else if !(least..=most).contains(&found) {
            wrong.push(format!("{line:?} stands {found} times: {b} {o} {t}"));
        }
    }
    wrong.extend(markers::are_in(text).then(|| "markers".to_owned()));
    (stayed, wrong)
}
