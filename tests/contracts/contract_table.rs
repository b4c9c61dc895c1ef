//! `docs/contract.md` names the tests that hold each clause of the HTTP contract: they exist, are
//! compiled, and are not ignored.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use formwork_tests::checkout;

/// A clause, and the tests it names as `file::name`.
struct Row {
    line: usize,
    clause: String,
    tests: Vec<String>,
}

/// The rows of all tables of the page.
fn rows(page: &str) -> Vec<Row> {
    let lines = page.lines().enumerate();
    let cells = lines.filter_map(|(at, line)| {
        let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let (clause, tests) = inner.rsplit_once(" | ")?;
        Some((at + 1, clause, tests))
    });
    cells
        .filter(|(_, clause, _)| !matches!(*clause, "clause" | "---"))
        .map(|(line, clause, tests)| Row {
            line,
            clause: clause.to_owned(),
            tests: tests.split(", ").map(str::to_owned).collect(),
        })
        .collect()
}

fn page() -> String {
    fs::read_to_string(checkout().join("docs/contract.md")).expect("docs/contract.md")
}

/// What is wrong with a test that the page names.
fn fault(name: &str) -> Option<String> {
    let Some((file, function)) = name
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'))
        .and_then(|name| name.rsplit_once("::"))
    else {
        return Some("it is not written `file::name`".to_owned());
    };
    let path = checkout().join(file);
    let Ok(source) = fs::read_to_string(&path) else {
        return Some(format!("there is no file {file}"));
    };
    fault_of_function(&source, function).or_else(|| unreached(&path))
}

/// The attributes above `fn name(` say that it is a test, and not that it is left out.
fn fault_of_function(source: &str, function: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let is_it = |line: &&str| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let rest = line.strip_prefix("fn ");
        let rest = rest.and_then(|rest| rest.strip_prefix(function));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    let Some(at) = lines.iter().position(is_it) else {
        return Some(format!("there is no function {function}"));
    };
    let above = lines[..at].iter().rev();
    let attributes: Vec<&&str> = above
        .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
        .filter(|line| line.starts_with("#["))
        .collect();
    let has = |part: &str| attributes.iter().any(|line| line.starts_with(part));
    if has("#[ignore") {
        return Some(format!("{function} is ignored"));
    }
    let is_test = has("#[test]") || has("#[tokio::test");
    (!is_test).then(|| format!("{function} is no test"))
}

/// A file that no other file names with `mod` is not compiled.
fn unreached(file: &Path) -> Option<String> {
    let stem = file.file_stem()?.to_str()?;
    let folder = file.parent()?;
    if stem == "main" || folder == checkout().join("tests") {
        return None;
    }
    let parents: [PathBuf; 4] = [
        folder.join("main.rs"),
        folder.join("lib.rs"),
        folder.join("mod.rs"),
        folder.with_extension("rs"),
    ];
    let line = format!("mod {stem};");
    let names = |parent: &PathBuf| {
        let text = fs::read_to_string(parent).unwrap_or_default();
        text.lines().any(|it| it.trim_start_matches("pub ") == line)
    };
    let reached = parents.iter().any(names);
    (!reached).then(|| format!("nobody says `{line}`"))
}

#[test]
fn every_clause_names_tests_that_run() {
    let page = page();
    let rows = rows(&page);
    assert!(rows.len() > 90, "{} rows", rows.len());
    let mut faults = Vec::new();
    let mut clauses = BTreeSet::new();
    for row in &rows {
        if !clauses.insert(&row.clause) {
            faults.push(format!("line {}: the clause stands twice", row.line));
        }
        for test in &row.tests {
            if let Some(fault) = fault(test) {
                faults.push(format!("line {}: {test}: {fault}", row.line));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every line that begins like a row is read: an unread row would not be checked.
#[test]
fn every_row_is_read() {
    let page = page();
    let written = page.lines().filter(|line| line.starts_with('|'));
    let heads = page.lines().filter(|line| *line == "| clause | tests |");
    assert_eq!(written.count(), rows(&page).len() + 2 * heads.count());
}

#[test]
fn names_that_are_not_tests_are_found() {
    let source = "#[test]\nfn good() {}\n\n#[test]\n#[ignore = \"slow\"]\nfn idle() {}\n\nfn plain() {}\n\
                  /// Words.\n#[tokio::test(flavor = \"x\")]\nasync fn waits() {}\n";
    assert_eq!(fault_of_function(source, "good"), None);
    assert_eq!(fault_of_function(source, "waits"), None);
    for (name, fault) in [
        ("idle", "ignored"),
        ("plain", "no test"),
        ("goo", "no function"),
    ] {
        let said = fault_of_function(source, name).unwrap_or_default();
        assert!(said.contains(fault), "{name}: {said}");
    }
    let nowhere = fault("`tests/service/which/is/not/there.rs::good`").unwrap_or_default();
    assert!(nowhere.contains("no file"), "{nowhere}");
    assert!(unreached(&checkout().join("tests/service/which/is/not/there.rs")).is_some());
    assert_eq!(unreached(&checkout().join("tests/service/tokens.rs")), None);
}
