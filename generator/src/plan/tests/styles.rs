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

#[test]
fn line_endings_byte_order_mark_and_final_newline_are_no_edits_and_stay() {
    let mut project = Project::poured(&[("a.rs", OLD)]);
    let styled = |text: &str| format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n"));
    project.write("a.rs", &styled(OLD));
    assert_class(&project.generate(), "a.rs", Class::Unchanged, Exit::Done);
    project.render("a.rs", &new());
    assert_class(&project.generate(), "a.rs", Class::Write, Exit::Done);
    assert_eq!(project.read("a.rs"), Some(styled(&new())));
    project.write("a.rs", &styled(&new().replace("one()", "uno()")));
    project.render("a.rs", &new().replace("three()", "drei()"));
    assert_class(&project.generate(), "a.rs", Class::Merge, Exit::Done);
    assert_eq!(
        project.read("a.rs"),
        Some(styled(
            &new().replace("one()", "uno()").replace("three()", "drei()")
        ))
    );
    project.assert_settled();
}

#[cfg(unix)]
#[test]
fn the_mode_stays_through_update_merge_and_move() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |project: &Project, path: &str| {
        fs::metadata(project.at(path)).unwrap().permissions().mode() & 0o777
    };
    let mut project = Project::poured(&[("run.sh", "one\ntwo\nthree\n")]);
    fs::set_permissions(project.at("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    project.render("run.sh", "one\ntwo\nTHREE\n");
    assert_class(&project.generate(), "run.sh", Class::Write, Exit::Done);
    assert_eq!(mode(&project, "run.sh"), 0o755);
    project.write("run.sh", "ONE\ntwo\nTHREE\n");
    project.render("run.sh", "one\ntwo\nthree\n");
    assert_class(&project.generate(), "run.sh", Class::Merge, Exit::Done);
    assert_eq!(mode(&project, "run.sh"), 0o755);
    project.render_artefact(
        "bin/run.sh",
        "shop/run.sh",
        "one\ntwo\nthree\n",
        crate::rendered::Owner::User,
    );
    assert_class(&project.generate(), "bin/run.sh", Class::Move, Exit::Done);
    assert_eq!(mode(&project, "bin/run.sh"), 0o755);
}

#[cfg(unix)]
#[test]
fn a_symlink_inside_the_project_is_written_through() {
    let mut project = Project::poured(&[("a.md", "a\n")]);
    fs::rename(project.at("a.md"), project.at("real.md")).unwrap();
    std::os::unix::fs::symlink("real.md", project.at("a.md")).unwrap();
    project.render("a.md", "b\n");
    assert_class(&project.generate(), "a.md", Class::Write, Exit::Done);
    assert_eq!(project.read("real.md").as_deref(), Some("b\n"));
    assert!(
        fs::symlink_metadata(project.at("a.md"))
            .unwrap()
            .is_symlink()
    );
    project.assert_settled();
}

#[test]
fn what_is_no_text_is_kept_and_never_merged() {
    let mut project = Project::poured(&[("a.md", "a\n")]);
    fs::write(project.at("a.md"), b"\xff\xfe").unwrap();
    assert_class(
        &project.generate(),
        "a.md",
        Class::Keep { moved_on: false },
        Exit::Done,
    );
    project.render("a.md", "b\n");
    let plan = project.generate();
    assert_class(
        &plan,
        "a.md",
        Class::Conflict(crate::plan::Cause::Unmergeable),
        Exit::Conflicts,
    );
    assert_eq!(fs::read(project.at("a.md")).unwrap(), b"\xff\xfe");
    // As the report advises.
    let plan = project.generate_with(|options| options.ours = true.into());
    assert_class(&plan, "a.md", Class::Keep { moved_on: true }, Exit::Done);
    assert_eq!(fs::read(project.at("a.md")).unwrap(), b"\xff\xfe");
    project.assert_settled();
}
