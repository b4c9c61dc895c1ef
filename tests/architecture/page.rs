//! What ARCHITECTURE.md names is there.

use std::fs;

use formwork_tests::checkout;

use crate::rules::CORE;

/// Folders that the page names files below.
const ROOTS: [&str; 7] = [
    "",
    "docs",
    "fixtures/helpdesk",
    "generator/src",
    "runtime",
    "runtime/core/src",
    "tests/architecture",
];

/// How the names of files begin that are a poured project's.
const POURED: [&str; 3] = [".formwork", "extensions/", "src/"];

#[test]
fn files_that_the_page_names_exist() {
    assert_eq!(missing(&page()), Vec::<String>::new());
}

#[test]
fn modules_that_the_page_lists_exist() {
    let modules = listed(&page());
    assert!(modules.len() > 15, "{modules:?}");
    for module in modules {
        let file = format!("generator/src/{module}.rs");
        assert!(checkout().join(&file).exists(), "{file}");
    }
}

#[test]
fn the_picture_of_the_core_has_its_layers() {
    let row = |row: &&[(&'static str, &str)]| {
        let layers: Vec<&str> = row.iter().map(|(layer, _)| *layer).collect();
        layers.join(", ")
    };
    let layers: Vec<String> = CORE.levels.iter().map(row).collect();
    let layers = layers.join(" ← ");
    assert!(page().contains(&format!("  {layers}\n")), "{layers}");
}

#[test]
fn a_missing_file_is_seen() {
    let text = "`runtime/src/gone.rs` `gone.rs` `runtime/gone/` `core/src/routing.rs` `fixtures/invalid/*`\n\
                ```\n`picture.rs`\n```\n`src/service.rs` and `GET /api/menus/7`";
    assert_eq!(
        missing(text),
        ["runtime/src/gone.rs", "gone.rs", "runtime/gone/"]
    );
    assert_eq!(
        listed("| module | content |\n| --- | --- |\n| `a`, `b` | `c` |\n\n| `d` | e |"),
        ["a", "b"]
    );
}

fn page() -> String {
    fs::read_to_string(checkout().join("ARCHITECTURE.md")).expect("the page")
}

/// The spans of code in a text, without its pictures.
fn spans(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .collect()
}

/// Files and folders that a text names and that are not there.
fn missing(text: &str) -> Vec<String> {
    let is_file = |span: &&str| {
        let is_path = span.contains('/') || span.ends_with(".rs");
        is_path && !span.contains(' ') && !POURED.iter().any(|begin| span.starts_with(begin))
    };
    let exists = |span: &&str| {
        let path = span.trim_end_matches('*');
        let mut places = ROOTS.iter().map(|root| checkout().join(root).join(path));
        places.any(|place| place.exists())
    };
    let files = spans(text).into_iter().filter(is_file);
    files
        .filter(|span| !exists(span))
        .map(str::to_owned)
        .collect()
}

/// The modules in the first column of the tables of modules.
fn listed(text: &str) -> Vec<String> {
    let tables = text
        .split("\n\n")
        .filter(|table| table.trim_start().starts_with("| module |"));
    let rows = tables.flat_map(|table| table.trim_start().lines().skip(2));
    let firsts = rows.filter_map(|row| row.split('|').nth(1));
    let names = firsts.flat_map(spans);
    names.map(str::to_owned).collect()
}
