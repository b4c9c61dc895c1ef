//! What docs/guide/ci.md promises: the statuses of `--check`, what programs read, the hook.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use formwork_tests::project::Project;
use formwork_tests::{checkout, formwork};

use super::{CONTROLLER, DOCS, MANIFEST, SENTENCE, add_attribute, change, project};

#[test]
fn the_statuses_of_check() {
    let check = |change: &dyn Fn(&Project), exit: i32| {
        let project = project();
        change(&project);
        let before = project.snapshot();
        project.run(&["generate", "--check"]).exits(exit);
        assert_eq!(before, project.snapshot(), "it writes nothing");
    };
    check(&|_| {}, 0);
    check(&|project| project.edit(DOCS, "# Dishes", "# Mine"), 0);
    check(&|project| project.remove("tests/shop_dishes.rs"), 0);
    // The controller that includes them would not compile.
    check(&|project| project.remove(DOCS), 5);
    check(&|project| project.edit(MANIFEST, "actions:", "actoins:"), 2);
    let markers = "<<<<<<< a\n1\n||||||| b\n=======\n2\n>>>>>>> c\n";
    check(&|project| project.write(CONTROLLER, markers), 4);
    check(&add_attribute, 5);
    check(
        &|project| project.edit(MANIFEST, "page_limit: 20", "page_limit: 30"),
        5,
    );
    let conflict = |project: &Project| {
        project.edit(DOCS, SENTENCE, "Mine");
        change(project);
    };
    check(&conflict, 5);
    let in_the_way = |project: &Project| {
        project.remove(DOCS);
        fs::create_dir(project.root().join(DOCS)).expect("a folder");
    };
    check(&in_the_way, 1);
    // What a run would refuse without --allow-destructive is drift.
    check(
        &|project| project.edit(MANIFEST, "    title: string required\n", ""),
        5,
    );
}

#[test]
fn json_output_is_the_same_in_every_run() {
    let project = project();
    add_attribute(&project);
    project.edit(DOCS, "# Dishes", "# Mine");
    let ask = || {
        // The clock is the machine's own.
        let output = formwork()
            .args(["generate", "--check", "--format", "json"])
            .current_dir(project.root())
            .output();
        let output = output.expect("formwork starts");
        assert_eq!(output.status.code(), Some(5));
        String::from_utf8(output.stdout).expect("JSON")
    };
    let first = ask();
    assert_eq!(first.lines().count(), 1);
    assert!(
        first.contains("99991231000000_"),
        "a migration is pending: {first}"
    );
    let second = || UNIX_EPOCH.elapsed().expect("a clock").as_secs();
    let before = second();
    while second() == before {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(ask(), first);
}

/// The first block of code of this language below a heading.
fn block(page: &str, heading: &str, language: &str) -> String {
    let (_, rest) = page.split_once(heading).expect("the heading");
    let (_, rest) = rest
        .split_once(&format!("```{language}\n"))
        .expect("the block");
    rest.split_once("```").expect("its end").0.to_owned()
}

#[test]
fn the_hook_of_the_guide_stops_a_commit_of_stale_files() {
    let page = fs::read_to_string(checkout().join("docs/guide/ci.md")).expect("the guide");
    let project = project();
    let program = PathBuf::from(formwork().get_program());
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=T", "-c", "user.email=t@example.com"])
            .args(["-c", "commit.gpgsign=false"])
            .args(args)
            .env("PATH", &path)
            .current_dir(project.root())
            .output()
            .expect("git starts");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        (output.status.success(), said)
    };
    assert!(git(&["init", "-q", "-b", "main"]).0);
    let hook = project.root().join(".git/hooks/pre-commit");
    project.write(
        ".git/hooks/pre-commit",
        &block(&page, "## Before a commit", "sh"),
    );
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("its permissions");
    let commit = || {
        assert!(git(&["add", "-A"]).0);
        git(&["commit", "-qm", "change"])
    };
    let (done, said) = commit();
    assert!(done, "{said}");
    add_attribute(&project);
    let (done, said) = commit();
    assert!(!done && said.contains("formwork generate"), "{said}");
    project.run(&["generate"]).exits(0);
    let (done, said) = commit();
    assert!(done, "{said}");
}

#[test]
fn the_examples_of_the_guide_check() {
    let page = fs::read_to_string(checkout().join("docs/guide/ci.md")).expect("the guide");
    for heading in ["## GitHub Actions", "## GitLab"] {
        let text = block(&page, heading, "yaml");
        assert!(
            !text.contains('\t') && text.contains("formwork generate --check"),
            "{text}"
        );
    }
}

#[test]
fn without_rustfmt_there_is_one_notice_and_the_run_succeeds() {
    let project = project();
    add_attribute(&project);
    let nowhere = std::path::Path::new("/nowhere/rustfmt");
    let ran = project.run_with(&["generate"], &[("RUSTFMT", nowhere)]);
    let ran = ran.exits(0);
    let notices = ran.output.lines().filter(|line| line.contains("rustfmt"));
    assert_eq!(notices.count(), 1, "{}", ran.output);
    project.run(&["generate", "--check"]).exits(0);
}
