//! The table of what happens to a file, row by row.

use super::fixture::{Project, assert_class};
use crate::apply::{self, RunLock};
use crate::exit::Exit;
use crate::plan::{Cause, Class};

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
const NEW: &str = "one\ntwo\nthree\nfour\nFIVE\n";
const EDITED: &str = "ONE\ntwo\nthree\nfour\nfive\n";

#[test]
fn a_second_run_after_a_create_writes_nothing() {
    let mut project = Project::empty();
    project.render("src/a.rs", "fn  a( ){}\n");
    project.render("docs/a.md", OLD);
    let plan = project.generate();
    assert_class(&plan, "src/a.rs", Class::Create, Exit::Done);
    assert_eq!(project.read("src/a.rs").as_deref(), Some("fn a() {}\n"));
    assert_eq!(project.base("src/a.rs").as_deref(), Some("fn a() {}\n"));
    assert_eq!(
        project.read(".formwork/.gitattributes").as_deref(),
        Some("base/** -text linguist-generated\nmanifests/** -text linguist-generated\n")
    );
    assert!(!project.at(".formwork/journal").exists());
    project.assert_settled();
    assert_eq!(project.plan().check_exit(), Exit::Done);
}

#[test]
fn a_file_that_is_as_rendered_is_adopted() {
    let mut project = Project::empty();
    project.write("a.rs", "fn a()  {}\r\n");
    project.render("a.rs", "fn a() {}\n");
    let plan = project.generate();
    assert_class(&plan, "a.rs", Class::Adopt, Exit::Done);
    assert_eq!(plan.check_exit(), Exit::Done);
    assert_eq!(
        project.read("a.rs").as_deref(),
        Some("fn a()  {}\r\n"),
        "not even its layout is touched"
    );
    assert_eq!(project.base("a.rs").as_deref(), Some("fn a() {}\n"));
}

#[test]
fn a_conflict_gets_markers_and_blocks_the_next_run_until_it_is_resolved() {
    let mut project = Project::poured(&[("a.md", OLD), ("b.md", OLD)]);
    project.write("a.md", &OLD.replace("five", "cinq"));
    project.render("a.md", NEW);
    project.render("b.md", NEW);
    let plan = project.generate();
    assert_class(
        &plan,
        "a.md",
        Class::Conflict(Cause::Markers),
        Exit::Conflicts,
    );
    assert_class(&plan, "b.md", Class::Write, Exit::Conflicts);
    let text = project.read("a.md").unwrap();
    assert!(
        text.ends_with(
            "<<<<<<< ours\ncinq\n||||||| base\nfive\n=======\nFIVE\n>>>>>>> theirs (formwork)\n"
        ),
        "{text}"
    );
    assert_eq!(project.base("a.md").as_deref(), Some(NEW));

    project.render("b.md", OLD);
    let before = project.snapshot();
    let plan = project.generate();
    assert_class(&plan, "a.md", Class::Unresolved, Exit::Markers);
    assert_eq!(
        (plan.check_exit(), project.snapshot()),
        (Exit::Markers, before),
        "nothing is written"
    );
    let lock = RunLock::take(project.root.path(), apply::PATIENCE).unwrap();
    assert!(apply::apply(&plan, project.root.path(), &lock).is_err());
}

#[test]
fn the_report_names_a_file_that_looks_like_the_missing_one() {
    let mut project = Project::poured(&[("src/a.md", OLD)]);
    project.remove("src/a.md");
    project.write("mine/b.md", &format!("{OLD}more\n"));
    project.render("src/a.md", NEW);
    let plan = project.generate();
    assert!(
        plan.files[0]
            .reason
            .ends_with("; mine/b.md has similar text"),
        "{}",
        plan.files[0].reason
    );
}

#[test]
fn empty_folders_of_deleted_files_are_deleted_too() {
    let mut project = Project::poured(&[
        ("src/menus/a.rs", "fn a() {}\n"),
        ("src/b.md", OLD),
        ("c.md", OLD),
    ]);
    project.write("src/b.md", EDITED);
    project.stop_rendering("src/menus/a.rs");
    project.stop_rendering("src/b.md");
    let plan = project.generate();
    assert_class(&plan, "src/menus/a.rs", Class::Delete, Exit::Conflicts);
    assert_class(&plan, "src/b.md", Class::Orphan, Exit::Conflicts);
    assert!(!project.at("src/menus").exists() && !project.at(".formwork/base/src/menus").exists());
    assert_eq!(project.read("src/b.md").as_deref(), Some(EDITED));

    project.assert_settled();
    assert_eq!(
        project.plan().exit(),
        Exit::Conflicts,
        "an orphan is reported until its file is gone"
    );
    project.remove("src/b.md");
    assert_eq!(project.generate().exit(), Exit::Done);
    assert!(!project.lock().contains("b.md") && project.base("src/b.md").is_none());
    project.assert_settled();
}

#[test]
fn a_deleted_file_that_is_no_longer_rendered_is_forgotten() {
    let mut project = Project::poured(&[("a.md", OLD)]);
    project.remove("a.md");
    project.stop_rendering("a.md");
    assert_eq!(project.generate().exit(), Exit::Done);
    assert_eq!(
        (project.lock(), project.base("a.md")),
        (String::new(), None)
    );
}
