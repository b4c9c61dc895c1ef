//! What is refused, and what must not be lost when several work at once.

use formwork_tests::project::Project;

use super::{MANIFEST, add_attribute, project};

#[test]
fn a_refused_run_writes_no_file() {
    let project = project();
    let before = project.snapshot();
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "wines",
            "name:strng:required",
        ])
        .exits(2)
        .says("string");
    project
        .run(&["generate", "resource", "shop", "docs", "name:string"])
        .exits(2);
    project
        .run(&["generate", "resource", "shop", "dishes", "--table", "other"])
        .exits(2);
    project
        .run(&["generate", "resource", "no/good", "dishes"])
        .exits(2);
    assert_eq!(before, project.snapshot());
    project.edit(MANIFEST, "actions:", "actoins:");
    let before = project.snapshot();
    project
        .run(&["generate"])
        .exits(2)
        .says("did you mean")
        .says(MANIFEST);
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_manifest_that_is_no_text_is_a_mistake_and_stays_as_it_is() {
    let project = project();
    let file = project.root().join(MANIFEST);
    let text = project.read(MANIFEST);
    let latin = [text.as_bytes(), b"description: Men\xFC\n"].concat();
    std::fs::write(&file, &latin).expect("a manifest");
    let before = project.snapshot();
    let with = ["generate", "resource", "shop", "dishes", "stock:integer"];
    for args in [&with[..4], &with] {
        project.run(args).exits(2).says("E0001");
    }
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_state_of_a_newer_formwork_is_left_alone() {
    let project = project();
    let lock = ".formwork/lock/shop.dishes.lock";
    let text = project.read(lock);
    let newer = text.replacen("formwork 0.", "formwork 99.", 1);
    assert_ne!(text, newer, "{text}");
    project.write(lock, &newer);
    add_attribute(&project);
    let before = project.snapshot();
    project.run(&["generate"]).exits(2).says("99.");
    assert_eq!(before, project.snapshot());
}

#[test]
fn resources_made_at_the_same_time_are_all_registered() {
    let project = Project::new("bistro");
    project.run(&["generate", "extension", "shop"]).exits(0);
    std::thread::scope(|scope| {
        for name in ["cups", "mugs", "pots"] {
            let project = &project;
            scope.spawn(move || {
                let make = ["generate", "resource", "shop", name, "name:string"];
                project.run(&make).exits(0);
            });
        }
    });
    let aggregate = project.read("extensions/shop/src/api_resources/mod.rs");
    for name in ["cups", "mugs", "pots"] {
        assert!(
            aggregate.contains(&format!("pub mod {name};")),
            "{aggregate}"
        );
    }
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_migration_that_the_state_lost_is_listed_all_the_same() {
    let project = project();
    project.remove(".formwork/lock/shop.dishes.lock");
    project.run(&["generate"]);
    let migrations = project.read("extensions/shop/src/migrations.rs");
    assert!(migrations.contains("create_dishes"), "{migrations}");
}

#[test]
fn a_lock_that_is_not_text_is_mended() {
    let project = project();
    let lock = ".formwork/lock/shop.dishes.lock";
    let path = project.root().join(lock);
    let whole = std::fs::read(&path).expect("the lock");
    for damaged in [[&whole[..], b"x\xff\n"].concat(), b"\xff\xfe".to_vec()] {
        std::fs::write(&path, damaged).expect("a damaged lock");
        project.run(&["generate"]).exits(0);
        assert_eq!(project.read(lock).as_bytes(), whole);
        project.run(&["generate", "--check"]).exits(0);
    }
}

#[test]
fn two_test_files_of_one_name_are_refused_where_the_manifests_are() {
    let project = Project::new("bistro");
    project
        .run(&["generate", "resource", "a_b", "cups", "title:string"])
        .exits(0);
    let before = project.snapshot();
    project
        .run(&["generate", "resource", "a", "b_cups", "title:string"])
        .exits(2)
        .says("a_b_cups")
        .says("give one of them another key");
    assert_eq!(before, project.snapshot());
}
