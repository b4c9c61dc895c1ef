//! Every mistake under `fixtures/invalid/`, compared with the text a user reads.
//!
//! A case is a project folder with a `case.md` of one sentence and an `expected.txt`.
//! `FORMWORK_BLESS=1` writes the texts again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use formwork_cli::diagnostic::{Diagnostic, Severity, render, to_json};
use formwork_cli::manifest::Sources;
use formwork_cli::resolve::resolve;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/invalid");
    let entries = fs::read_dir(folder).expect("fixtures/invalid");
    let mut cases: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    cases
}

fn mistakes(case: &Path) -> (Vec<Diagnostic>, Sources) {
    let sources = Sources::read(case).expect("a case can be read");
    match resolve(&sources) {
        Ok(_) => panic!("{} is accepted", case.display()),
        Err(found) => (found, sources),
    }
}

#[test]
fn texts_are_as_expected() {
    let bless = std::env::var_os("FORMWORK_BLESS").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let sentence = fs::read_to_string(case.join("case.md")).unwrap_or_default();
        assert!(
            sentence.trim().ends_with('.'),
            "{}: case.md is a sentence",
            case.display()
        );
        let (found, sources) = mistakes(&case);
        let text = render(&found, &sources, false);
        let path = case.join("expected.txt");
        if bless {
            fs::write(&path, &text).expect("expected.txt is written");
        }
        let expected = fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; FORMWORK_BLESS=1 writes it", path.display())
        });
        if text != expected {
            wrong.push(format!("{}\n{text}", case.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "texts differ (FORMWORK_BLESS=1 accepts them):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_mistake_has_a_place_and_a_help() {
    for case in cases() {
        let (found, sources) = mistakes(&case);
        assert!(found.iter().any(|found| found.severity == Severity::Error));
        for found in &found {
            let text = sources.text(&found.path).unwrap_or_default();
            assert!(found.line <= text.lines().count().max(1), "{found:?}");
            assert!(found.help.is_some(), "{}: {found:?}", case.display());
        }
        let sorted = found.is_sorted_by_key(|found| (found.path.clone(), found.line, found.column));
        assert!(sorted, "{}: by file and place", case.display());
        assert_eq!(
            to_json(&found, &sources).as_array().map(Vec::len),
            Some(found.len())
        );
    }
}

#[test]
fn many_kinds_are_covered() {
    let cases = cases();
    let kinds: BTreeSet<_> = cases
        .iter()
        .flat_map(|case| mistakes(case).0)
        .map(|found| found.code)
        .collect();
    assert!(cases.len() >= 20, "{} cases", cases.len());
    assert!(kinds.len() >= 30, "{} kinds: {kinds:?}", kinds.len());
}

#[test]
fn every_table_of_the_runtime_is_reserved() {
    let runtime = formwork_tests::checkout().join("runtime");
    let is_source = |path: &Path| path.components().all(|part| part.as_os_str() != "tests");
    let mut tables = BTreeSet::new();
    for entry in walkdir::WalkDir::new(runtime) {
        let path = entry.expect("an entry").into_path();
        if is_source(&path) && path.extension().is_some_and(|ending| ending == "sql") {
            let sql = fs::read_to_string(&path).expect("a migration");
            let made = sql.split("CREATE TABLE \"").skip(1);
            tables.extend(made.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
    assert!(tables.contains("api_resources"), "{tables:?}");
    let open = |table: &&String| !formwork_vocabulary::table::is_runtime(table);
    let open: Vec<_> = tables.iter().filter(open).collect();
    assert!(
        open.is_empty(),
        "{open:?}: list them in formwork_vocabulary::table"
    );
}
