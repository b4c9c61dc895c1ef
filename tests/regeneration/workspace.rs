//! Extensions that come, move and go, and resources that are still to be generated.

use super::project;

const LIB: &str = "extensions/shop/src/api_resources/mod.rs";
const CUPS: &str = "name: Cups\nmodel:\n  attributes:\n    size: integer required\n";

#[test]
fn aggregates_of_a_run_for_one_resource_list_none_that_is_still_to_come() {
    let project = project();
    project.write("extensions/shop/resources/cups.yaml", CUPS);
    project.write(
        "extensions/bar/resources/teas.yaml",
        &CUPS.replace("Cups", "Teas"),
    );
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "dishes",
            "stock:integer:nullable",
        ])
        .exits(0)
        .says("not generated yet: bar.teas, shop.cups");
    let listed = |path: &str, word: &str| project.read(path).contains(word);
    assert!(listed(LIB, "mod dishes;") && !listed(LIB, "cups"));
    assert!(!listed("Cargo.toml", "bar") && !listed("src/lib.rs", "bar::"));
    project.run(&["generate"]).exits(0);
    assert!(listed(LIB, "mod dishes;") && listed(LIB, "mod cups;"));
    assert!(listed("Cargo.toml", "extensions/bar") && listed("src/lib.rs", "bar::"));
    project
        .run(&["generate", "resource", "shop", "dishes"])
        .exits(0);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn an_extension_that_moved_into_a_repository_of_its_own_stays_a_dependency() {
    let project = project();
    let cargo = project.read("Cargo.toml");
    let line = cargo
        .lines()
        .find(|line| line.starts_with("shop = "))
        .expect("its line");
    let moved = "shop = { git = \"https://example.com/shop\", rev = \"1\" } # ours";
    project.write("Cargo.toml", &cargo.replace(line, moved));
    std::fs::remove_dir_all(project.root().join("extensions/shop")).expect("a folder");
    project.run(&["generate"]);
    let cargo = project.read("Cargo.toml");
    assert!(
        cargo.contains(moved) && !cargo.contains("extensions/shop"),
        "{cargo}"
    );
}

#[test]
fn an_extension_whose_package_is_renamed_is_a_dependency_by_its_new_name() {
    let project = project();
    let own = "extensions/shop/Cargo.toml";
    project.edit(own, "name = \"shop\"", "name = \"bistro-shop\"");
    project.run(&["generate"]).exits(0);
    let cargo = project.read("Cargo.toml");
    let lines: Vec<&str> = cargo
        .lines()
        .filter(|line| line.contains("{ path = \"extensions/shop\" }"))
        .collect();
    assert_eq!(
        lines,
        ["bistro-shop = { path = \"extensions/shop\" }"],
        "{cargo}"
    );
    let library = project.read("src/lib.rs");
    assert!(library.contains("bistro_shop::"), "{library}");
    project.run(&["generate", "--check"]).exits(0);
}

#[cfg(unix)]
#[test]
fn a_manifest_behind_a_broken_symlink_is_not_treated_as_removed() {
    let project = project();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let real = elsewhere.path().join("cups.yaml");
    std::fs::write(&real, CUPS).expect("a manifest");
    let link = "extensions/shop/resources/cups.yaml";
    std::os::unix::fs::symlink(&real, project.root().join(link)).expect("a symlink");
    project.run(&["generate"]).exits(0);
    std::fs::remove_file(&real).expect("removed");
    for args in [&["generate"][..], &["generate", "--check"], &["status"]] {
        project
            .run(args)
            .exits(1)
            .says(link)
            .says("the symlink is broken");
    }
    assert!(project.has("extensions/shop/docs/cups.md"));
}
