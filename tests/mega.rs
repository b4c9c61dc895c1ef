//! One resource with every type, modifier and rule, one project with every relation: poured,
//! compiled with warnings denied, and requested over HTTP.

use std::path::PathBuf;
use std::process::Command;

use formwork_tests::project::Project;
use formwork_tests::{checkout, target_dir};

/// Requests to the poured project, beside its own poured tests.
const QUESTIONS: &str = include_str!("mega/questions.rs");

#[test]
fn everything_that_can_be_said_is_poured_compiled_and_answers() {
    let project = Project::new("mega");
    project.take(&checkout().join("fixtures/mega"));
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    project.write("tests/questions.rs", QUESTIONS);
    // The versions that were tested, so that everything that is compiled is shared.
    std::fs::copy(
        checkout().join("fixtures/restaurant/Cargo.lock"),
        project.root().join("Cargo.lock"),
    )
    .expect("the lock file is copied");
    cargo(
        &project,
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
    );
    cargo(&project, &["test", "--workspace"]);
}

#[test]
fn poured_sources_are_formatted_and_short() {
    let project = Project::new("mega");
    project.take(&checkout().join("fixtures/mega"));
    let columns = "a:string b:text c:integer d:bigint e:float f:decimal:15,4 g:boolean h:date i:time j:datetime";
    let mut args = vec!["generate", "resource", "shop", "ten"];
    args.extend(columns.split(' '));
    project.run(&args).exits(0);
    project.run(&["generate"]).exits(0);
    let status = Command::new("cargo")
        .args(["fmt", "--all", "--check"])
        .current_dir(project.root())
        .status();
    assert!(status.expect("cargo starts").success());
    let folder: PathBuf = project
        .root()
        .join("extensions/shop/src/api_resources/tens");
    for file in
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = file.expect("a file").path();
        let lines = std::fs::read_to_string(&path)
            .expect("text")
            .lines()
            .count();
        assert!(
            lines <= 60,
            "{}: {lines} lines for ten columns",
            path.display()
        );
    }
}

fn cargo(project: &Project, args: &[&str]) {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(args)
        .current_dir(project.root())
        .env("CARGO_TARGET_DIR", target_dir())
        .output()
        .expect("cargo starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{args:?}\n{}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}
