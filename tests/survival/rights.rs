//! Files and folders that may not be read or written, for a user without privileges: root may do
//! everything, so there another user runs formwork.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{CONTROLLER, DOCS, MANIFEST, Tree, assert_same, copy, finished, project, tree};

/// The user without files.
const NOBODY: u32 = 65_534;
const SCHEMA: &str = ".formwork/schema/dishes.schema";
const LOCK: &str = ".formwork/lock/shop.dishes.lock";

/// A project of a user whom permissions stop.
struct Theirs {
    _folder: TempDir,
    root: PathBuf,
    program: PathBuf,
    as_nobody: bool,
}

impl Theirs {
    fn of(before: &Tree) -> Theirs {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, program) = (
            folder.path().join("project"),
            folder.path().join("formwork"),
        );
        copy(before, &root);
        copied(super::formwork().get_program(), &program);
        let as_nobody = fs::metadata(folder.path()).expect("a folder").uid() == 0;
        if as_nobody {
            for entry in walkdir::WalkDir::new(folder.path()) {
                let entry = entry.expect("a file");
                chown(entry.path(), Some(NOBODY), Some(NOBODY)).expect("given away");
            }
        }
        Theirs {
            _folder: folder,
            root,
            program,
            as_nobody,
        }
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(&self.root);
        command.env("SOURCE_DATE_EPOCH", "1790000100");
        if self.as_nobody {
            command.gid(NOBODY).uid(NOBODY);
        }
        command.output().expect("formwork starts")
    }

    /// The run fails, names `path`, and writes no file; the obstacle is unchanged afterwards.
    fn stops(&self, args: &[&str], path: &str) {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?} {path}: {said}");
        assert!(said.contains(path), "{args:?} {path}: {said}");
        assert!(
            said.contains("Permission denied"),
            "{args:?} {path}: {said}"
        );
        assert!(output.stdout.is_empty(), "{args:?}: {output:?}");
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Takes the right away while `act` runs.
    fn without(&self, path: &str, mode: u32, act: impl Fn()) {
        let place = self.at(path);
        let before = fs::metadata(&place).expect(path).permissions();
        fs::set_permissions(&place, fs::Permissions::from_mode(mode)).expect(path);
        act();
        fs::set_permissions(&place, before).expect(path);
    }
}

/// The program may be built where the other user cannot go. Another process writes the copy: a file
/// that this one has open for writing may be inherited by what another test starts at that moment,
/// and cannot be run until that is over.
fn copied(from: &OsStr, to: &Path) {
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.expect("cp starts").success(), "{from:?}");
}

/// What may be unreadable, and stops a run that has to read it.
const UNREADABLE: [&str; 17] = [
    "formwork.yaml",
    "Cargo.toml",
    "extensions",
    "extensions/shop",
    "extensions/shop/Cargo.toml",
    "extensions/shop/resources",
    MANIFEST,
    CONTROLLER,
    "extensions/shop/src",
    "extensions/shop/docs",
    "extensions/shop/migrations/sqlite",
    ".formwork",
    ".formwork/lock",
    LOCK,
    ".formwork/schema",
    SCHEMA,
    ".formwork/base/extensions/shop/src/api_resources/dishes",
];

#[test]
fn an_unreadable_file_stops_the_run_before_any_file_is_written() {
    let before = tree(project().root());
    // They may have no rustfmt: the result of an unhindered run of theirs.
    let undisturbed = Theirs::of(&before);
    assert!(undisturbed.run(&["generate"]).status.success());
    let after = tree(&undisturbed.root);
    let theirs = Theirs::of(&before);
    let commands = [&["generate"][..], &["generate", "--check"], &["status"]];
    for (path, args) in UNREADABLE.into_iter().zip(commands.into_iter().cycle()) {
        theirs.without(path, 0o000, || theirs.stops(args, path));
        assert_same(&tree(&theirs.root), &before);
    }
    let output = theirs.run(&["generate"]);
    assert!(output.status.success(), "{output:?}");
    assert_same(&tree(&theirs.root), &after);
}

#[test]
fn an_unreadable_base_of_an_untouched_file_does_not_stop_the_run() {
    let before = tree(project().root());
    let (after, _) = finished(&before);
    let theirs = Theirs::of(&after);
    // The hash in the lock says what the base of an untouched file holds.
    let base = format!(".formwork/base/{DOCS}");
    theirs.without(&base, 0o000, || {
        let output = theirs.run(&["generate", "--check"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    });
    for path in [CONTROLLER, MANIFEST, LOCK, SCHEMA] {
        theirs.without(path, 0o000, || theirs.stops(&["generate", "--check"], path));
    }
}

#[test]
fn an_unwritable_file_leaves_every_file_unchanged() {
    let before = tree(project().root());
    let theirs = Theirs::of(&before);
    let folder = "extensions/shop/src/api_resources/dishes";
    for (path, mode) in [
        (CONTROLLER, 0o444),
        (folder, 0o555),
        ("extensions/shop/src/api_resources", 0o555),
        ("extensions/shop/migrations/sqlite", 0o555),
        (".formwork", 0o555),
        (".formwork/base/extensions/shop/src/api_resources", 0o555),
        (".formwork/lock", 0o555),
    ] {
        theirs.without(path, mode, || {
            let output = theirs.run(&["generate"]);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{path}: {said}");
            assert!(said.contains(path), "{path}: {said}");
        });
        assert_same(&tree(&theirs.root), &before);
    }
}

#[test]
fn a_file_of_somebody_else_is_not_replaced() {
    let before = tree(project().root());
    let theirs = Theirs::of(&before);
    if !theirs.as_nobody {
        println!("without privileges no file can be given to somebody else: not tried");
        return;
    }
    let model = "extensions/shop/src/api_resources/dishes/model.rs";
    chown(theirs.at(model), Some(0), Some(0)).expect("given away");
    theirs.stops(&["generate"], model);
    assert_same(&tree(&theirs.root), &before);
}

#[test]
fn a_project_that_may_only_be_read_can_be_checked() {
    let (after, _) = finished(&tree(project().root()));
    let theirs = Theirs::of(&after);
    for entry in walkdir::WalkDir::new(&theirs.root).contents_first(true) {
        let entry = entry.expect("a file");
        read_only(entry.path());
    }
    for args in [&["generate", "--check"][..], &["status"], &["generate"]] {
        let output = theirs.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
}

fn read_only(path: &Path) {
    let mode = if path.is_dir() { 0o555 } else { 0o444 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its permissions");
}
