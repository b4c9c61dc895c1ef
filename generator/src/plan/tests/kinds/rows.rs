//! The rows of the table.

use super::{KINDS, Stage, WAYS, each};
use crate::exit::Exit;
use crate::plan::tests::fixture::{Project, all, assert_class};
use crate::plan::{Cause, Class, Switch};

#[test]
fn an_unchanged_render_without_an_edit_is_not_written() {
    each(|mut stage, kind| {
        stage.render(kind.text);
        let class = match stage.way.is_moved() {
            true => Class::Move,
            false => Class::Unchanged,
        };
        stage.expect(class, Exit::Done, Some(kind.text));
        stage.project.assert_settled();
    });
}

#[test]
fn new_render_no_edit_is_written() {
    each(|mut stage, kind| {
        stage.render(&kind.changed());
        stage.expect(Class::Write, Exit::Done, Some(&kind.changed()));
        stage.project.assert_settled();
    });
}

#[test]
fn unchanged_render_and_an_edit_is_kept() {
    each(|mut stage, kind| {
        stage.edit(&kind.edited());
        stage.render(kind.text);
        let class = match stage.way.is_moved() {
            true => Class::Move,
            false => Class::Keep { moved_on: false },
        };
        stage.expect(class, Exit::Done, Some(&kind.edited()));
        stage.project.assert_settled();
    });
}

#[test]
fn new_render_and_an_edit_are_merged() {
    each(|mut stage, kind| {
        stage.edit(&kind.edited());
        stage.render(&kind.changed());
        stage.expect(Class::Merge, Exit::Done, Some(&kind.both()));
        let base = stage.project.base(&stage.path());
        assert_eq!(base, Some(kind.changed()), "the base is the render");
        stage.project.assert_settled();
    });
}

#[test]
fn an_edit_that_is_the_new_render_is_adopted() {
    each(|mut stage, kind| {
        stage.edit(&kind.changed());
        stage.render(&kind.changed());
        let class = match stage.way.is_moved() {
            true => Class::Move,
            false => Class::Adopt,
        };
        stage.expect(class, Exit::Done, Some(&kind.changed()));
        stage.project.assert_settled();
    });
}

#[test]
fn both_in_one_place_is_a_conflict_with_markers_that_blocks_until_resolved() {
    each(|mut stage, kind| {
        stage.edit(&kind.clashing());
        stage.render(&kind.changed());
        let plan = stage.project.generate();
        let path = stage.path();
        assert_class(
            &plan,
            &path,
            Class::Conflict(Cause::Markers),
            Exit::Conflicts,
        );
        let text = stage.project.read(&path).unwrap();
        for side in [kind.change.0, kind.change.1, kind.clash] {
            assert!(text.contains(side.trim_end()), "{side:?} is not in\n{text}");
        }
        for mark in ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "] {
            assert!(
                text.lines()
                    .any(|line| line.trim_start_matches('\u{feff}').starts_with(mark)),
                "{text}"
            );
        }
        let before = stage.project.snapshot();
        assert_class(
            &stage.project.generate(),
            &path,
            Class::Unresolved,
            Exit::Markers,
        );
        assert_eq!(before, stage.project.snapshot());
        // Resolved in an editor, and continued.
        match stage.way.is_moved() {
            true => stage
                .project
                .write(&path, &stage.way.styled(&kind.clashing())),
            false => stage.edit(&kind.clashing()),
        }
        assert_class(
            &stage.project.generate(),
            &path,
            Class::Keep { moved_on: false },
            Exit::Done,
        );
        stage.project.assert_settled();
    });
}

#[test]
fn ours_and_theirs_resolve_a_conflict() {
    for ours in [true, false] {
        each(|mut stage, kind| {
            stage.edit(&kind.clashing());
            stage.render(&kind.changed());
            let switch = if ours { Switch::Ours } else { Switch::Theirs };
            stage.project.options.selection = all(switch);
            let (class, text) = match (ours, stage.way.is_moved()) {
                (true, true) => (Class::Move, kind.clashing()),
                (true, false) => (Class::Keep { moved_on: true }, kind.clashing()),
                (false, _) => (Class::Write, kind.changed()),
            };
            stage.expect(class, Exit::Done, Some(&text));
            stage.project.options = Default::default();
            stage.project.assert_settled();
        });
    }
}

#[test]
fn a_deleted_file_stays_deleted_and_is_restored_when_asked_for() {
    each(|mut stage, kind| {
        stage.project.remove(&stage.old());
        stage.render(kind.text);
        stage.expect(Class::StaysDeleted { moved_on: false }, Exit::Done, None);
        stage.render(&kind.changed());
        stage.expect(Class::StaysDeleted { moved_on: true }, Exit::Done, None);
        stage.project.assert_settled();
        let plan = stage
            .project
            .generate_with(|options| options.selection = all(Switch::Restore));
        assert_class(&plan, &stage.path(), Class::Create, Exit::Done);
        assert_eq!(stage.project.read(&stage.path()), Some(kind.changed()));
        stage.project.assert_settled();
    });
}

#[test]
fn a_file_that_is_no_longer_rendered_is_deleted_unless_it_is_edited() {
    each(|mut stage, kind| {
        let old = stage.old();
        stage.project.stop_rendering(&old);
        let plan = stage.project.generate();
        assert_class(&plan, &old, Class::Delete, Exit::Done);
        assert_eq!(stage.project.read(&old), None);
        assert_eq!(stage.project.base(&old), None);

        let mut stage = Stage::new(kind, stage.way);
        stage.edit(&kind.edited());
        stage.project.stop_rendering(&old);
        let plan = stage.project.generate();
        assert_class(&plan, &old, Class::Orphan, Exit::Conflicts);
        assert_eq!(
            stage.project.read(&old),
            Some(stage.way.styled(&kind.edited()))
        );
        stage.project.remove(&old);
        assert_eq!(stage.project.generate().exit(), Exit::Done);
        assert_eq!(stage.project.base(&old), None, "it left the state");
        stage.project.assert_settled();
    });
}

#[test]
fn a_foreign_file_is_never_overwritten_unless_asked_for() {
    for kind in &KINDS {
        for way in WAYS.into_iter().filter(|way| !way.is_moved()) {
            let foreign = |text: &str| {
                let mut project = Project::empty();
                project.render("other.md", "other\n");
                project.generate();
                project.write(&format!("old/a.{}", kind.ending), "");
                let mut stage = Stage { project, kind, way };
                stage.put(&way.styled(text));
                stage.render(kind.text);
                stage
            };
            let stage = foreign(&kind.clashing());
            let mine = kind.clashing();
            stage.expect(
                Class::Conflict(Cause::Foreign),
                Exit::Conflicts,
                Some(&mine),
            );
            assert_eq!(stage.project.base(&stage.old()), None);
            let mut stage = foreign(&kind.clashing());
            stage.project.options.selection = all(Switch::Adopt);
            stage.expect(Class::Adopt, Exit::Done, Some(&mine));
            assert_eq!(stage.project.base(&stage.old()).as_deref(), Some(kind.text));
            let mut stage = foreign(&kind.clashing());
            stage.project.options.selection = all(Switch::Theirs);
            stage.expect(Class::Write, Exit::Done, Some(kind.text));
            // One that is as rendered already is its own.
            foreign(kind.text).expect(Class::Adopt, Exit::Done, Some(kind.text));
        }
    }
}
