//! Migrations on disk: written by hand, deleted, and missing in the state.

use std::fs;

use super::{Project, project};

const FOLDER: &str = "extensions/shop/migrations/sqlite";
const LIST: &str = "extensions/shop/src/migrations.rs";

/// The one migration that was emitted.
fn emitted(project: &Project) -> String {
    let mut files = fs::read_dir(project.root().join(FOLDER)).expect("migrations");
    let file = files.next().expect("one").expect("a file");
    format!("{FOLDER}/{}", file.file_name().to_string_lossy())
}

#[test]
fn a_migration_by_hand_is_listed_by_the_name_of_its_file() {
    let project = project();
    project.write(&format!("{FOLDER}/0001_first.sql"), "SELECT 1;\n");
    project.write(&format!("{FOLDER}/seed.sql"), "SELECT 1;\n");
    project.write("extensions/shop/migrations/2_loose.sql", "SELECT 1;\n");
    project.write(&format!("{FOLDER}/README.md"), "How they are written.\n");
    let ran = project.run(&["generate"]).exits(0);
    let ran = ran.says("sqlite/seed.sql: this is not a migration");
    ran.says("migrations/2_loose.sql: this is not a migration");
    let list = project.read(LIST);
    for line in [
        "version: 1,",
        "name: \"first\"",
        "include_str!(\"../migrations/sqlite/0001_first.sql\")",
    ] {
        assert!(list.contains(line), "{list}");
    }
    assert!(!list.contains("seed") && !list.contains("README"), "{list}");
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_deleted_migration_is_missed_and_leaves_a_list_that_compiles() {
    let project = project();
    let path = emitted(&project);
    let (text, list) = (project.read(&path), project.read(LIST));
    project.remove(&path);
    project
        .run(&["generate", "--check"])
        .exits(5)
        .says(&format!("--restore {path}"));
    project
        .run(&["generate"])
        .exits(0)
        .says("this migration is missing");
    assert!(!project.read(LIST).contains("include_str!"));
    project
        .run(&["generate", "--check"])
        .exits(0)
        .says(&format!("--restore {path}"));
    project.run(&["generate", "--restore", &path]).exits(0);
    assert_eq!((project.read(&path), project.read(LIST)), (text, list));
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_lost_text_of_a_table_is_no_reason_to_make_it_again() {
    let project = project();
    let text = project.read(".formwork/schema/dishes.schema");
    project.remove(".formwork/schema/dishes.schema");
    let before = project.snapshot();
    for args in [&["generate"][..], &["generate", "--check"]] {
        let ran = project.run(args).exits(2);
        ran.says(".formwork/schema/dishes.schema is missing");
    }
    assert_eq!(before, project.snapshot());
    project.write(".formwork/schema/dishes.schema", &text);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_project_is_not_called_as_a_folder_of_cargos_own() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["build", "deps", "examples", "incremental"] {
        let new = formwork_tests::formwork()
            .args(["new", name])
            .current_dir(folder.path())
            .output();
        let new = new.expect("formwork starts");
        assert_eq!(new.status.code(), Some(2), "{name}");
        assert!(String::from_utf8_lossy(&new.stderr).contains("cannot be a package's name"));
        assert!(!folder.path().join(name).exists());
    }
}
