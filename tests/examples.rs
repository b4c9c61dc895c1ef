//! `formwork new --example`: the examples that `formwork demo` does not build.

use std::fs;
use std::path::Path;
use std::process::Command;

use formwork_tests::{cargo, checkout, formwork, target_dir};

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

/// The guide says so: the example shows how little code the walls need.
#[test]
fn the_helpdesk_has_at_most_900_lines_written_by_hand() {
    let root = checkout().join("fixtures/helpdesk");
    let mut folders = vec![root.join("src"), root.join("extensions")];
    let mut own = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                own += lines_of_code(&root, &path);
            }
        }
    }
    assert!((500..=900).contains(&own), "{own}");
}

/// Lines that were not poured, without comments and empty lines.
fn lines_of_code(root: &Path, path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("text");
    if text.starts_with("// Formwork's own") {
        return 0;
    }
    let poured = path.strip_prefix(root).expect("a file of it");
    let poured = fs::read_to_string(root.join(".formwork/base").join(poured));
    let mut poured: Vec<String> = poured
        .iter()
        .flat_map(|it| it.lines())
        .map(str::to_owned)
        .collect();
    let is_own = |line: &&str| match poured.iter().position(|known| known == line) {
        Some(at) => {
            poured.swap_remove(at);
            false
        }
        None => !line.trim().is_empty() && !line.trim().starts_with("//"),
    };
    text.lines().filter(is_own).count()
}
