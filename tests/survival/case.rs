//! Names that differ in case only, on a disk that tells them apart and on one that does not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use formwork_tests::project::Project;
use formwork_tests::{formwork, skipped};

use super::{DOCS, Tree, copy, tree};

/// A disk that takes `a` and `A` for one file; `None`, with a line that says so, where none can be had.
struct Insensitive {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Insensitive {
    fn new() -> Option<Insensitive> {
        let folder = tempfile::tempdir().expect("a folder");
        let (image, root) = (folder.path().join("image"), folder.path().join("disk"));
        fs::create_dir(&root).expect("a folder");
        let file = fs::File::create(&image).expect("a file");
        file.set_len(32 << 20).expect("its size");
        let mut make = Command::new("mkntfs");
        make.args(["-F", "-Q", "-q"]).arg(&image);
        let mut mount = Command::new("lowntfs-3g");
        mount.args(["-o", "ignore_case"]).arg(&image).arg(&root);
        let done = |command: &mut Command| {
            let output = command.output();
            output.is_ok_and(|output| output.status.success())
        };
        if done(&mut make) && done(&mut mount) {
            return Some(Insensitive {
                _folder: folder,
                root,
            });
        }
        skipped("no disk that does not tell case (ntfs-3g, as root); the real one was tried");
        None
    }
}

impl Drop for Insensitive {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.root).output();
    }
}

/// Runs formwork in a folder, with the next version's templates where they are given.
fn run(root: &Path, args: &[&str], templates: Option<&Path>) -> (Option<i32>, String) {
    let mut command = formwork();
    command.args(args).current_dir(root);
    command.env("SOURCE_DATE_EPOCH", "1790000100");
    command.envs(templates.map(|folder| ("FORMWORK_BUILT_IN_TEMPLATES", folder)));
    let output = command.output().expect("formwork starts");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// Content of a file, by its path in any case.
fn find<'t>(tree: &'t Tree, path: &str) -> Vec<&'t [u8]> {
    let same = |known: &&String| known.to_lowercase() == path.to_lowercase();
    let known = tree.keys().filter(same);
    known.map(|known| tree[known].as_slice()).collect()
}

fn poured() -> Project {
    let project = Project::new("bistro");
    let make = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "title:string:required",
    ];
    project.run(&make).exits(0);
    project
}

/// The template's path changes in case alone: edited or not, the file follows, and is there once.
fn follows(root: &Path, edited: bool) {
    let templates = tempfile::tempdir().expect("a folder");
    let outputs = "resource/docs.md.tera extensions/<folder>/Docs/<key>.md\n";
    fs::write(templates.path().join("outputs"), outputs).expect("outputs");
    let before = find(&tree(root), DOCS)[0].to_owned();
    let text = match edited {
        true => [b"mine\n".as_slice(), &before].concat(),
        false => before.clone(),
    };
    fs::write(root.join(DOCS), &text).expect("an edit");
    for args in [&["generate"][..], &["generate", "--check"]] {
        let (exit, said) = run(root, args, Some(templates.path()));
        assert_eq!(exit, Some(0), "{said}");
        let after = tree(root);
        assert_eq!(find(&after, DOCS), [text.as_slice()], "{said}");
        assert_eq!(
            find(&after, &format!(".formwork/base/{DOCS}")),
            [before.as_slice()]
        );
    }
}

#[test]
fn a_path_that_changes_in_case_only_is_the_same_file() {
    for edited in [false, true] {
        let project = poured();
        follows(project.root(), edited);
        assert!(project.has("extensions/shop/Docs/dishes.md"));
        assert!(!project.has("extensions/shop/docs"));
        if let Some(disk) = Insensitive::new() {
            let root = disk.root.join("project");
            copy(&tree(poured().root()), &root);
            follows(&root, edited);
        }
    }
}

#[test]
fn a_run_on_a_disk_that_does_not_tell_case_is_as_anywhere() {
    let Some(disk) = Insensitive::new() else {
        return;
    };
    let root = disk.root.join("project");
    copy(&tree(poured().root()), &root);
    let (exit, said) = run(&root, &["generate", "--check"], None);
    assert_eq!(exit, Some(0), "{said}");
    // A user's file whose name differs in case is foreign, and is not overwritten.
    let mine = "extensions/shop/docs/Wines.md";
    fs::write(root.join(mine), "mine\n").expect("a file");
    let make = ["generate", "resource", "shop", "wines", "title:string"];
    let (exit, said) = run(&root, &make, None);
    assert_eq!(exit, Some(3), "{said}");
    assert!(said.contains("extensions/shop/docs/wines.md"), "{said}");
    assert_eq!(fs::read(root.join(mine)).expect("it is there"), b"mine\n");
    let (exit, said) = run(&root, &["generate", "--adopt"], None);
    assert_eq!(exit, Some(0), "{said}");
    assert_eq!(fs::read(root.join(mine)).expect("it is there"), b"mine\n");
    let (exit, said) = run(&root, &["destroy", "resource", "shop", "wines"], None);
    assert_eq!(exit, Some(3), "{said}");
    assert_eq!(fs::read(root.join(mine)).expect("it is there"), b"mine\n");
}

#[test]
fn a_foreign_file_that_differs_in_case_only_is_reported_on_case_sensitive_disks() {
    let project = poured();
    let mine = "extensions/shop/docs/Wines.md";
    project.write(mine, "mine\n");
    if project.has("extensions/shop/docs/wines.md") {
        return;
    }
    project
        .run(&["generate", "resource", "shop", "wines", "title:string"])
        .exits(0)
        .says(&format!(
            "{mine} and extensions/shop/docs/wines.md differ in case only"
        ));
    assert_eq!(project.read(mine), "mine\n");
}
