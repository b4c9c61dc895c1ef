//! Files of each owner, and what stops a plan.

use std::fs;

use super::fixture::{Project, all, assert_class};
use crate::exit::Exit;
use crate::plan::{Cause, Class, Switch};
use crate::rendered::{Content, Owner, RenderedFile, TomlEdit};

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
const NEW: &str = "one\ntwo\nthree\nfour\nFIVE\n";

#[test]
fn an_aggregate_with_markers_is_rendered_anew_and_its_edits_are_merged() {
    let mut project = Project::empty();
    project.render_as(
        "mod.rs",
        "pub mod a;\n\nfn x() {}\n\nfn y() {}\n",
        Owner::Formwork,
    );
    project.generate();
    project.write(
        "mod.rs",
        "<<<<<<< HEAD\npub mod a;\n=======\npub mod b;\n>>>>>>> other\n",
    );
    let plan = project.generate();
    assert_class(&plan, "mod.rs", Class::Write, Exit::Done);
    assert_eq!(
        project.read("mod.rs").as_deref(),
        Some("pub mod a;\n\nfn x() {}\n\nfn y() {}\n")
    );
    project.assert_settled();

    project.write(
        "mod.rs",
        "pub mod a;\n\nfn x() {}\n\nfn mine() {}\n\nfn y() {}\n",
    );
    project.render_as(
        "mod.rs",
        "pub mod a;\npub mod b;\n\nfn x() {}\n\nfn y() {}\n",
        Owner::Formwork,
    );
    assert_class(&project.generate(), "mod.rs", Class::Merge, Exit::Done);
    let text = project.read("mod.rs").unwrap();
    assert!(
        text.contains("mod b;") && text.contains("fn mine()"),
        "{text}"
    );
}

#[test]
fn an_edit_in_an_aggregate_stays_where_markers_stand_elsewhere() {
    let mut project = Project::empty();
    let rendered = "pub mod a;\n\nfn x() {}\n\nfn y() {}\n";
    project.render_as("mod.rs", rendered, Owner::Formwork);
    project.generate();
    let conflict = "<<<<<<< HEAD\npub mod a;\n=======\npub mod b;\n>>>>>>> other\n";
    let edited = "fn x() {}\n\n// mine\nfn y() {}\n";
    project.write("mod.rs", &format!("{conflict}\n{edited}"));
    let both = rendered.replace("mod a;", "mod a;\npub mod b;");
    project.render_as("mod.rs", &both, Owner::Formwork);
    let plan = project.generate();
    assert_class(&plan, "mod.rs", Class::Write, Exit::Done);
    let merged = format!("pub mod a;\npub mod b;\n\n{edited}");
    assert_eq!(project.read("mod.rs"), Some(merged));
    project.assert_settled();
}

#[test]
fn files_rendered_once_are_never_compared_again() {
    let mut project = Project::empty();
    project.write("README.md", "mine\n");
    project.render_as("README.md", "theirs\n", Owner::Once);
    project.render_as("main.rs", "fn main() {}\n", Owner::Once);
    let plan = project.generate();
    assert_class(&plan, "README.md", Class::Adopt, Exit::Done);
    assert_eq!(project.read("README.md").as_deref(), Some("mine\n"));
    project.render_as("main.rs", "fn main() { other() }\n", Owner::Once);
    project.write("main.rs", "fn main() { mine() }\n");
    assert_class(&project.generate(), "main.rs", Class::Unchanged, Exit::Done);
    project.remove("main.rs");
    assert_class(&project.generate(), "main.rs", Class::Unchanged, Exit::Done);
    assert!(!project.at("main.rs").exists());
    project.assert_settled();
}

#[test]
fn an_emitted_migration_is_never_rewritten_nor_removed() {
    let path = "migrations/sqlite/20260131120000_create_menus.sql";
    let mut project = Project::empty();
    project.render_as(path, "CREATE TABLE menus;\n", Owner::Migration);
    assert_class(&project.generate(), path, Class::Create, Exit::Done);
    assert!(
        project.lock().contains("migration 20260131120000 "),
        "{}",
        project.lock()
    );
    project.render_as(path, "CREATE TABLE other;\n", Owner::Migration);
    assert_class(&project.generate(), path, Class::Unchanged, Exit::Done);
    project.stop_rendering(path);
    assert_class(&project.generate(), path, Class::Unchanged, Exit::Done);
    assert_eq!(project.read(path).as_deref(), Some("CREATE TABLE menus;\n"));
    project.assert_settled();
    project.remove(path);
    assert_class(
        &project.plan(),
        path,
        Class::StaysDeleted { moved_on: false },
        Exit::Done,
    );
    assert_class(
        &project.generate_with(|options| options.selection = all(Switch::Restore)),
        path,
        Class::Create,
        Exit::Done,
    );
    assert_eq!(project.read(path).as_deref(), Some("CREATE TABLE menus;\n"));
}

