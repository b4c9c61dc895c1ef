//! `formwork destroy`, by the real binary: unedited files are
//! removed, edited files stay, and only a migration drops the table.

mod extensions;
mod models;

use std::sync::OnceLock;

use formwork_tests::project::{Files, Project};

const CONTROLLER: &str = "extensions/shop/src/api_resources/wines/controller.rs";
const MODEL: &str = "extensions/shop/src/api_resources/wines/model.rs";
const MANIFEST: &str = "extensions/shop/resources/wines.yaml";
const DOCS: &str = "extensions/shop/docs/wines.md";
const TEST: &str = "tests/shop_wines.rs";
const SET_ASIDE: &str = ".formwork/destroyed/shop.wines.yaml";
const DESTROY: [&str; 4] = ["destroy", "resource", "shop", "wines"];
const MAKE: [&str; 5] = [
    "generate",
    "resource",
    "shop",
    "wines",
    "title:string:required",
];

fn project() -> Project {
    static FILES: OnceLock<Files> = OnceLock::new();
    Project::copy_of_one(&FILES, || {
        let project = Project::new("cellar");
        project.run(&MAKE).exits(0);
        project.add("beers", &["title:string"]);
        project
    })
}

/// The SQL of the migrations whose names end so.
fn migrations(project: &Project, name: &str) -> Vec<String> {
    let folder = project.root().join("extensions/shop/migrations/sqlite");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("migrations")
        .map(|file| file.expect("a migration").path())
        .filter(|path| path.to_string_lossy().ends_with(&format!("_{name}.sql")))
        .collect();
    paths.sort();
    let read = |path| std::fs::read_to_string(path).expect("SQL");
    paths.into_iter().map(read).collect()
}

#[test]
fn unedited_files_are_deleted_and_the_table_is_dropped() {
    let project = project();
    project.run(&DESTROY).exits(0).says("deleted").says(MODEL);
    for path in [
        CONTROLLER,
        MODEL,
        MANIFEST,
        TEST,
        "extensions/shop/docs/wines.md",
    ] {
        assert!(!project.has(path), "{path}");
    }
    assert!(
        !project.has("extensions/shop/src/api_resources/wines"),
        "no empty folder"
    );
    let aggregate = project.read("extensions/shop/src/api_resources/mod.rs");
    assert!(
        !aggregate.contains("wines") && aggregate.contains("beers"),
        "{aggregate}"
    );
    let dropped = migrations(&project, "drop_wines");
    assert!(
        dropped.len() == 1 && dropped[0].contains("DROP TABLE \"wines\";"),
        "{dropped:?}"
    );
    assert_eq!(
        migrations(&project, "create_wines").len(),
        1,
        "emitted ones stay"
    );
    let listed = project.read("extensions/shop/src/migrations.rs");
    let (create, drop) = (listed.find("create_wines"), listed.find("drop_wines"));
    assert!(create.is_some() && create < drop, "{listed}");
    assert!(!project.has(".formwork/schema/wines.schema"));
    assert!(
        !project.has(SET_ASIDE),
        "a manifest nobody edited is not kept"
    );

    let before = project.snapshot();
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    project.run(&["status"]).exits(0);
    assert_eq!(before, project.snapshot());
    project
        .run(&DESTROY)
        .exits(2)
        .says("has no resource `wines`");
    assert_eq!(before, project.snapshot());
}

#[test]
fn edited_files_are_kept_and_an_edited_manifest_is_set_aside() {
    let project = project();
    project.edit(CONTROLLER, "/// Serves", "/// Mine: serves");
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    # mine\n    title: string required\n",
    );
    let (controller, manifest) = (project.read(CONTROLLER), project.read(MANIFEST));
    project
        .run(&DESTROY)
        .exits(3)
        .says(CONTROLLER)
        .says(SET_ASIDE);
    assert_eq!(project.read(CONTROLLER), controller);
    assert_eq!(project.read(SET_ASIDE), manifest);
    assert!(!project.has(MANIFEST) && !project.has(MODEL));
    project
        .run(&["generate", "--check"])
        .exits(5)
        .says("orphaned");

    // Moved back, it makes the resource again, and the edits are where they were.
    project.write(MANIFEST, &manifest);
    project.run(&["generate"]).exits(0);
    assert_eq!(project.read(CONTROLLER), controller);
    assert!(project.has(MODEL));
    assert_eq!(migrations(&project, "create_wines").len(), 2);
    project.run(&["generate", "--check"]).exits(0);

    // The next one finds the name taken.
    project.run(&DESTROY).exits(3);
    assert_eq!(project.read(SET_ASIDE), manifest);
    assert_eq!(
        project.read(".formwork/destroyed/shop.wines.2.yaml"),
        manifest
    );
}

