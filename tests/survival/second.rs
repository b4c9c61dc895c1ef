//! A second formwork at the same time, and a reader that goes away.

use std::fs;
use std::process::Stdio;

use formwork_tests::cases;
use formwork_tests::formwork;
use formwork_tests::project::Project;

use super::{MANIFEST, assert_same, copy, finished, generate, project, tree};

#[test]
fn a_second_formwork_waits_and_both_end_well() {
    let before = tree(project().root());
    let (after, _) = finished(&before);
    for _ in 0..cases(2) {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&before, folder.path());
        let start = || generate(folder.path()).spawn().expect("formwork starts");
        for child in [start(), start(), start()] {
            let output = child.wait_with_output().expect("a process ends");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");
        }
        assert_same(&tree(folder.path()), &after);
    }
}

#[test]
fn a_second_formwork_that_stops_waiting_names_the_process_that_holds_the_lock() {
    let project = project();
    let before = tree(project.root());
    let lock = project.root().join(".formwork/run.lock");
    fs::write(&lock, "4711\n").expect("a lock");
    let holder = fs::File::open(&lock).expect("a lock");
    holder.lock().expect("the lock is free");
    project.run(&["generate"]).exits(1).says("process 4711");
    assert_same(&tree(project.root()), &before);
    // What only reads needs no lock.
    project.run(&["generate", "--check"]).exits(5);
    project.run(&["status"]).exits(0);
    drop(holder);
    project.run(&["generate"]).exits(0);
    let left = fs::read_to_string(&lock).expect("the lock stays");
    assert_eq!(left, "", "nobody holds it");
}

#[test]
fn parallel_runs_that_generate_and_destroy_resources_both_take_effect() {
    let project = Project::new("bistro");
    let make = |name: &str| {
        let args = ["generate", "resource", "shop", name, "title:string"];
        project.run(&args).exits(0);
    };
    for round in 0..cases(1) {
        let old = [format!("cups_{round}s"), format!("mugs_{round}s")];
        let new = [format!("pots_{round}s"), format!("pans_{round}s")];
        old.iter().for_each(|name| make(name));
        std::thread::scope(|scope| {
            for name in &new {
                scope.spawn(|| make(name));
            }
            for name in &old {
                let args = ["destroy", "resource", "shop", name.as_str()];
                let project = &project;
                scope.spawn(move || drop(project.run(&args).exits(0)));
            }
        });
        let aggregate = project.read("extensions/shop/src/api_resources/mod.rs");
        let migrations = project.read("extensions/shop/src/migrations.rs");
        for name in &new {
            assert!(aggregate.contains(&format!("mod {name};")), "{aggregate}");
        }
        for name in &old {
            assert!(!aggregate.contains(&format!("mod {name};")), "{aggregate}");
            assert!(migrations.contains(&format!("drop_{name}")), "{migrations}");
        }
        project.run(&["generate", "--check"]).exits(0);
    }
}

#[test]
fn templates_are_ejected_while_resources_are_made() {
    let project = Project::new("bistro");
    let run = |args: &[&str]| drop(project.run(args).exits(0));
    for (name, template) in [("cups", "docs.md"), ("mugs", "model.rs")] {
        let template = format!("resource/{template}.tera");
        std::thread::scope(|scope| {
            scope.spawn(|| run(&["templates", "eject", &template]));
            scope.spawn(|| run(&["generate", "resource", "shop", name, "title:string"]));
        });
        assert!(project.has(&format!("templates/{template}")));
        assert!(project.has(&format!("extensions/shop/docs/{name}.md")));
        project.run(&["generate", "--check"]).exits(0);
    }
}

#[test]
fn an_unread_report_does_not_stop_a_run() {
    let before = tree(project().root());
    let (after, _) = finished(&before);
    let folder = tempfile::tempdir().expect("a folder");
    copy(&before, folder.path());
    // `formwork generate | head -0`
    let mut command = formwork();
    command.arg("generate").current_dir(folder.path());
    command.env("SOURCE_DATE_EPOCH", "1790000100");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("formwork starts");
    drop(child.stdout.take());
    child.wait().expect("a process ends");
    assert_same(&tree(folder.path()), &after);
}

#[test]
fn one_lock_covers_a_run_and_no_other_file_is_in_its_way() {
    let project = project();
    // An editor or git may have it open, and locked where the system does that.
    let ignored = fs::File::open(project.root().join(".formwork/.gitignore")).expect("a file");
    ignored.lock().expect("the file is free");
    project.run(&["generate"]).exits(0);
    drop(ignored);
    // A run without changes waits as well: it could read half of another run's files.
    let lock = fs::File::open(project.root().join(".formwork/run.lock")).expect("the lock stays");
    lock.lock().expect("the lock is free");
    let mut child = generate(project.root()).spawn().expect("formwork starts");
    let files = format!("/proc/{}/fd", child.id());
    while !has_open(&files, "run.lock") {
        assert_eq!(child.try_wait().expect("a process"), None, "it waits");
        std::thread::yield_now();
    }
    // It reads the manifests once it has the lock.
    project.edit(MANIFEST, "page_limit: 30", "page_limit: 40");
    drop(lock);
    assert!(child.wait().expect("a process ends").success());
    project.run(&["generate", "--check"]).exits(0);
}

/// Checks whether a process has a file of this name open.
fn has_open(files: &str, name: &str) -> bool {
    let entries = fs::read_dir(files).into_iter().flatten().flatten();
    let mut paths = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    paths.any(|path| path.ends_with(name))
}
