//! The command line, by the real binary: what it understands, what it refuses, and in which words.

mod amend;
mod amend_deleted;
mod complete;
mod help;
mod keywords;
mod refused;
mod shorthand;

use std::sync::OnceLock;

use formwork_tests::project::{Files, Project, Ran};
use serde_json::Value;

/// A project with one extension and one resource.
fn project() -> Project {
    static FILES: OnceLock<Files> = OnceLock::new();
    Project::copy_of_one(&FILES, || {
        let project = Project::new("bistro");
        project.add("dishes", &["title:string:required"]);
        project
    })
}

/// The answer for programs: one line of JSON on standard output, whatever happened.
#[track_caller]
fn json(ran: &Ran) -> Value {
    assert_eq!(
        ran.output.lines().count(),
        1,
        "{}\n{}",
        ran.output,
        ran.errors
    );
    let answer: Value = serde_json::from_str(&ran.output).expect("JSON");
    assert_eq!(answer["exit"], ran.exit, "{answer}");
    answer
}
