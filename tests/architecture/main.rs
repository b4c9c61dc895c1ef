//! The directions of dependencies that ARCHITECTURE.md promises, read off the parsed sources.
//!
//! Known faults are listed in `known/`; the lists only shrink. After a merge, this writes them anew:
//!
//! ```sh
//! FORMWORK_BLESS=1 cargo test -p formwork-tests --test architecture
//! ```

mod arrows;
mod broken;
mod check;
mod circles;
mod known;
mod layers;
mod paths;
mod resolving;
mod rules;
mod sources;
mod templates;

use std::collections::BTreeSet;
use std::fs;

use formwork_tests::checkout;
use layers::Rules;
use rules::{ADMIN, CORE, DATA, GENERATOR, OPENAPI, REDIS, RUNTIME, VOCABULARY};

#[test]
fn the_vocabulary_stands_on_nothing() {
    hold(&VOCABULARY);
    let known = known::read(VOCABULARY.name);
    assert!(known.is_empty(), "the vocabulary has no known fault");
}

#[test]
fn the_generators_modules_use_what_lies_further_in() {
    hold(&GENERATOR);
}

#[test]
fn modules_of_data_use_what_lies_further_in() {
    hold(&DATA);
}

#[test]
fn the_cores_modules_use_what_lies_further_in() {
    hold(&CORE);
}

#[test]
fn modules_of_the_description_use_what_lies_further_in() {
    hold(&OPENAPI);
}

#[test]
fn modules_of_the_admin_area_use_what_lies_further_in() {
    hold(&ADMIN);
}

#[test]
fn modules_of_the_redis_counts_use_what_lies_further_in() {
    hold(&REDIS);
}

#[test]
fn the_runtimes_modules_use_what_lies_further_in() {
    hold(&RUNTIME);
}

/// Holds the sources of a crate against its rules.
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
    let arrows = arrows::arrows(&modules);
    let known = known::read(rules.name);
    println!(
        "{}: {} files, {} arrows, {} known faults",
        rules.name,
        modules
            .values()
            .map(|module| &module.file)
            .collect::<BTreeSet<_>>()
            .len(),
        arrows.inside.len(),
        known.len()
    );
    if known::is_blessing() {
        known::write(rules.name, &check::list(&arrows, rules, &known));
        return;
    }
    let faults = check::faults(&arrows, rules, &known);
    assert!(
        faults.is_empty(),
        "tests/architecture/known/{}.txt:\n{}",
        rules.name,
        faults.join("\n")
    );
}

#[test]
fn crates_depend_on_what_lies_further_in() {
    let forbidden = [
        (
            "runtime/vocabulary",
            &["formwork", "formwork-cli", "formwork-templates"][..],
        ),
        (
            "runtime/data",
            &[
                "formwork",
                "formwork-core",
                "formwork-cli",
                "formwork-templates",
            ],
        ),
        (
            "runtime/core",
            &[
                "formwork",
                "formwork-admin",
                "formwork-redis",
                "formwork-openapi",
                "formwork-cli",
            ],
        ),
        ("runtime/admin", &["formwork", "formwork-openapi"]),
        ("runtime/redis", &["formwork", "formwork-admin"]),
        ("runtime/openapi", &["formwork", "formwork-admin"]),
        ("runtime", &["formwork-cli", "formwork-templates"]),
        ("generator", &["formwork"]),
        (
            "templates",
            &["formwork", "formwork-cli", "formwork-vocabulary"],
        ),
    ];
    for (folder, names) in forbidden {
        let text =
            fs::read_to_string(checkout().join(folder).join("Cargo.toml")).expect("Cargo.toml");
        let manifest: toml_edit::DocumentMut = text.parse().expect("TOML");
        for name in names {
            let found = manifest
                .get("dependencies")
                .and_then(|table| table.get(name));
            assert!(found.is_none(), "{folder} depends on {name}");
        }
    }
}
