//! One resource with every type, modifier and rule, one project with every relation: poured,
//! compiled with warnings denied, and requested over HTTP.

use std::path::PathBuf;

use formwork_tests::project::Project;
use formwork_tests::{checkout, printed};

/// Requests to the poured project, beside its own poured tests.
const QUESTIONS: &str = include_str!("mega/questions.rs");

#[test]
fn every_type_rule_and_relation_is_poured_and_answers() {
    let project = Project::new("mega");
    project.take(&checkout().join("fixtures/mega"));
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    project.write("tests/questions.rs", QUESTIONS);
    let clippy = ["clippy", "--workspace", "--all-targets"];
    printed(
        project
            .cargo_with_drivers(&clippy)
            .args(["--", "-D", "warnings"]),
    );
    printed(&mut project.cargo_with_drivers(&["test", "--workspace"]));
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
    printed(&mut project.cargo(&["fmt", "--all", "--check"]));
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
