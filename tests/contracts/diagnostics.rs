//! Messages about every case under `fixtures/invalid/`, as a user reads them.
//!
//! A case is a project folder with a `case.md` of one sentence and the messages in `expected.snap`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use formwork_cli::diagnostic::{Code, Diagnostic, Severity, render, to_json};
use formwork_cli::manifest::{Sources, Span};
use formwork_cli::resolve::resolve;

use formwork_tests::snapshots::assert_expected;

/// Calls `check` with the folder and the diagnostics of every case.
fn each_case(mut check: impl FnMut(&Path, &[Diagnostic], &Sources)) {
    insta::glob!("../../fixtures/invalid", "*/case.md", |sentence| {
        let folder = sentence.parent().expect("a folder");
        let sources = Sources::read(folder).expect("a case can be read");
        match resolve(&sources) {
            Ok(_) => panic!("{} is accepted", folder.display()),
            Err(diagnostics) => check(folder, &diagnostics, &sources),
        }
    });
}

#[test]
fn texts_are_as_expected() {
    each_case(|folder, diagnostics, sources| {
        let sentence = fs::read_to_string(folder.join("case.md")).expect("a sentence");
        let is_sentence = sentence.trim().ends_with('.');
        assert!(is_sentence, "{}: case.md is a sentence", folder.display());
        assert_expected(folder, &render(diagnostics, sources, false));
    });
}

#[test]
fn every_diagnostic_has_a_span_and_a_help() {
    let (mut cases, mut codes) = (0, BTreeSet::new());
    each_case(|folder, diagnostics, sources| {
        let mut severities = diagnostics.iter().map(|it| it.severity);
        assert!(severities.any(|severity| severity == Severity::Error));
        for diagnostic in diagnostics {
            let fault = fault(diagnostic, sources);
            assert_eq!(fault, None, "{}: {diagnostic:?}", folder.display());
        }
        let place = |it: &Diagnostic| (it.path.clone(), it.line, it.column);
        assert!(diagnostics.is_sorted_by_key(place), "{}", folder.display());
        let json = to_json(diagnostics, sources);
        assert_eq!(json.as_array().map(Vec::len), Some(diagnostics.len()));
        codes.extend(diagnostics.iter().map(|it| it.code));
        cases += 1;
    });
    assert!(cases >= 20, "{cases} cases");
    assert!(codes.len() >= 30, "{} codes: {codes:?}", codes.len());
}

/// Diagnostics that may be about the whole file, or about its name, and then mark its beginning.
const ABOUT_THE_FILE: [Code; 5] = [
    Code::EmptyFile,
    Code::FormerName,
    Code::IllegalName,
    Code::IndexLimit,
    Code::Missing,
];

/// Returns what a diagnostic lacks: a span in its file, the line of that span, or a help.
fn fault(diagnostic: &Diagnostic, sources: &Sources) -> Option<&'static str> {
    let Span { start, end } = diagnostic.span;
    let text = sources.text(&diagnostic.path).unwrap_or_default();
    let marks_beginning = ABOUT_THE_FILE.contains(&diagnostic.code) && start == 0;
    let needs_text = !text.is_empty() && !marks_beginning;
    if end > text.len() || needs_text && end == 0 {
        return Some("no span");
    }
    let before = text.as_bytes().iter().take(start);
    if before.filter(|byte| **byte == b'\n').count() + 1 != diagnostic.line {
        return Some("another line than its span");
    }
    diagnostic.help.is_none().then_some("no help")
}

#[test]
fn a_diagnostic_without_a_span_or_a_help_is_found() {
    let text = "name: Dishes\nactions: [indx]\n";
    let sources = Sources::from_texts([("extensions/shop/resources/dishes.yaml", text)]);
    let diagnostics = resolve(&sources).expect_err("an unknown action");
    let fault_with = |change: fn(&mut Diagnostic)| {
        let mut diagnostic = diagnostics[0].clone();
        change(&mut diagnostic);
        fault(&diagnostic, &sources)
    };
    assert_eq!(fault_with(|_| ()), None);
    assert_eq!(fault_with(|it| it.span = Span::default()), Some("no span"));
    assert_eq!(fault_with(|it| it.span.end = 900), Some("no span"));
    let other_line = Some("another line than its span");
    assert_eq!(fault_with(|it| it.line = 1), other_line);
    assert_eq!(fault_with(|it| it.help = None), Some("no help"));
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
            let created = sql.split("CREATE TABLE \"").skip(1);
            tables.extend(created.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
    assert!(tables.contains("api_resources"), "{tables:?}");
    tables.retain(|table| !formwork_vocabulary::table::is_runtime(table));
    let hint = "list them in formwork_vocabulary::table";
    assert!(tables.is_empty(), "{tables:?}: {hint}");
}
