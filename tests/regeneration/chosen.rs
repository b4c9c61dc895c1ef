//! `--ours`, `--theirs`, `--adopt` and `--restore` with paths: for these files alone.

use super::{CONTROLLER, DOCS, MODEL, SENTENCE, add_attribute, change, project};

#[test]
fn a_path_limits_restore_to_that_file() {
    let project = project();
    project.remove(DOCS);
    project.remove(MODEL);
    project.run(&["generate", "--restore", DOCS]).exits(0);
    assert!(project.has(DOCS) && !project.has(MODEL));
    // The rest of the run is as usual.
    add_attribute(&project);
    project
        .run(&["generate", "--restore", "extensions/shop/src"])
        .exits(0);
    assert!(project.read(MODEL).contains("pub notes"));
    assert!(project.read(DOCS).contains("`notes`"));
}

#[test]
fn each_of_two_conflicts_is_settled_its_own_way() {
    let project = project();
    project.edit(DOCS, SENTENCE, "Mine");
    project.edit(CONTROLLER, "\"dishes:*\"", "\"menu:*\"");
    change(&project);
    project
        .run(&["generate", "--ours", DOCS, "--theirs", CONTROLLER])
        .exits(0);
    assert!(project.read(DOCS).contains("Mine"));
    assert!(project.read(CONTROLLER).contains("kitchen:*"));
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_conflict_that_is_not_named_stays_one() {
    let project = project();
    project.edit(DOCS, SENTENCE, "Mine");
    project.edit(CONTROLLER, "\"dishes:*\"", "\"menu:*\"");
    change(&project);
    project
        .run(&["generate", "--ours", DOCS])
        .exits(3)
        .says(CONTROLLER);
    assert!(project.read(DOCS).contains("Mine"));
    assert!(project.read(CONTROLLER).contains("<<<<<<<"));
}

#[test]
fn one_foreign_file_is_adopted_and_the_other_is_not() {
    let project = formwork_tests::project::Project::new("bistro");
    project.write(CONTROLLER, "// mine\n");
    project.write(MODEL, "// mine, too\n");
    project
        .run(&["generate", "resource", "shop", "dishes", "title:string"])
        .exits(3);
    project
        .run(&["generate", "--adopt", CONTROLLER])
        .exits(3)
        .says(MODEL);
    project.run(&["generate", "--theirs", MODEL]).exits(0);
    assert_eq!(project.read(CONTROLLER), "// mine\n");
    assert!(project.read(MODEL).contains("pub struct Dish"));
}

#[test]
fn a_path_is_relative_to_the_current_folder() {
    let project = project();
    project.remove(DOCS);
    let output = formwork_tests::formwork()
        .args(["generate", "--restore", "../docs/dishes.md"])
        .current_dir(project.root().join("extensions/shop/src"))
        .output()
        .expect("formwork starts");
    assert!(output.status.success(), "{output:?}");
    assert!(project.has(DOCS));
}

#[test]
fn an_unknown_path_is_refused_with_the_one_that_was_meant() {
    let project = project();
    project.remove(DOCS);
    let before = project.snapshot();
    let run = |path: &str| project.run(&["generate", "--restore", path]).exits(2);
    run("extensions/shop/docs/dihes.md").says(&format!("did you mean `{DOCS}`"));
    run("dishes.md").says(&format!("did you mean `{DOCS}`"));
    run("nothing/like/it.rs").says("formwork status");
    run("../elsewhere").says("--restore ../elsewhere");
    // An attribute behind the switch is taken for a path, and said so.
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "dishes",
            "--restore",
            "notes:text",
        ])
        .exits(2)
        .says("--restore notes:text");
    assert_eq!(before, project.snapshot());
}

#[test]
fn switches_stand_before_and_behind_the_subcommand() {
    let project = project();
    for args in [
        &["generate", "--restore", "resource", "shop", "dishes"][..],
        &["generate", "resource", "shop", "dishes", "--restore"],
        &["generate", "--restore", DOCS, "resource", "shop", "dishes"],
        &["generate", "resource", "shop", "dishes", "--restore", DOCS],
    ] {
        project.remove(DOCS);
        project.run(args).exits(0);
        assert!(project.has(DOCS), "{args:?}");
    }
}

#[test]
fn one_file_cannot_be_kept_and_replaced() {
    let project = project();
    let refused = |args: &[&str]| {
        let args = [&["generate"][..], args].concat();
        project.run(&args).exits(2).says("exclude each other");
    };
    refused(&["--ours", "--theirs"]);
    refused(&["--ours", "--theirs", DOCS]);
    refused(&["--ours", "extensions/shop", "--theirs", DOCS]);
}

#[test]
fn a_path_without_a_conflict_is_reported() {
    let project = project();
    project.edit(DOCS, "# Dishes", "# Mine");
    project
        .run(&["generate", "--theirs", DOCS])
        .exits(0)
        .says("there was nothing to do: edited by you; the template is as before");
    assert!(project.read(DOCS).contains("# Mine"));
}

/// A project with conflict markers in two files, each with an edit of its own beside the conflict.
fn conflicted() -> formwork_tests::project::Project {
    let project = project();
    add_attribute(&project);
    project.run(&["generate"]).exits(0);
    for path in [DOCS, CONTROLLER] {
        let text = project.read(path);
        let head = text.lines().next().expect("a line").to_owned();
        let both = format!(
            "<<<<<<< ours\n{head} mine\n||||||| base\n{head}\n=======\n{head} theirs\n>>>>>>> theirs\n"
        );
        let text = text.replacen(&format!("{head}\n"), &both, 1);
        project.write(
            path,
            &(text
                + if path == DOCS {
                    "Edited.\n"
                } else {
                    "// Edited.\n"
                }),
        );
    }
    project
}

#[test]
fn one_side_of_each_conflict_is_taken_in_the_files_that_are_named_and_in_no_other() {
    let project = conflicted();
    let before = project.snapshot();
    let ran = project.run(&["generate", "--ours", DOCS]).exits(4);
    ran.says(CONTROLLER).says("--ours PATH");
    assert_eq!(before, project.snapshot());
    let both = ["generate", "--ours", DOCS, "--theirs", CONTROLLER];
    let dry = project.run(&[&both[..], &["--dry-run"]].concat()).exits(0);
    dry.says("one side of its conflicts was taken");
    assert_eq!(before, project.snapshot());
    project.run(&both).exits(0);
    let (docs, controller) = (project.read(DOCS), project.read(CONTROLLER));
    for (text, mine) in [(&docs, true), (&controller, false)] {
        let head = text.lines().next().expect("a line");
        assert!(
            head.ends_with(if mine { " mine" } else { " theirs" }),
            "{text}"
        );
        assert!(
            text.ends_with("Edited.\n"),
            "edits beside a conflict stay: {text}"
        );
        assert!(
            !text.contains("<<<<<<<") && !text.contains("======="),
            "{text}"
        );
    }
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn other_changes_of_the_template_are_merged_beside_a_chosen_side() {
    let project = conflicted();
    let crlf = project.read(DOCS).replace('\n', "\r\n");
    project.write(DOCS, &crlf);
    change(&project);
    let args = ["generate", "--theirs", DOCS, "--theirs", CONTROLLER];
    project.run(&args).exits(0);
    let docs = project.read(DOCS);
    assert!(
        docs.contains("guests love") && docs.ends_with("Edited.\r\n"),
        "{docs}"
    );
    assert!(
        docs.lines()
            .next()
            .is_some_and(|head| head.ends_with(" theirs")),
        "{docs}"
    );
}
