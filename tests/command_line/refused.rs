//! Runs that are refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{json, project};
use formwork_tests::project::Project;

const MANIFEST: &str = "extensions/shop/resources/dishes.yaml";

/// The keys of an answer, but for `help`, which is there where there is any.
fn keys(answer: &Value) -> BTreeSet<&str> {
    let keys = answer.as_object().expect("an object").keys();
    keys.map(String::as_str)
        .filter(|key| *key != "help")
        .collect()
}

#[test]
fn the_json_of_every_refused_command_has_one_shape() {
    let project = project();
    let ask = |args: &[&str]| json(&project.run(&[args, &["--format", "json"]].concat()));
    let shape = ask(&["status"]);
    let (shape, summary) = (keys(&shape), keys(&shape["summary"]));
    let refused = |args: &[&str], exit: i32, command: &str| {
        let answer = ask(args);
        assert_eq!(answer["exit"], exit, "{args:?}: {answer}");
        assert_eq!(answer["command"], command, "{answer}");
        assert_eq!(keys(&answer), shape, "{args:?}: {answer}");
        assert_eq!(keys(&answer["summary"]), summary, "{args:?}: {answer}");
        answer
    };
    for args in [
        &["generate", "--check", "--dry-run"][..],
        &["generate", "resource"],
        &["generate", "--restore", "nothing"],
        &["generate", "resource", "shop", "dishes", "stock:strng"],
    ] {
        let answer = refused(args, 2, "generate");
        assert_eq!(
            answer["errors"].as_array().map(Vec::len),
            Some(1),
            "{answer}"
        );
    }
    refused(&["destroy", "resource", "shop", "wines"], 2, "destroy");
    refused(&["templates", "eject", "nothing"], 2, "templates eject");

    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    title: string(40) required\n",
    );
    let answer = refused(&["generate"], 6, "generate");
    let errors = answer["errors"].as_array().expect("errors");
    assert_eq!(
        errors.len(),
        1,
        "a statement belongs to what it loses: {answer}"
    );
    assert!(
        errors[0]
            .as_str()
            .is_some_and(|error| error.contains("UPDATE")),
        "{answer}"
    );
    assert!(
        answer["help"][0]
            .as_str()
            .is_some_and(|help| help.contains("--allow-destructive"))
    );
    let place = &answer["diagnostics"][0];
    assert_eq!(
        (&place["code"], &place["path"], &place["line"]),
        (
            &json!("E0070"),
            &json!(MANIFEST),
            &json!(line_of(&project, "title:"))
        ),
        "{answer}"
    );
    let checked = refused(&["generate", "--check"], 5, "generate");
    assert_eq!(checked["errors"], answer["errors"]);
    assert_eq!(checked["help"], answer["help"]);

    project.edit(MANIFEST, "actions:", "actoins:");
    for command in ["generate", "status"] {
        let answer = refused(&[command], 2, command);
        assert_eq!(answer["diagnostics"][0]["path"], MANIFEST, "{answer}");
        assert_eq!(answer["errors"], json!([]));
    }
    for (args, command) in [(&["bogus"][..], ""), (&["manifest", "chek"], "manifest")] {
        let answer = ask(args);
        assert_eq!(
            (&answer["exit"], &answer["command"]),
            (&json!(2), &json!(command))
        );
    }
    assert_eq!(ask(&["manifest"])["exit"], 2);
}

#[test]
fn an_error_is_printed_once_with_its_help_below() {
    let project = project();
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    title: string(40) required\n",
    );
    let ran = project.run(&["generate"]).exits(6);
    assert_eq!(ran.errors.matches("error[").count(), 1, "{}", ran.errors);
    assert_eq!(ran.errors.matches("error: ").count(), 0, "{}", ran.errors);
    assert_eq!(ran.errors.matches("help: ").count(), 1, "{}", ran.errors);
}

#[test]
fn unknown_actions_are_refused() {
    let project = project();
    let before = project.snapshot();
    for actions in ["", " , "] {
        let args = [
            "generate",
            "resource",
            "shop",
            "wines",
            "--actions",
            actions,
        ];
        project
            .run(&args)
            .exits(2)
            .says("--actions names no action");
    }
    assert_eq!(before, project.snapshot());
}

#[test]
fn all_databases_that_cannot_be_are_named_at_once() {
    let project = project();
    let args = ["new", "other", "--database", "sqlite,oracle,postgres,db2"];
    let ran = project.run(&args).exits(2);
    ran.says("--database oracle").says("--database db2");
    assert!(!project.has("other"));
}

/// The text with a conflict of git's in the place of one line.
fn conflict(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (before, after) = lines.split_at(lines.len() / 2);
    let (line, after) = after.split_first().expect("a line");
    let both = format!("<<<<<<< HEAD\n{line} # mine\n=======\n{line}\n>>>>>>> other");
    let parts = [before.join("\n"), both, after.join("\n")];
    parts.join("\n") + "\n"
}

#[test]
fn conflict_markers_are_reported_as_such_in_every_kind_of_file() {
    for path in [
        MANIFEST,
        "formwork.yaml",
        "Cargo.toml",
        "extensions/shop/Cargo.toml",
    ] {
        let project = project();
        let text = conflict(&project.read(path));
        project.write(path, &text);
        let before = project.snapshot();
        for args in [
            &["generate"][..],
            &["generate", "--check"],
            &["manifest", "check"],
        ] {
            let ran = project.run(args).exits(4).says("E0014");
            ran.says("a git conflict begins here").says(path);
        }
        assert_eq!(before, project.snapshot(), "{path}");

        // A mistake beside them is wrong usage.
        project.write("extensions/shop/resources/wines.yaml", "actoins: []\n");
        project
            .run(&["generate"])
            .exits(2)
            .says("E0014")
            .says("E0007");
    }
}

