//! What each step of the merge earns: the upgrade stories and the oracle's triples that it alone
//! saves from a conflict, those that would lose or double something without it, and its length.
//!
//! `cargo bench -p formwork-tests --bench merge_steps`

#[path = "../merge_oracle/months.rs"]
mod months;
#[path = "../merge_oracle/promises.rs"]
mod promises;
#[path = "../merge_oracle/releases.rs"]
mod releases;
#[path = "merge_steps/stories.rs"]
mod stories;
#[path = "../merge_oracle/team.rs"]
mod team;
#[path = "../merge_oracle/triples.rs"]
mod triples;

use std::collections::BTreeSet;
use std::fs;
use std::thread;

use formwork_cli::merge::{MergeContext, Merged, Steps, merge_by};
use formwork_tests::checkout;
use triples::{BATCH, TRIPLES, Triple};

const SEED: u64 = 2026;

/// A step, the merge without it, and its functions; a whole file where none is named.
struct Step {
    name: &'static str,
    without: Steps,
    code: &'static [(&'static str, &'static [&'static str])],
}

const ALL: Steps = Steps::ALL;
const STEPS: [Step; 11] = [
    Step {
        name: "order",
        without: Steps {
            order: false,
            ..ALL
        },
        code: &[("order.rs", &[])],
    },
    Step {
        name: "upwards",
        without: Steps {
            upwards: false,
            ..ALL
        },
        code: &[("three_way.rs", &["turned"])],
    },
    Step {
        name: "neighbours",
        without: Steps {
            neighbours: false,
            ..ALL
        },
        code: &[
            ("neighbours.rs", &[]),
            ("neighbours/edits.rs", &[]),
            ("refine.rs", &["neighbours"]),
        ],
    },
    Step {
        name: "wider",
        without: Steps {
            wider: false,
            ..ALL
        },
        code: &[("refine.rs", &["neighbours"])],
    },
    Step {
        name: "longer",
        without: Steps {
            longer: false,
            ..ALL
        },
        code: &[("neighbours/edits.rs", &["longer"])],
    },
    Step {
        name: "in_two",
        without: Steps {
            in_two: false,
            ..ALL
        },
        code: &[("neighbours/edits.rs", &["in_two"])],
    },
    Step {
        name: "attached",
        without: Steps {
            attached: false,
            ..ALL
        },
        code: &[("neighbours.rs", &["attached"])],
    },
    Step {
        name: "copies",
        without: Steps {
            copies: false,
            ..ALL
        },
        code: &[("names.rs", &["drop_copy"])],
    },
    Step {
        name: "sections",
        without: Steps {
            sections: false,
            ..ALL
        },
        code: &[("sections.rs", &["settle", "both", "section"])],
    },
    Step {
        name: "names",
        without: Steps {
            names: false,
            ..ALL
        },
        code: &[("names.rs", &[])],
    },
    Step {
        name: "parses",
        without: Steps {
            parses: false,
            ..ALL
        },
        code: &[("../merge.rs", &["stands"])],
    },
];

/// Triples of one kind, each with what it is called.
struct Set {
    name: &'static str,
    triples: Vec<(String, Triple)>,
}

fn main() {
    let unnamed = |triples: Vec<Triple>| triples.into_iter().map(|one| (String::new(), one));
    let sets = [
        Set {
            name: "random",
            triples: unnamed(random()).collect(),
        },
        Set {
            name: "months",
            triples: unnamed(months::triples(SEED)).collect(),
        },
        Set {
            name: "stories",
            triples: stories::triples(),
        },
    ];
    println!("step        set       triples   saved  wrong without  lines  stories");
    for set in &sets {
        let merged = merged_all(set, ALL);
        for step in &STEPS {
            report(step, set, &merged);
        }
    }
}

fn random() -> Vec<Triple> {
    let texts = triples::poured_texts();
    let batches = (0..TRIPLES / BATCH).flat_map(|number| triples::batch(SEED, number, &texts));
    batches.collect()
}

fn report(step: &Step, set: &Set, merged: &[Merged]) {
    let without = merged_all(set, step.without);
    let (mut saved, mut wrong, mut stories) = (0, 0, BTreeSet::new());
    for (((story, triple), with), without) in set.triples.iter().zip(merged).zip(&without) {
        let is_saved = with.conflicts == 0 && without.conflicts > 0;
        let is_wrong = is_broken(triple, without) && !is_broken(triple, with);
        saved += usize::from(is_saved);
        wrong += usize::from(is_wrong);
        if is_saved || is_wrong {
            stories.insert(story.as_str());
        }
    }
    let stories: Vec<&str> = stories.into_iter().collect();
    println!(
        "{:<11} {:<8} {:>8} {saved:>7} {wrong:>14} {:>6}  {}",
        step.name,
        set.name,
        set.triples.len(),
        lines(step),
        stories.join(" ")
    );
}

/// Whether a line is lost, or a clean result does not parse or holds a name twice.
fn is_broken(triple: &Triple, merged: &Merged) -> bool {
    let is_clean = merged.conflicts == 0;
    promises::broken(triple, merged).is_some()
        || (is_clean && !promises::stands(triple, &merged.text))
}

fn merged_all(set: &Set, steps: Steps) -> Vec<Merged> {
    let halves = set.triples.chunks(set.triples.len().div_ceil(2));
    let merge = move |(_, triple): &(String, Triple)| {
        let Triple {
            language,
            base,
            ours,
            theirs,
        } = triple;
        let (language, original) = (*language, ours);
        merge_by(
            steps,
            base,
            ours,
            theirs,
            &MergeContext { language, original },
        )
    };
    thread::scope(|scope| {
        let run = |half: &'_ [(String, Triple)]| half.iter().map(merge).collect::<Vec<_>>();
        let running: Vec<_> = halves.map(|half| scope.spawn(move || run(half))).collect();
        let halves = running
            .into_iter()
            .flat_map(|half| half.join().expect("a half"));
        halves.collect()
    })
}

/// The lines of a step's code, without its tests.
fn lines(step: &Step) -> usize {
    let of = |(file, functions): &(&str, &[&str])| {
        let path = checkout().join("generator/src/merge").join(file);
        let text = fs::read_to_string(path).expect("a source");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        match functions {
            [] => code.lines().count(),
            functions => functions.iter().map(|name| function(code, name)).sum(),
        }
    };
    step.code.iter().map(of).sum()
}

/// From a function's head to the brace below it.
fn function(code: &str, name: &str) -> usize {
    let head = format!("fn {name}(");
    let mut lines = code.lines().skip_while(|line| !line.contains(&head));
    let first = lines.next().unwrap_or_else(|| panic!("no function {name}"));
    let end = " ".repeat(first.len() - first.trim_start().len()) + "}";
    2 + lines.take_while(|line| *line != end).count()
}
