//! One resource with every type, modifier and rule, one project with every relation: generated,
//! compiled with warnings denied, and requested over HTTP.

use std::fs;
use std::path::Path;
use std::process::Command;

use formwork_tests::project::Project;
use formwork_tests::{cargo, checkout, printed};

/// Requests to the generated project, beside its own generated tests.
const QUESTIONS: &str = include_str!("mega/questions.rs");

#[test]
fn every_type_rule_and_relation_is_generated_and_answers() {
    let project = Project::new("mega");
    project.take(&checkout().join("fixtures/mega"));
    let columns = "a:string b:text c:integer d:bigint e:float f:decimal:15,4 g:boolean h:date i:time j:datetime";
    let columns: Vec<&str> = columns.split(' ').collect();
    project.add("ten", &columns);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    // With `--all` it would look at the runtime, too.
    let packages = ["mega", "everything", "migration", "shop"].map(|name| ["-p", name]);
    let mut fmt = cargo(&["fmt", "--check"]);
    printed(fmt.args(packages.concat()).current_dir(project.root()));
    let ten = project
        .root()
        .join("extensions/shop/src/api_resources/tens");
    for file in fs::read_dir(ten).expect("a folder") {
        let path = file.expect("a file").path();
        let lines = fs::read_to_string(&path).expect("text").lines().count();
        assert!(lines <= 60, "{}: {lines} lines", path.display());
    }
    project.write("tests/questions.rs", QUESTIONS);
    printed(lint(&mut project.test()));
}

/// Makes cargo compile the project's own crates as `cargo clippy` does, which would check every other crate again.
fn lint(cargo: &mut Command) -> &mut Command {
    let sysroot = printed(Command::new("rustc").args(["--print", "sysroot"]));
    let driver = Path::new(sysroot.trim()).join("bin/clippy-driver");
    cargo.env("RUSTC_WORKSPACE_WRAPPER", driver);
    let separator = "__CLIPPY_HACKERY__";
    cargo.env("CLIPPY_ARGS", format!("-D{separator}warnings{separator}"))
}
