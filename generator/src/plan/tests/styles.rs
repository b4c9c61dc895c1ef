use std::fs;

use super::fixture::{Project, assert_class};
use crate::exit::Exit;
use crate::plan::Class;

const OLD: &str =
    "fn one() {}\n\nfn two() {}\n\nfn three() {\n    call(first_argument, second_argument);\n}\n";

fn new() -> String {
    OLD.replace("two()", "zwei()")
}

#[test]
fn a_difference_that_only_a_formatter_makes_is_no_change() {
    let mut project = Project::poured(&[("a.rs", OLD)]);
    project.render("a.rs", &OLD.replace("fn two() {}", "fn  two ( )  { }"));
    let plan = project.generate();
    assert_class(&plan, "a.rs", Class::Unchanged, Exit::Done);
    assert_eq!(plan.check_exit(), Exit::Done);
    project.assert_settled();
}

#[test]
fn a_file_that_was_formatted_with_another_width_merges_without_conflict() {
    let mut project = Project::poured(&[("a.rs", OLD)]);
    project.write("rustfmt.toml", "max_width = 40\nhard_tabs = true\n");
    let mine = "fn one() {}\n\nfn two() {}\n\nfn three() {\n\tcall(\n\t\tfirst_argument,\n\t\tsecond_argument,\n\t);\n}\n";
    project.write("a.rs", mine);
    project.render("a.rs", &new());
    assert_class(&project.generate(), "a.rs", Class::Write, Exit::Done);
    assert_eq!(
        project.read("a.rs").as_deref(),
        Some(mine.replace("two()", "zwei()").as_str())
    );
    project.assert_settled();
}

#[test]
fn a_reformatted_file_without_edits_goes_when_nothing_is_rendered() {
    let mut project = Project::poured(&[("a.rs", OLD), ("b.md", "b\n")]);
    project.write("a.rs", &OLD.replace("fn two() {}", "fn two()\n{\n}"));
    project.stop_rendering("a.rs");
    assert_class(&project.generate(), "a.rs", Class::Delete, Exit::Done);
    assert!(!project.at("a.rs").exists());
}

#[cfg(unix)]
#[test]
fn the_mode_stays_through_a_move() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |project: &Project, path: &str| {
        fs::metadata(project.at(path)).unwrap().permissions().mode() & 0o777
    };
    let mut project = Project::poured(&[("run.sh", "one\ntwo\nthree\n")]);
    fs::set_permissions(project.at("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    project.render_artefact(
        "bin/run.sh",
        "shop/run.sh",
        "one\ntwo\nthree\n",
        crate::rendered::Owner::User,
    );
    assert_class(&project.generate(), "bin/run.sh", Class::Move, Exit::Done);
    assert_eq!(mode(&project, "bin/run.sh"), 0o755);
}
