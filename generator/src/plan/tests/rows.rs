//! The table of regeneration.md, row by row.

use super::fixture::{Project, assert_class};
use crate::exit::Exit;
use crate::plan::{Cause, Class};

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
const NEW: &str = "one\ntwo\nthree\nfour\nFIVE\n";
const EDITED: &str = "ONE\ntwo\nthree\nfour\nfive\n";

#[test]
fn create_then_nothing() {
    let mut project = Project::empty();
    project.render("src/a.rs", "fn  a( ){}\n");
    project.render("docs/a.md", OLD);
    let plan = project.generate();
    assert_class(&plan, "src/a.rs", Class::Create, Exit::Done);
    assert_eq!(project.read("src/a.rs").as_deref(), Some("fn a() {}\n"));
    assert_eq!(project.base("src/a.rs").as_deref(), Some("fn a() {}\n"));
    assert_eq!(
        project.read(".formwork/.gitattributes").as_deref(),
        Some("base/** -text linguist-generated\n")
    );
    assert!(
        !project.at(".formwork/journal").exists() && !project.at(".formwork/run.lock").exists()
    );
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
fn a_foreign_file_is_never_overwritten_unless_asked_for() {
    let mut project = Project::empty();
    project.write("a.md", "mine\n");
    project.render("a.md", OLD);
    let plan = project.generate();
    assert_class(
        &plan,
        "a.md",
        Class::Conflict(Cause::Foreign),
        Exit::Conflicts,
    );
    assert_eq!(
        (project.read("a.md").as_deref(), project.base("a.md")),
        (Some("mine\n"), None)
    );
    assert_class(
        &project.generate(),
        "a.md",
        Class::Conflict(Cause::Foreign),
        Exit::Conflicts,
    );

    let plan = project.generate_with(|options| options.adopt = true.into());
    assert_class(&plan, "a.md", Class::Adopt, Exit::Done);
    assert_eq!(
        (
            project.read("a.md").as_deref(),
            project.base("a.md").as_deref()
        ),
        (Some("mine\n"), Some(OLD))
    );
    assert_class(
        &project.generate(),
        "a.md",
        Class::Keep { moved_on: false },
        Exit::Done,
    );
    project.assert_settled();
}

#[test]
fn theirs_takes_the_render_over_a_foreign_file() {
    let mut project = Project::empty();
    project.write("a.md", "mine\n");
    project.render("a.md", OLD);
    assert_class(
        &project.generate_with(|o| o.theirs = true.into()),
        "a.md",
        Class::Write,
        Exit::Done,
    );
    assert_eq!(project.read("a.md").as_deref(), Some(OLD));
    project.assert_settled();
}

#[test]
fn a_file_without_edits_is_updated() {
    let mut project = Project::poured(&[("a.md", OLD)]);
    project.render("a.md", NEW);
    assert_eq!(project.plan().check_exit(), Exit::Drift);
    assert_class(&project.generate(), "a.md", Class::Write, Exit::Done);
    assert_eq!(
        (
            project.read("a.md").as_deref(),
            project.base("a.md").as_deref()
        ),
        (Some(NEW), Some(NEW))
    );
    project.assert_settled();
}

#[test]
fn edits_are_kept_while_the_template_is_as_before() {
    let project = Project::poured(&[("a.md", OLD)]);
    project.write("a.md", EDITED);
    let plan = project.generate();
    assert_class(&plan, "a.md", Class::Keep { moved_on: false }, Exit::Done);
    assert_eq!(
        (plan.check_exit(), project.base("a.md").as_deref()),
        (Exit::Done, Some(OLD))
    );
    project.assert_settled();
}

#[test]
fn edits_and_a_new_render_are_merged() {
    let mut project = Project::poured(&[("a.md", OLD)]);
    project.write("a.md", EDITED);
    project.render("a.md", NEW);
    assert_class(&project.generate(), "a.md", Class::Merge, Exit::Done);
    assert_eq!(
        project.read("a.md").as_deref(),
        Some("ONE\ntwo\nthree\nfour\nFIVE\n")
    );
    assert_eq!(project.base("a.md").as_deref(), Some(NEW));
    project.assert_settled();
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
    assert!(crate::apply::apply(&plan, project.root.path()).is_err());

    project.write("a.md", &OLD.replace("five", "cinq"));
    assert_class(
        &project.generate(),
        "a.md",
        Class::Keep { moved_on: false },
        Exit::Done,
    );
    project.assert_settled();
}

#[test]
fn ours_and_theirs_settle_what_both_changed() {
    for take_theirs in [false, true] {
        let mut project = Project::poured(&[("a.md", OLD)]);
        let mine = OLD.replace("five", "cinq");
        project.write("a.md", &mine);
        project.render("a.md", NEW);
        let plan = project.generate_with(|options| {
            (options.theirs, options.ours) = (take_theirs.into(), (!take_theirs).into())
        });
        assert_class(
            &plan,
            "a.md",
            if take_theirs {
                Class::Write
            } else {
                Class::Keep { moved_on: true }
            },
            Exit::Done,
        );
        assert_eq!(
            project.read("a.md").as_deref(),
            Some(if take_theirs { NEW } else { &mine })
        );
        assert_eq!(project.base("a.md").as_deref(), Some(NEW));
        project.assert_settled();
    }
}

#[test]
fn a_deleted_file_stays_deleted_until_it_is_restored() {
    let mut project = Project::poured(&[("src/a.rs", "fn a() {}\n"), ("b.md", OLD)]);
    project.remove("src/a.rs");
    let plan = project.generate();
    assert_class(
        &plan,
        "src/a.rs",
        Class::StaysDeleted { moved_on: false },
        Exit::Done,
    );
    assert_eq!(plan.check_exit(), Exit::Done);
    project.assert_settled();

    project.render("src/a.rs", "fn a() { new() }\n");
    let plan = project.generate();
    assert_class(
        &plan,
        "src/a.rs",
        Class::StaysDeleted { moved_on: true },
        Exit::Done,
    );
    assert_eq!(plan.check_exit(), Exit::Done);
    assert_class(
        &project.generate(),
        "src/a.rs",
        Class::StaysDeleted { moved_on: false },
        Exit::Done,
    );

    let plan = project.generate_with(|options| options.restore = true.into());
    assert_class(&plan, "src/a.rs", Class::Create, Exit::Done);
    assert_eq!(project.read("src/a.rs"), project.base("src/a.rs"));
    project.assert_settled();
}

#[test]
fn the_report_names_a_file_that_looks_like_the_missing_one() {
    let mut project = Project::poured(&[("src/a.md", OLD)]);
    project.remove("src/a.md");
    project.write("mine/b.md", &format!("{OLD}more\n"));
    project.render("src/a.md", NEW);
    let plan = project.generate();
    assert!(
        plan.files[0].reason.ends_with("; mine/b.md looks like it"),
        "{}",
        plan.files[0].reason
    );
}

#[test]
fn what_is_no_longer_rendered_goes_with_its_empty_folders_unless_edited() {
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
