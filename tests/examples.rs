//! Whole projects: the example that `formwork demo` does not build, and one with every type and relation.

mod mega;

use std::fs;
use std::path::Path;

use formwork_tests::program::Program;
use formwork_tests::project::Project;
use formwork_tests::{checkout, formwork, printed};

#[test]
fn the_helpdesk_is_laid_out_builds_runs_and_passes_its_tests() {
    let here = tempfile::tempdir().expect("a folder");
    let mut new = formwork();
    new.args(["new", "desk", "--example", "helpdesk"]);
    let report = printed(new.current_dir(here.path()));
    for line in [
        "  cargo run -- migrate\n  cargo run -- seed\n",
        "cargo run -- token --name laptop --email admin@example.com --admin",
    ] {
        assert!(report.contains(line), "{report}");
    }
    let project = Project::at(here, "desk");
    project.run(&["generate", "--check"]).exits(0);
    let desk = Program::build(&project, "helpdesk");
    desk.run("migrate");
    desk.run("seed");
    desk.token("--email admin@example.com --admin");
    let report = desk.run("report");
    assert!(
        report.starts_with("Northwind: 3 tickets, 2 unsolved"),
        "{report}"
    );
    let tests = printed(&mut project.test());
    assert!(tests.contains("test organisations::"), "{tests}");
}

/// The guide says so: the example shows how little code the walls need.
#[test]
fn the_helpdesk_has_at_most_925_lines_written_by_hand() {
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
    assert!((500..=925).contains(&own), "{own}");
}

/// Lines that were not poured, without comments and empty lines.
fn lines_of_code(root: &Path, path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("text");
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
