//! The state after a git merge of two branches, repaired by one run.

use super::fixture::{Project, assert_class};
use crate::exit::Exit;
use crate::plan::Class;

const BASE: &str = "one\n\ntwo\n\nthree\n\nfour\n";

fn conflict(ours: &str, theirs: &str) -> String {
    format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n")
}

#[test]
fn conflicts_in_lock_and_base_are_mended_by_one_run() {
    let (one, two) = (BASE.replace("one", "ONE"), BASE.replace("four", "FOUR"));
    let both = one.replace("four", "FOUR");
    let mut project = Project::poured(&[("a.md", &one)]);
    let ours = project.lock();
    let other = Project::poured(&[("a.md", &two)]);
    project.write(
        ".formwork/lock/shop.menus.lock",
        &conflict(&ours, &other.lock()),
    );
    project.write(".formwork/base/a.md", &conflict(&one, &two));
    // git merged the file itself, and the user's edit is in it.
    project.write("a.md", &both.replace("two", "mine"));
    project.render("a.md", &both);
    let plan = project.generate();
    assert_eq!(plan.exit(), Exit::Done, "{:?}", plan.files);
    assert_eq!(project.read("a.md"), Some(both.replace("two", "mine")));
    assert_eq!(project.base("a.md"), Some(both));
    assert!(!project.lock().contains("<<<<") && !project.lock().contains(">>>>"));
    project.assert_settled();
}

#[test]
fn a_base_with_markers_is_written_again_even_where_nothing_else_changes() {
    let project = Project::poured(&[("a.md", BASE)]);
    project.write(".formwork/base/a.md", &conflict(BASE, "other\n"));
    project.write(".formwork/lock/shop.menus.lock", "formwork 0.1.0\n");
    assert_class(&project.generate(), "a.md", Class::Unchanged, Exit::Done);
    assert_eq!(project.base("a.md").as_deref(), Some(BASE));
    project.assert_settled();
}

#[test]
fn a_lost_lock_is_found_again_by_the_bases() {
    let mut project = Project::poured(&[("a.md", BASE)]);
    project.remove(".formwork/lock/shop.menus.lock");
    project.write("a.md", &BASE.replace("one", "mine"));
    project.render("a.md", &BASE.replace("four", "FOUR"));
    assert_class(&project.generate(), "a.md", Class::Merge, Exit::Done);
    assert_eq!(
        project.read("a.md"),
        Some(BASE.replace("one", "mine").replace("four", "FOUR"))
    );
    project.assert_settled();
}

#[test]
fn without_its_base_an_edited_file_is_left_alone() {
    let mut project = Project::poured(&[("a.md", BASE)]);
    project.remove(".formwork/base/a.md");
    project.write("a.md", "mine\n");
    assert_class(
        &project.generate(),
        "a.md",
        Class::Keep { moved_on: false },
        Exit::Done,
    );
    project.render("a.md", "new\n");
    let plan = project.generate();
    assert_class(
        &plan,
        "a.md",
        Class::Conflict(crate::plan::Cause::Unmergeable),
        Exit::Conflicts,
    );
    assert_eq!(project.read("a.md").as_deref(), Some("mine\n"));
}