/// The line of the manifest that holds this text, from 1.
#[track_caller]
fn line_of(project: &Project, text: &str) -> usize {
    let manifest = project.read(MANIFEST);
    let line = manifest.lines().position(|line| line.contains(text));
    line.expect("the line") + 1
}

#[test]
fn a_refused_change_of_a_table_is_shown_at_its_key() {
    let project = project();
    let attribute = "    title: string required\n";
    project.edit(MANIFEST, attribute, "    name: string required\n");
    let line = line_of(&project, "attributes:");
    project
        .run(&["generate"])
        .exits(6)
        .says("error[E0070]: table dishes: dropping the column title")
        .says(&format!("{MANIFEST}:{line}:"))
        .says("DROP COLUMN");
    project.edit(
        MANIFEST,
        "    name: string required\n",
        "    title: string required\n    code: string required|unique\n",
    );
    let line = line_of(&project, "code:");
    project
        .run(&["generate"])
        .exits(2)
        .says("error[E0071]")
        .says(&format!("{MANIFEST}:{line}:5"));
}

#[test]
fn a_refused_migration_points_at_the_words_that_were_typed() {
    let project = project();
    project.remove("extensions/shop/resources/dishes.yaml");
    let words = ["generate", "resource", "shop", "dishes", "title:integer"];
    let ran = project.run(&words).exits(6);
    ran.says("--> the command line:1:40")
        .says("formwork generate resource shop dishes title:integer")
        .says("the same command with `--allow-destructive`");
    assert!(!project.has("extensions/shop/resources/dishes.yaml"));
}

#[test]
fn a_missing_name_is_answered_with_a_line_to_write() {
    let project = Project::new("bistro");
    let line = |what: &str, words: &str| {
        format!("help: write `formwork generate {what} {words} title:string:required`\n")
    };
    let ask = |what: &str, words: &str| {
        let ran = project.run(&["generate", what]).exits(2);
        ran.says(&format!("error: the name of the {what} is missing\n"))
            .says(&line(what, words));
    };
    ask("resource", "shop dishes");
    project
        .run(&["generate", "resource", "menu", "wines"])
        .exits(0);
    // The extension may be left out where there is only one.
    ask("resource", "dishes");
    ask("model", "dishes");
    project.run(&["generate", "extension", "shop"]).exits(0);
    ask("resource", "menu dishes");
}

#[test]
fn a_table_of_the_runtime_is_one_mistake() {
    let project = project();
    let args = [
        "generate",
        "resource",
        "shop",
        "x",
        "--table",
        "admin_users",
    ];
    let ran = project.run(&args).exits(2);
    let ran = ran.says("error[E0013]: the table `admin_users` is reserved");
    assert_eq!(ran.errors.matches("error[").count(), 1, "{}", ran.errors);
}

#[test]
fn destroy_without_a_kind_is_answered_with_the_line_to_write() {
    let project = project();
    let before = project.snapshot();
    for (args, line) in [
        (
            &["destroy", "shop", "dishes"][..],
            "write `formwork destroy resource shop dishes`",
        ),
        (
            &["destroy", "dishes", "--dry-run"],
            "write `formwork destroy resource EXT dishes`",
        ),
    ] {
        project.run(args).exits(2).says(line);
        let answer = json(&project.run(&[args, &["--format", "json"]].concat()));
        let errors = answer["errors"].to_string();
        assert!(errors.contains(line), "{errors}");
    }
    project
        .run(&["destroy", "resorce", "shop", "dishes"])
        .exits(2)
        .says("'resource'");
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_file_is_no_project_and_no_place_for_one() {
    let project = project();
    for args in [
        ["--project", "formwork.yaml", "status"],
        ["--project", "Cargo.toml", "generate"],
    ] {
        project
            .run(&args)
            .exits(2)
            .says("this is a file: name the folder of the project");
    }
    project
        .run(&["new", "formwork.yaml/other"])
        .exits(1)
        .says("cannot read formwork.yaml/other: ");
}

#[test]
fn a_damaged_manifest_is_reported_at_its_place_by_every_addition() {
    let project = project();
    let whole = project.read(MANIFEST);
    let add = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "stars:integer:nullable",
    ];
    project.write(MANIFEST, &whole.replace("actions: [", "actions: {"));
    let ran = project.run(&add).exits(2).says("error[E0003]: ");
    ran.says(&format!("--> {MANIFEST}:"));
    project.write(MANIFEST, &conflict(&whole));
    project.run(&add).exits(4).says(&format!("--> {MANIFEST}:"));
    assert_eq!(project.read(MANIFEST), conflict(&whole));
}

#[test]
fn a_name_that_cannot_be_is_shown_in_the_command_line() {
    let project = project();
    let before = project.snapshot();
    let long = "x".repeat(70);
    let ran = project
        .run(&["generate", "resource", "shop", &long])
        .exits(2);
    let ran = ran.says(&format!("formwork generate resource shop {long}"));
    ran.says("help: a key has at most 63 lower-case letters");
    for args in [
        &["generate", "resource", "bistro", "wines"][..],
        &["generate", "extension", "bistro"],
    ] {
        let ran = project.run(args).exits(2);
        let ran = ran.says("error[E0032]: the crate `bistro` is the project itself already");
        ran.says(&format!("1 | formwork {}", args.join(" ")));
    }
    assert_eq!(before, project.snapshot());
}
