//! The directions of dependencies that ARCHITECTURE.md promises, read off the `use crate::` lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use formwork_tests::checkout;

/// Modules of the generator from the inside out: each may use only itself and those listed before it.
const GENERATOR: &[&[&str]] = &[
    &[
        "exit",
        "error",
        "moment",
        "suggestion",
        "rendered",
        "project",
        "name",
    ],
    &["manifest", "column", "diagnostic", "former"],
    &[
        "resolve",
        "format",
        "merge",
        "cargo_toml",
        "state",
        "output",
    ],
    &["schema", "plan", "view"],
    &["render", "apply", "report"],
    &["cli"],
    &["command"],
];

/// What a module must never know, with the reason it would be a fault.
const NEVER: &[(&str, &str, &str)] = &[
    ("project", "manifest", "the model is free of YAML"),
    ("project", "output", "the model is free of paths"),
    ("resolve", "plan", "rejecting does not depend on the disk"),
    (
        "resolve",
        "render",
        "rejecting does not depend on templates",
    ),
    (
        "view",
        "plan",
        "what templates see does not depend on the disk",
    ),
    ("render", "plan", "rendering does not know what is on disk"),
    (
        "render",
        "state",
        "rendering does not know what was rendered before",
    ),
    ("schema", "render", "tables do not depend on templates"),
    ("plan", "apply", "planning only reads"),
    ("plan", "render", "planning takes files, not templates"),
];

/// Each module of a crate and the modules it names in `use crate::…` or `crate::…` paths.
fn uses(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(source) {
        let entry = entry.expect("a source");
        let path = entry.path().strip_prefix(source).expect("below the source");
        let is_test = path
            .components()
            .any(|part| part.as_os_str().to_string_lossy().trim_end_matches(".rs") == "tests");
        if is_test || entry.path().extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let first = path
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy()
            .into_owned();
        let module = first.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(entry.path()).expect("text");
        // What stands below `#[cfg(test)]` may use anything.
        let text = text
            .split("#[cfg(test)]")
            .next()
            .unwrap_or_default()
            .to_owned();
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let code = code.collect::<Vec<_>>().join("\n");
        let named = code.split("crate::").skip(1).filter_map(|rest| {
            let name: String = rest
                .chars()
                .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
                .collect();
            (!name.is_empty() && name.starts_with(|first: char| first.is_ascii_lowercase()))
                .then_some(name)
        });
        found
            .entry(module.clone())
            .or_default()
            .extend(named.filter(|name| *name != module));
    }
    // A path in a text (`crate::shop::DishRepository`) names no module of this crate.
    let modules: BTreeSet<String> = found.keys().cloned().collect();
    found
        .values_mut()
        .for_each(|named| named.retain(|name| modules.contains(name)));
    found
}

#[test]
fn the_generators_modules_depend_on_what_lies_further_in() {
    let uses = uses(&checkout().join("generator/src"));
    let level: BTreeMap<&str, usize> = GENERATOR
        .iter()
        .enumerate()
        .flat_map(|(level, modules)| modules.iter().map(move |module| (*module, level)))
        .collect();
    for (module, named) in &uses {
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let own = level
            .get(module.as_str())
            .unwrap_or_else(|| panic!("{module} has no place in GENERATOR"));
        for name in named {
            let other = level
                .get(name.as_str())
                .unwrap_or_else(|| panic!("{name} has no place in GENERATOR"));
            assert!(other <= own, "{module} uses {name}, which lies further out");
        }
    }
    for module in level.keys() {
        assert!(
            uses.contains_key(*module),
            "{module} stands in GENERATOR, but there is no such module"
        );
    }
    for (module, name, reason) in NEVER {
        assert!(
            !uses[*module].contains(*name),
            "{module} uses {name}: {reason}"
        );
    }
}

#[test]
fn only_apply_and_the_commands_that_make_projects_write_files() {
    let writers = [
        "fs::write",
        "fs::rename",
        "fs::remove",
        "File::create",
        "fs::create_dir",
        "OpenOptions",
    ];
    let allowed = [
        "apply/",
        "apply.rs",
        "command/demo.rs",
        "command/example.rs",
        "command/new.rs",
        "format.rs",
        "format/",
    ];
    let source = checkout().join("generator/src");
    for entry in walkdir::WalkDir::new(&source) {
        let entry = entry.expect("a source");
        let path = entry
            .path()
            .strip_prefix(&source)
            .expect("below the source")
            .to_string_lossy()
            .into_owned();
        let is_test = path.contains("tests") || !path.ends_with(".rs");
        if is_test || allowed.iter().any(|allowed| path.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(entry.path()).expect("text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for writer in writers {
            assert!(!code.contains(writer), "{path} writes: {writer}");
        }
    }
}

#[test]
fn the_runtime_does_not_know_the_generator_and_sql_stays_in_its_layers() {
    let runtime = fs::read_to_string(checkout().join("runtime/Cargo.toml")).expect("text");
    assert!(!runtime.contains("formwork-cli") && !runtime.contains("formwork-templates"));
    let uses = uses(&checkout().join("runtime/src"));
    for (module, name, reason) in [
        ("repository", "routing", "finding rows knows no paths"),
        ("repository", "response", "finding rows knows no answers"),
        (
            "model",
            "controller",
            "a row knows nothing of who serves it",
        ),
        ("model", "routing", "a row knows no paths"),
        (
            "transformer",
            "database",
            "shaping a record sends no statement",
        ),
        (
            "transformer",
            "query",
            "shaping a record sends no statement",
        ),
        ("serializer", "database", "rendering sends no statement"),
        ("query", "controller", "a query does not know who asks"),
    ] {
        assert!(
            !uses[module].contains(name),
            "{module} uses {name}: {reason}"
        );
    }
}

#[test]
fn no_template_decides_about_types_or_names() {
    for entry in walkdir::WalkDir::new(checkout().join("templates")) {
        let entry = entry.expect("a template");
        if entry
            .path()
            .extension()
            .is_none_or(|ending| ending != "tera")
        {
            continue;
        }
        let text = fs::read_to_string(entry.path()).expect("text");
        for word in [
            "==",
            "i64",
            "Option<",
            "| lower",
            "| upper",
            "| replace",
            "starting_with",
            "containing",
        ] {
            for tag in text.split("{%").skip(1).chain(text.split("{{").skip(1)) {
                let tag = tag.split(['%', '}']).next().unwrap_or_default();
                assert!(
                    !tag.contains(word),
                    "{}: {word} in {tag:?}",
                    entry.path().display()
                );
            }
        }
    }
}
