use super::fixture::{Project, assert_class};
use crate::exit::Exit;
use crate::plan::Class;
use crate::rendered::Owner;

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
const EDITED: &str = "ONE\ntwo\nthree\nfour\nfive\n";

/// Poured to `old/a.md`; from now on the same artefact is rendered to `new/b.md`.
fn renamed() -> Project {
    let mut project = Project::empty();
    project.render_artefact("old/a.md", "shop/a", OLD, Owner::User);
    project.generate();
    project.render_artefact("new/b.md", "shop/a", OLD, Owner::User);
    project
}

#[test]
fn a_file_that_the_user_moved_already_is_recognised() {
    let project = renamed();
    project.remove("old/a.md");
    project.write("new/b.md", EDITED);
    assert_class(
        &project.generate(),
        "new/b.md",
        Class::Keep { moved_on: false },
        Exit::Done,
    );
    assert_eq!(
        (
            project.base("old/a.md"),
            project.base("new/b.md").as_deref()
        ),
        (None, Some(OLD))
    );
    project.assert_settled();
}

#[test]
fn a_renamed_file_does_not_replace_a_file_of_the_user() {
    let project = renamed();
    project.write("new/b.md", "mine\n");
    project.write("old/a.md", EDITED);
    let plan = project.generate();
    assert_class(
        &plan,
        "new/b.md",
        Class::Conflict(crate::plan::Cause::Foreign),
        Exit::Conflicts,
    );
    assert_class(&plan, "old/a.md", Class::Orphan, Exit::Conflicts);
    assert_eq!(
        (
            project.read("new/b.md").as_deref(),
            project.read("old/a.md").as_deref()
        ),
        (Some("mine\n"), Some(EDITED))
    );
}
