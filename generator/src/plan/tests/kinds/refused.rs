//! Files that are not text, and paths that are not files.

use std::fs;
use std::path::Path;

use super::{KINDS, Stage, Way};
use crate::exit::Exit;
use crate::plan::tests::fixture::{all, assert_class};
use crate::plan::{Cause, Class, Switch};

/// Files that are not text: they are not merged, and not lost.
#[test]
fn binary_files_are_left_alone() {
    for kind in &KINDS {
        let mut stage = Stage::new(kind, Way::Plain);
        let old = stage.old();
        let bytes = b"\xff\xfe\x00binary";
        fs::write(stage.project.at(&old), bytes).unwrap();
        assert_class(
            &stage.project.generate(),
            &old,
            Class::Keep { moved_on: false },
            Exit::Done,
        );
        stage.render(&kind.changed());
        let plan = stage.project.generate();
        assert_class(
            &plan,
            &old,
            Class::Conflict(Cause::Unmergeable),
            Exit::Conflicts,
        );
        assert_eq!(fs::read(stage.project.at(&old)).unwrap(), bytes);
        assert_eq!(
            stage.project.base(&old).as_deref(),
            Some(kind.text),
            "the base waits"
        );
        // As the report advises.
        let plan = stage
            .project
            .generate_with(|options| options.selection = all(Switch::Ours));
        assert_class(&plan, &old, Class::Keep { moved_on: true }, Exit::Done);
        assert_eq!(fs::read(stage.project.at(&old)).unwrap(), bytes);
    }
}

/// Unresolved markers are reported first, together with files that cannot be read or written.
#[test]
fn unresolved_markers_are_reported_before_blocked_paths() {
    for kind in &KINDS {
        let mut stage = Stage::new(kind, Way::Plain);
        let path = stage.project.at(&stage.old());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        stage.render(&kind.changed());
        stage.project.render("notes.md", "one\n");
        let markers = "<<<<<<< a\n=======\n>>>>>>> b\n";
        stage.project.write("notes.md", markers);
        let plan = stage.project.generate();
        assert_class(&plan, "notes.md", Class::Unresolved, Exit::Markers);
        let notices = plan.notices.join("\n");
        assert!(notices.contains("a folder is in the way"), "{notices}");
        stage.project.write("notes.md", "one\n");
        let error = stage.project.try_plan().unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Failed, "{error}");
    }
}

/// A file that cannot be read or written stops the run before any file is written.
#[cfg(unix)]
#[test]
fn a_path_that_cannot_be_read_or_written_stops_the_run() {
    for kind in &KINDS {
        let stop = |block: &dyn Fn(&Path), why: &str| {
            let mut stage = Stage::new(kind, Way::Plain);
            let path = stage.project.at(&stage.old());
            block(&path);
            stage.render(&kind.changed());
            stage.project.render("other.md", "changed\n");
            let error = stage.project.try_plan().unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Failed, "{error}");
            assert!(error.to_string().contains(why), "{error}");
            assert_eq!(stage.project.read("other.md").as_deref(), Some("other\n"));
        };
        let folder = |path: &Path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        };
        stop(&folder, "a folder is in the way");
        let file_above = |path: &Path| {
            fs::remove_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path.parent().unwrap(), "").unwrap();
        };
        stop(&file_above, "a file is in the way of a folder");
        let loop_of_links = |path: &Path| {
            fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink(path, path).unwrap();
        };
        stop(&loop_of_links, "symlink");
        let socket = |path: &Path| {
            fs::remove_file(path).unwrap();
            // A listener that is dropped leaves its socket behind.
            std::os::unix::net::UnixListener::bind(path).unwrap();
        };
        stop(&socket, "not a regular file");
        let read_only = |path: &Path| {
            let mut permissions = fs::metadata(path).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(path, permissions).unwrap();
        };
        stop(&read_only, "read-only");
    }
}
