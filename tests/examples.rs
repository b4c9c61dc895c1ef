//! `formwork new --example`: the examples that `formwork demo` does not build.

use std::path::Path;
use std::process::Command;

use formwork_tests::{formwork, target_dir};

/// Runs a command in a folder, and returns what it prints.
fn run(mut command: Command, folder: &Path) -> String {
    command
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target_dir())
        .env_remove("DATABASE_URL");
    let output = command.output().expect("it starts");
    let [out, errors] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert!(output.status.success(), "{command:?}: {out}{errors}");
    out
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args);
    command
}

#[test]
fn the_helpdesk_is_laid_out_builds_runs_and_passes_its_tests() {
    let here = tempfile::tempdir().expect("a folder");
    let folder = here.path().join("desk");
    let mut new = formwork();
    new.arg("new").arg(&folder).args(["--example", "helpdesk"]);
    let said = run(new, here.path());
    let commands = ["cargo run -- migrate", "cargo run -- seed"];
    assert!(
        said.contains(&format!("  {}\n  {}\n", commands[0], commands[1])),
        "{said}"
    );
    for command in ["migrate", "seed"] {
        run(
            cargo(&["run", "--quiet", "--locked", "--", command]),
            &folder,
        );
    }
    assert!(said.contains("cargo run -- token --name laptop --email admin@example.com --admin"));
    let token = [
        "token",
        "--name",
        "laptop",
        "--email",
        "admin@example.com",
        "--admin",
    ];
    let token = run(
        cargo(&[&["run", "--quiet", "--"], &token[..]].concat()),
        &folder,
    );
    assert!(token.contains("Access Token: "), "{token}");
    let report = run(cargo(&["run", "--quiet", "--", "report"]), &folder);
    assert!(
        report.starts_with("Northwind: 3 tickets, 2 unsolved"),
        "{report}"
    );
    let tests = run(cargo(&["test", "--locked", "--workspace"]), &folder);
    assert!(tests.contains("test organisations::"), "{tests}");
    let mut check = formwork();
    check.args(["generate", "--check"]);
    run(check, &folder);
}
