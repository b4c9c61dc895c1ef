//! The lists of known faults: `known/<crate>.txt`, sorted, one `from -> to` a line. Every list is
//! empty.

use std::fs;
use std::path::PathBuf;

use formwork_tests::checkout;

use crate::circles::Graph;

fn file(name: &str) -> PathBuf {
    checkout()
        .join("tests/architecture/known")
        .join(format!("{name}.txt"))
}

/// Whether the lists are written again.
pub fn is_blessing() -> bool {
    std::env::var_os("FORMWORK_BLESS").is_some()
}

/// The known faults of a crate. When lists are written again, merge markers are skipped.
pub fn read(name: &str) -> Graph {
    let text = fs::read_to_string(file(name)).expect("the list");
    let mut known = Graph::new();
    for line in text.lines() {
        match line.split_once(" -> ") {
            Some((from, to)) => drop(known.insert((from.to_owned(), to.to_owned()))),
            None => assert!(is_blessing(), "{name}.txt: {line:?} is no arrow"),
        }
    }
    let is_sorted = is_blessing() || text == written(&known);
    assert!(is_sorted, "{name}.txt: sort the lines, each once");
    known
}

/// Writes the list anew.
pub fn write(name: &str, known: &Graph) {
    fs::write(file(name), written(known)).expect("the list");
}

fn written(known: &Graph) -> String {
    let mut lines: Vec<String> = known
        .iter()
        .map(|(from, to)| format!("{from} -> {to}\n"))
        .collect();
    lines.sort();
    lines.concat()
}
