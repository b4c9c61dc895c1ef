//! The directions of dependencies that ARCHITECTURE.md promises, read off the parsed sources.

mod arrows;
mod broken;
mod check;
mod circles;
mod citations;
mod layers;
mod nameable;
mod page;
mod paths;
mod resolving;
mod rules;
mod seams;
mod sources;
mod sql;
mod surface;
mod templates;

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use arrows::Arrows;
use formwork_tests::checkout;
use layers::Rules;
use rules::{ADMIN, CORE, DATA, GENERATOR, METRICS, OIDC, OPENAPI, REDIS, RUNTIME, VOCABULARY};
use sources::Modules;

/// The crates of the workspace, from the inside out.
const CRATES: [&Rules; 10] = [
    &VOCABULARY,
    &DATA,
    &CORE,
    &OPENAPI,
    &ADMIN,
    &REDIS,
    &METRICS,
    &OIDC,
    &RUNTIME,
    &GENERATOR,
];

#[test]
fn modules_use_inner_modules_only() {
    for rules in CRATES {
        hold(rules);
    }
}

/// Asserts that the sources of a crate keep its rules.
fn hold(rules: &Rules) {
    let modules = sources::parse(&sources::read(&checkout().join(rules.source)));
    let tops: BTreeSet<&str> = modules
        .values()
        .map(|module| module.file.split("::").next().unwrap_or_default())
        .collect();
    let placed: BTreeSet<&str> = rules.modules().collect();
    let homeless: Vec<_> = tops.difference(&placed).collect();
    let gone: Vec<_> = placed.difference(&tops).collect();
    assert!(
        homeless.is_empty() && gone.is_empty(),
        "tests/architecture/rules.rs: give these modules a layer: {homeless:?}; remove these, which are gone: {gone:?}"
    );
    let arrows = through_re_exports(arrows::arrows(&modules));
    let faults = check::faults(&arrows, rules);
    assert!(faults.is_empty(), "{}:\n{}", rules.name, faults.join("\n"));
}

/// The crates whose re-exports are followed.
static LIBRARIES: LazyLock<Vec<(String, Modules)>> = LazyLock::new(|| {
    let library = |rules: &Rules| {
        let modules = sources::parse(&sources::read(&checkout().join(rules.source)));
        (format!("formwork_{}", rules.name), modules)
    };
    [&VOCABULARY, &DATA, &CORE].map(library).into()
});

/// The arrows, and those to where what they lead to is defined, if another crate re-exports it.
fn through_re_exports(mut arrows: Arrows) -> Arrows {
    let libraries = LIBRARIES.iter().flat_map(|(name, modules)| {
        let defined = arrows.outside.iter().filter_map(move |(from, to)| {
            let path: Vec<String> = to.split("::").map(str::to_owned).collect();
            let (_, path) = path.split_first().filter(|(first, _)| *first == name)?;
            Some((from.clone(), arrows::definition(name, modules, path)?))
        });
        defined.collect::<Vec<_>>()
    });
    let defined: Vec<_> = libraries.collect();
    arrows.outside.extend(defined);
    arrows
}

/// Which crates of the workspace each may depend on; a crate that is not named here may be used by none.
#[test]
fn crates_depend_on_inner_crates_only() {
    const CORE: &[&str] = &["formwork-core", "formwork-data", "formwork-vocabulary"];
    let table: [(&str, &[&str]); 11] = [
        ("runtime/vocabulary", &[]),
        ("runtime/data", &["formwork-vocabulary"]),
        ("runtime/core", &["formwork-data", "formwork-vocabulary"]),
        ("runtime/openapi", CORE),
        ("runtime/admin", CORE),
        ("runtime/redis", CORE),
        ("runtime/oidc", CORE),
        ("runtime/metrics", CORE),
        (
            "runtime",
            &[
                "formwork-admin",
                "formwork-core",
                "formwork-data",
                "formwork-metrics",
                "formwork-oidc",
                "formwork-openapi",
                "formwork-redis",
                "formwork-vocabulary",
            ],
        ),
        (
            "generator",
            &[
                "formwork-templates",
                "formwork-vocabulary",
                "formwork-examples",
            ],
        ),
        ("templates", &[]),
    ];
    for (folder, allowed) in table {
        let text =
            fs::read_to_string(checkout().join(folder).join("Cargo.toml")).expect("Cargo.toml");
        let used = dependencies(&text);
        let wrong: Vec<_> = used
            .iter()
            .filter(|it| !allowed.contains(&it.as_str()))
            .collect();
        assert!(wrong.is_empty(), "{folder} depends on {wrong:?}");
    }
}

/// The crates of this workspace that a manifest depends on: by name or by `package`, for every target, for
/// building as well. Tests may depend on any.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let manifest: toml_edit::DocumentMut = manifest.parse().expect("TOML");
    let root = manifest.as_table();
    let targets = root.get("target").and_then(|it| it.as_table());
    let targets = targets.into_iter().flat_map(|all| all.iter());
    let targets = targets.filter_map(|(_, target)| target.as_table());
    let tables = std::iter::once(root).chain(targets).flat_map(|table| {
        ["dependencies", "build-dependencies"].map(|name| table.get(name)?.as_table_like())
    });
    let dependencies = tables.flatten().flat_map(|table| table.iter());
    let names = dependencies.map(|(name, value)| {
        let package = value.get("package").and_then(|it| it.as_str());
        package.unwrap_or(name).to_owned()
    });
    names.filter(|name| name.starts_with("formwork")).collect()
}

#[test]
fn a_dependency_is_seen_however_it_is_written() {
    for manifest in [
        "[dependencies]\nformwork-core.workspace = true",
        "[dependencies]\nother = { package = \"formwork-core\", path = \"..\" }",
        "[target.'cfg(unix)'.dependencies]\nformwork-core = \"1\"",
        "[build-dependencies.formwork-core]\nversion = \"1\"",
    ] {
        let found = dependencies(manifest);
        assert_eq!(
            found,
            BTreeSet::from(["formwork-core".to_owned()]),
            "{manifest}"
        );
    }
}
