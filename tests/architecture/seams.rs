//! Where optional parts and databases are named: a part where it is registered, a database in its
//! dialect, its driver and the configuration.

use std::collections::BTreeSet;

use formwork_tests::checkout;

use crate::sources;

/// The crates of the runtime, below `runtime`.
const CRATES: [&str; 9] = [
    "vocabulary",
    "data",
    "core",
    "openapi",
    "admin",
    "redis",
    "oidc",
    "metrics",
    ".",
];

/// Files that ask for a feature beside those of `data`'s database.
const FEATURES: [&str; 5] = [
    "./src/app.rs",
    "./src/auth.rs",
    "./src/lib.rs",
    "core/src/auth.rs",
    "core/src/serializer/shapes.rs",
];

/// Files that name a database beside those of `data`'s database.
const DATABASES: [&str; 4] = [
    "./src/lib.rs",
    "./src/testing/setup.rs",
    "core/src/config/read.rs",
    "vocabulary/src/config.rs",
];

#[test]
fn features_are_checked_only_where_a_part_is_registered() {
    assert_eq!(
        naming(&["feature = \""]),
        BTreeSet::from(FEATURES.map(str::to_owned))
    );
}

#[test]
fn databases_are_named_by_dialects_drivers_and_configuration() {
    let found = naming(&["sqlite", "postgres", "mysql", "mariadb"]);
    assert_eq!(found, BTreeSet::from(DATABASES.map(str::to_owned)));
}

#[test]
fn the_core_knows_no_part_above_it() {
    let mut found = naming(&["admin area", "swagger", "prometheus"]);
    found.retain(|path| path.starts_with("core/"));
    assert_eq!(found, BTreeSet::new());
}

/// A reason that names one database is none for the others.
#[test]
fn comments_of_the_core_name_databases_in_the_configuration_alone() {
    let texts = sources::read(&checkout().join("runtime/core/src"));
    let texts = texts
        .iter()
        .filter(|(path, _)| !path.starts_with("config") && !path.contains("tests"));
    for (path, text) in texts {
        let code = without_tests(text).to_ascii_lowercase();
        for name in ["sqlite", "postgres", "mysql", "mariadb"] {
            assert!(!code.contains(name), "{path}: {name}");
        }
    }
}

/// Crates above `data` get no part of a database from what they depend on; their tests may.
#[test]
fn crates_above_data_depend_on_no_database() {
    for name in ["core", "openapi", "admin", "redis", "oidc", "metrics"] {
        let manifest = checkout().join("runtime").join(name).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        let of_tests = text.find("[dev-dependencies]").unwrap_or(text.len());
        let of_code = text[..of_tests].to_ascii_lowercase();
        let named = ["sqlite", "postgres", "mysql", "mariadb"];
        let named: Vec<_> = named.iter().filter(|it| of_code.contains(**it)).collect();
        assert!(named.is_empty(), "{name}: {named:?}");
    }
}

/// Files outside of `data`'s database whose code has one of these words, without its tests.
fn naming(words: &[&str]) -> BTreeSet<String> {
    let files = CRATES.iter().flat_map(|name| {
        let source = checkout().join("runtime").join(name).join("src");
        let texts = sources::read(&source).into_iter();
        texts.map(move |(path, text)| (format!("{name}/src/{path}"), text))
    });
    let code = files.filter(|(path, text)| !is_of_database(path) && has_word(text, words));
    code.map(|(path, _)| path).collect()
}

fn is_of_database(path: &str) -> bool {
    path.starts_with("data/src/database") || path == "data/src/lib.rs" || path.contains("tests")
}

fn has_word(text: &str, words: &[&str]) -> bool {
    let code = without_tests(text);
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let lines = lines.map(str::to_ascii_lowercase).collect::<Vec<_>>();
    words
        .iter()
        .any(|word| lines.iter().any(|line| line.contains(word)))
}

/// The text without its test modules: each ends at the next brace in the first column.
fn without_tests(text: &str) -> String {
    let mut parts = text.split("#[cfg(test)]\nmod tests {");
    let before = parts.next();
    let after = parts.filter_map(|part| Some(part.split_once("\n}")?.1));
    before.into_iter().chain(after).collect()
}

#[test]
fn only_test_modules_are_skipped() {
    let module = "#[cfg(test)]\nmod tests {\n    fn a() { sqlite() }\n}\n";
    assert!(!has_word(module, &["sqlite"]));
    assert!(has_word(
        &format!("{module}fn b() {{ sqlite() }}\n"),
        &["sqlite"]
    ));
    assert!(has_word(
        "#[cfg(test)]\nfn a() {}\nfn b() { sqlite() }\n",
        &["sqlite"]
    ));
}
