//! Killed, and then another command: it works on what the killed run left to do, not on what was there before.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use formwork_cli::apply::disk::OsDisk;
use formwork_cli::apply::journal::{Journal, Step};
use formwork_cli::digest::Digest;
use formwork_tests::project::Project;
use formwork_tests::{cases, formwork};

use super::kill::{Numbers, kill};
use super::{Tree, assert_same, copy, tree};

const DRINKS: [&str; 5] = ["generate", "resource", "shop", "drinks", "title:string"];

fn project() -> Project {
    let project = Project::new("bistro");
    for name in ["dishes", "wines"] {
        let make = ["generate", "resource", "shop", name, "title:string"];
        project.run(&make).exits(0);
    }
    project
}

/// Lays out `before` as a run leaves it that is killed right after its record became binding.
fn killed_after_the_record(before: &Tree, after: &Tree, root: &Path) {
    copy(before, root);
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.retain(|path| before.get(*path) != after.get(*path));
    paths.sort_by_key(|path| {
        (
            path.starts_with(".formwork"),
            path.starts_with(".formwork/lock"),
            *path,
        )
    });
    paths.dedup();
    let journal = Journal::of(root, &OsDisk);
    journal.open().expect("a journal");
    let mut steps = Vec::new();
    for (index, path) in paths.into_iter().enumerate() {
        if let Some(content) = after.get(path) {
            journal.stage(index, content, None).expect("a content");
        }
        steps.push(Step {
            path: path.clone(),
            before: before.get(path).map(Digest::of),
            after: after.get(path).map(Digest::of),
        });
    }
    journal.commit(&steps).expect("a record");
}

/// Exit status, and what was said.
fn run(root: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = formwork();
    command.args(args).current_dir(root);
    let output = command.env("SOURCE_DATE_EPOCH", "1790000200").output();
    let output = output.expect("formwork starts");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn a_killed_run_is_reported_by_check_and_finished_by_the_next_run() {
    let stock = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "stock:integer:nullable",
    ];
    let destroy = ["destroy", "resource", "shop", "wines"];
    for killed in [&DRINKS[..], &stock, &destroy] {
        let project = project();
        let before = tree(project.root());
        project.run(killed).exits(0);
        let after = tree(project.root());
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        killed_after_the_record(&before, &after, root);
        for (args, exit) in [(&["generate", "--check"][..], 5), (&["status"], 0)] {
            let (found, said) = run(root, args);
            assert_eq!(found, Some(exit), "{killed:?}, {args:?}: {said}");
            assert!(said.contains("interrupted"), "{killed:?}, {args:?}: {said}");
            assert_same(&tree(root), &before);
        }
        let (exit, said) = run(root, &["generate"]);
        assert_eq!(exit, Some(0), "{killed:?}: {said}");
        assert_same(&tree(root), &after);
        let (exit, said) = run(root, &["generate", "--check"]);
        assert_eq!(exit, Some(0), "{killed:?}: {said}");
    }
}

#[test]
fn a_mistake_in_a_manifest_does_not_hide_that_a_killed_run_was_finished() {
    let project = project();
    let before = tree(project.root());
    project.run(&DRINKS).exits(0);
    let after = tree(project.root());
    let folder = tempfile::tempdir().expect("a folder");
    killed_after_the_record(&before, &after, folder.path());
    let (exit, said) = run(folder.path(), &["destroy", "resource", "shop", "nothing"]);
    assert_eq!(exit, Some(2), "{said}");
    assert!(
        said.contains("an interrupted run was finished first"),
        "{said}"
    );
    assert!(said.contains("nothing"), "{said}");
    assert_same(&tree(folder.path()), &after);
}

#[test]
fn a_resource_of_a_killed_command_is_complete_or_absent_for_the_next() {
    // If the machine's speed makes all of them early or late, there are more.
    let (least, most) = (cases(8), 40 * cases(8));
    let project = project();
    let before = tree(project.root());
    let start = Instant::now();
    project.run(&DRINKS).exits(0);
    let (after, took) = (tree(project.root()), start.elapsed());
    let first = "extensions/shop/docs/drinks.md";
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let (mut kills, mut made) = (0, 0);
    while kills < least || kills < most && !(1..kills).contains(&made) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("project");
        copy(&before, &root);
        fs::create_dir_all(folder.path().join("tmp")).expect("a folder");
        let mut command = formwork();
        let command = command.args(DRINKS).current_dir(&root);
        let command = command.env("SOURCE_DATE_EPOCH", "1790000000");
        let command = command.env("TMPDIR", folder.path().join("tmp"));
        let mut child = command
            .stdout(Stdio::null())
            .spawn()
            .expect("formwork starts");
        kill(&mut child, &root, first, &mut numbers, took);
        let (exit, said) = run(&root, &["generate"]);
        assert_eq!(exit, Some(0), "{said}");
        let found = tree(&root);
        let is_made = found.contains_key("extensions/shop/resources/drinks.yaml");
        assert_same(&found, if is_made { &after } else { &before });
        made += u32::from(is_made);
        kills += 1;
    }
    assert!((1..kills).contains(&made), "{made} of {kills} were made");
}