#[test]
fn a_table_whose_manifest_disappeared_is_listed_until_it_is_destroyed() {
    let project = project();
    project.remove(MANIFEST);
    project.run(&["generate"]).exits(0).says("wines");
    assert!(
        migrations(&project, "drop_wines").is_empty(),
        "a manifest never drops its table"
    );
    project.run(&["status"]).exits(0).says("they stay: wines");
    project.run(&["generate", "--check"]).exits(0);
    project.run(&DESTROY).exits(0);
    assert_eq!(migrations(&project, "drop_wines").len(), 1);
    let status = project.run(&["status"]).exits(0);
    assert!(!status.output.contains("wines"), "{}", status.output);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_manifest_removed_by_hand_can_be_made_again_at_once() {
    let project = project();
    project.remove(MANIFEST);
    project.run(&MAKE).exits(0);
    assert!(project.has(MANIFEST));
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_resource_with_references_to_it_is_not_destroyed() {
    let project = project();
    project.add("bottles", &["wine:references:wines"]);
    let before = project.snapshot();
    project
        .run(&DESTROY)
        .exits(2)
        .says("wines")
        .says("nothing was destroyed");
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_table_without_a_manifest_keeps_the_table_that_it_points_to() {
    let project = project();
    project.add("bottles", &["wine:references:wines"]);
    project.remove("extensions/shop/resources/bottles.yaml");
    project.run(&["generate"]).exits(0);
    let before = project.snapshot();
    project
        .run(&DESTROY)
        .exits(2)
        .says("table bottles: its foreign key points to wines");
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_dry_run_lists_the_deletions_and_writes_nothing() {
    let project = project();
    let before = project.snapshot();
    let ran = project
        .run(&[&DESTROY[..], &["--dry-run", "--diff"]].concat())
        .exits(0);
    let ran = ran
        .says(MANIFEST)
        .says(MODEL)
        .says("DROP TABLE")
        .says("nothing was written");
    ran.says("-pub struct Wine")
        .says("the same command without --dry-run");
    assert_eq!(before, project.snapshot());
    let ran = project
        .run(&[&DESTROY[..], &["--format", "json"]].concat())
        .exits(0);
    let report: serde_json::Value = serde_json::from_str(&ran.output).expect("JSON");
    assert_eq!(report["command"], "destroy", "{report}");
}

#[test]
fn wrong_names_are_answered_with_right_ones() {
    let project = project();
    let before = project.snapshot();
    project
        .run(&["destroy", "resource", "shop", "wins"])
        .exits(2)
        .says("wines");
    project
        .run(&["destroy", "resource", "shopp", "wines"])
        .exits(2)
        .says("shop");
    project
        .run(&["destroy", "resource", "no/good", "wines"])
        .exits(2);
    assert_eq!(before, project.snapshot());
    // Every form of the name is the same resource.
    project
        .run(&["destroy", "resource", "shop", "Wine"])
        .exits(0);
    assert!(!project.has(MANIFEST));
}

#[test]
fn unresolved_markers_stop_a_destroy() {
    let project = project();
    let model = project.read(MODEL);
    project.write(
        MODEL,
        &format!("<<<<<<< a\n{model}||||||| b\n=======\n>>>>>>> c\n"),
    );
    let before = project.snapshot();
    let ran = project.run(&DESTROY).exits(4).says(MODEL);
    assert!(!ran.output.contains("deleted"), "it did nothing: {ran:?}");
    assert_eq!(before, project.snapshot());
}

#[cfg(unix)]
#[test]
fn a_symlink_is_deleted_and_its_target_is_kept() {
    let project = project();
    for path in [DOCS, MANIFEST] {
        let (link, real) = (project.root().join(path), format!("{path}.real"));
        std::fs::rename(&link, project.root().join(&real)).expect("moved");
        let name = real.rsplit('/').next().expect("a name");
        std::os::unix::fs::symlink(name, &link).expect("a symlink");
    }
    project.run(&["generate", "--check"]).exits(0);
    project.run(&DESTROY).exits(0);
    for path in [DOCS, MANIFEST] {
        let link = project.root().join(path);
        assert!(link.symlink_metadata().is_err(), "{path}");
        assert!(project.has(&format!("{path}.real")), "{path}");
    }
    project.run(&MAKE).exits(0);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn the_migration_that_drops_a_table_is_emitted_like_any_other() {
    let project = project();
    let state = ".formwork/schema/beers.schema";
    let before = project.read(state);
    let beers = "extensions/shop/resources/beers.yaml";
    project.edit(
        beers,
        "    title: string\n",
        "    title: string\n    price: integer nullable\n",
    );
    project.run(&["generate"]).exits(0);
    let after = project.read(state);
    // As a merge leaves it that kept the other branch's side: what comes now would be made after the wrong migration.
    project.write(state, &before);
    project
        .run(&DESTROY)
        .exits(2)
        .says("beers.schema does not know the migration");
    assert!(project.has(MODEL));
    project.write(state, &after);
    project.run(&DESTROY).exits(0);
    let dropped = migrations(&project, "drop_wines");
    let head = dropped[0].lines().nth(1).expect("a head");
    assert!(head.ends_with("_add_price_to_beers"), "{head}");
}
