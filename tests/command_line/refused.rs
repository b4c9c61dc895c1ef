//! Runs that are refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{json, project};

const MANIFEST: &str = "extensions/shop/resources/dishes.yaml";

/// The keys of an answer, but for `help`, which is there where there is any.
fn keys(answer: &Value) -> BTreeSet<&str> {
    let keys = answer.as_object().expect("an object").keys();
    keys.map(String::as_str)
        .filter(|key| *key != "help")
        .collect()
}

#[test]
fn programs_read_one_shape_whatever_was_refused() {
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
fn people_read_an_error_once_and_what_to_do_below_it() {
    let project = project();
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    title: string(40) required\n",
    );
    let ran = project.run(&["generate"]).exits(6);
    assert_eq!(ran.errors.matches("error: ").count(), 1, "{}", ran.errors);
    assert_eq!(ran.errors.matches("help: ").count(), 1, "{}", ran.errors);
}

#[test]
fn all_databases_that_cannot_be_are_named_at_once() {
    let project = project();
    let args = ["new", "other", "--database", "sqlite,oracle,postgres,db2"];
    let ran = project.run(&args).exits(2);
    let ran = ran.says("--database oracle").says("--database db2");
    ran.says("not yet: --database postgres");
    assert!(!project.has("other"));
}