fn cargo_toml(members: &[&str]) -> RenderedFile {
    let path = || vec!["workspace".to_owned(), "members".to_owned()];
    let edit = |value: &&str| TomlEdit::EnsureInArray {
        path: path(),
        value: (*value).to_owned(),
    };
    RenderedFile {
        template: None,
        path: "Cargo.toml".to_owned(),
        artefact: "project/cargo".to_owned(),
        unit: "project".to_owned(),
        owner: Owner::Structured,
        content: Content::Toml {
            initial: "[package]\nname = \"bistro\"\n".to_owned(),
            edits: members.iter().map(edit).collect(),
        },
    }
}

#[test]
fn cargo_toml_is_edited_and_the_users_lines_stay() {
    let mut project = Project::empty();
    project.files = vec![cargo_toml(&["a"])];
    assert_class(&project.generate(), "Cargo.toml", Class::Create, Exit::Done);
    project.assert_settled();
    let mine = project
        .read("Cargo.toml")
        .unwrap()
        .replace("\"bistro\"", "\"mine\" # renamed")
        .replace('\n', "\r\n");
    project.write("Cargo.toml", &mine);
    assert_class(&project.plan(), "Cargo.toml", Class::Unchanged, Exit::Done);
    project.files = vec![cargo_toml(&["a", "b"])];
    assert_class(&project.generate(), "Cargo.toml", Class::Write, Exit::Done);
    let text = project.read("Cargo.toml").unwrap();
    assert_eq!(text, mine.replace("[\"a\"]", "[\"a\", \"b\"]"));
    project.assert_settled();

    project.write("Cargo.toml", "[package\n");
    let error = project.try_plan().unwrap_err();
    assert_eq!(Exit::of(&error), Exit::Usage);
    assert!(error.to_string().starts_with("Cargo.toml: "), "{error}");
}

#[test]
fn only_the_units_asked_for_are_planned() {
    let mut project = Project::poured(&[("a.md", OLD)]);
    project.render("a.md", NEW);
    project.files.push(RenderedFile {
        template: None,
        unit: "other".to_owned(),
        artefact: "o".to_owned(),
        path: "o.md".to_owned(),
        ..project.files[0].clone()
    });
    let plan = project.generate_with(|options| options.units = Some(["other".to_owned()].into()));
    assert_eq!(plan.files.len(), 1);
    assert_eq!(
        (
            project.read("a.md").as_deref(),
            project.read("o.md").as_deref()
        ),
        (Some(OLD), Some(NEW))
    );
    assert!(project.lock().contains("a.md"));
}

#[test]
fn a_migration_whose_last_render_is_missing_is_not_restored_as_an_empty_file() {
    let path = "migrations/sqlite/20260131120000_create_menus.sql";
    let mut project = Project::empty();
    project.render_as(path, "CREATE TABLE menus;\n", Owner::Migration);
    project.generate();
    project.stop_rendering(path);
    project.remove(path);
    project.remove(&format!(".formwork/base/{path}"));
    let plan = project.generate_with(|options| options.selection = all(Switch::Restore));
    let lost = Class::Conflict(Cause::Unmergeable);
    assert_class(&plan, path, lost, Exit::Conflicts);
    assert!(!project.at(path).exists());
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let mut project = Project::poured(&[("a.md", OLD)]);
    let mut permissions = fs::metadata(project.at("a.md")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(project.at("a.md"), permissions).unwrap();
    assert_eq!(project.plan().exit(), Exit::Done);
    project.render("a.md", NEW);
    assert!(
        project
            .try_plan()
            .unwrap_err()
            .to_string()
            .contains("read-only")
    );
    project.options.reads_only = true;
    let plan = project.plan();
    assert_class(&plan, "a.md", Class::Write, Exit::Done);
    assert_eq!(plan.check_exit(), Exit::Drift);
    assert!(plan.notices.concat().contains("read-only"));
}
