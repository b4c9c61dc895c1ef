//! What is said, to people and to programs.

use std::process::Stdio;

use formwork_tests::project::Ran;
use serde_json::{Value, json};

use super::{CONTROLLER, DOCS, MANIFEST, MODEL, REQUEST, add_attribute, project};

#[test]
fn check_and_dry_run_list_the_changes_and_write_nothing() {
    let project = project();
    add_attribute(&project);
    let before = project.snapshot();
    project
        .run(&["generate", "--check"])
        .exits(5)
        .says("+    pub notes: Option<String>,")
        .says("formwork generate");
    project.run(&["generate", "--dry-run"]).exits(0).says(MODEL);
    project
        .run(&["generate", "--dry-run", "--diff"])
        .exits(0)
        .says("+    pub notes: Option<String>,");
    project.run(&["status"]).exits(0).says(MODEL);
    assert_eq!(before, project.snapshot());
}

#[test]
fn kept_files_are_listed_up_to_a_limit_and_counted_beyond_it() {
    let project = project();
    project.edit(DOCS, "# Dishes", "# Mine");
    project.edit(CONTROLLER, "/// Serves", "/// Mine: serves");
    project.remove(REQUEST);
    let ran = project.run(&["generate"]).exits(0);
    let ran = ran.says(DOCS).says(CONTROLLER).says(REQUEST);
    ran.says("2 kept, 1 stays deleted");
    for name in ["mod", "model", "repository", "transformer"] {
        let path = format!("extensions/shop/src/api_resources/dishes/{name}.rs");
        project.write(&path, &(project.read(&path) + "// mine\n"));
    }
    let ran = project.run(&["generate"]).exits(0);
    let output = ran.output.clone();
    ran.says("kept           6 files, as before").says(REQUEST);
    assert!(!output.contains(DOCS), "{output}");
    for args in [&["status"][..], &["generate", "--check"]] {
        let ran = project.run(args).exits(0);
        ran.says(DOCS).says(CONTROLLER).says(REQUEST);
    }
    // What the template moved on from is named.
    project.edit(MANIFEST, "page_limit: 20", "page_limit: 30");
    add_attribute(&project);
    let ran = project.run(&["generate"]).exits(0);
    ran.says(REQUEST).says("its template changed since");
}

/// Standard output, which must be one line of JSON.
fn json(ran: &Ran) -> Value {
    assert_eq!(ran.output.lines().count(), 1, "{}", ran.output);
    let answer: Value = serde_json::from_str(&ran.output).expect("JSON");
    assert_eq!(answer["version"], 1, "{answer}");
    assert_eq!(answer["exit"], ran.exit, "{answer}");
    for key in ["errors", "diagnostics"] {
        assert!(answer[key].is_array(), "{key}: {answer}");
    }
    answer
}

#[test]
fn every_answer_for_programs_has_one_shape() {
    let project = project();
    let ask = |args: &[&str], exit: i32| {
        let args = [args, &["--format", "json"]].concat();
        json(&project.run(&args).exits(exit))
    };
    assert_eq!(ask(&["manifest", "check"], 0)["command"], "manifest check");
    assert_eq!(ask(&["generate"], 0)["diagnostics"], json!([]));
    assert_eq!(ask(&["status"], 0)["command"], "status");
    assert!(ask(&["templates", "list"], 0)["templates"].is_array());
    assert!(ask(&["templates", "diff"], 0)["templates"].is_array());

    // A warning is part of the answer, and no line of its own.
    project.edit(MANIFEST, "\"store:admin\"", "store");
    for args in [&["generate", "--dry-run"][..], &["manifest", "check"]] {
        let answer = ask(args, 0);
        assert_eq!(answer["diagnostics"][0]["severity"], "warning", "{answer}");
    }
    let refused = ask(&["generate", "--restore", "nothing"], 2);
    assert!(
        refused["errors"][0]
            .as_str()
            .expect("an error")
            .contains("--restore nothing"),
        "{refused}"
    );

    project.edit(MANIFEST, "actions:", "actoins:");
    for args in [&["generate"][..], &["manifest", "check"], &["status"]] {
        let answer = ask(args, 2);
        assert_eq!(answer["diagnostics"][0]["path"], MANIFEST, "{answer}");
        assert_eq!(answer["errors"], json!([]));
    }
}

#[test]
fn a_closed_pipe_ends_the_printing_and_not_the_run() {
    let project = project();
    for args in [
        &["completions", "bash"][..],
        &["man"],
        &["manifest", "schema"],
        &["manifest", "check"],
        &["templates", "list"],
        &["status"],
        &["generate", "--dry-run", "--restore"],
        &["--help"],
    ] {
        let mut command = formwork_tests::formwork();
        command.args(args).current_dir(project.root());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("formwork starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("a process ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), said.as_ref()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_device_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut command = formwork_tests::formwork();
    command.args(["completions", "bash"]);
    let output = command.stdout(full.expect("/dev/full")).output();
    let output = output.expect("formwork starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot print"), "{said}");
}

#[test]
fn the_words_for_a_file_are_the_same_wherever_it_is_looked_at() {
    let project = project();
    project.edit(DOCS, "# Dishes", "# Mine");
    project.remove(REQUEST);
    let manifest = project.read(MANIFEST);
    add_attribute(&project);
    project.write(CONTROLLER, "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n");
    let words = |args: &[&str]| {
        let answer = json(&project.run(&[args, &["--format", "json"]].concat()));
        let files = answer["files"].as_array().expect("files").iter();
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let words = files.map(|file| (text(&file["path"]), text(&file["class"])));
        (words.collect::<Vec<_>>(), answer)
    };
    let (checked, answer) = words(&["generate", "--check"]);
    let (looked_at, _) = words(&["status"]);
    assert_eq!(checked, looked_at);
    for (path, class) in &checked {
        assert!(
            answer["summary"][class].as_u64() > Some(0),
            "{path}: {answer}"
        );
    }
    let check = project.run(&["generate", "--check"]).exits(4);
    check.says("conflicted  ").says("1 conflicted");
    let status = project.run(&["status"]).exits(0);
    assert!(
        !status.output.contains("nothing was written"),
        "{}",
        status.output
    );

    // Commands in JSON can be run, and a command for several classes is printed once.
    project.remove(CONTROLLER);
    project.run(&["generate", "--restore", CONTROLLER]).exits(0);
    project.write(
        MANIFEST,
        &manifest.replace("page_limit: 20", "page_limit: 30"),
    );
    let (_, answer) = words(&["status"]);
    let files = answer["files"].as_array().expect("files");
    let hint = |path: &str| {
        files
            .iter()
            .find(|file| file["path"] == path)
            .map(|file| &file["hint"])
    };
    let restore = format!("formwork generate --restore {REQUEST}");
    assert_eq!(hint(REQUEST), Some(&Value::from(restore)));
    let ran = project
        .run(&["generate", "--dry-run", "--allow-destructive"])
        .exits(0);
    assert_eq!(
        ran.output
            .matches("the same command without --dry-run")
            .count(),
        1,
        "{}",
        ran.output
    );
    ran.says("page_limit changed");
}

#[test]
fn the_reason_names_the_key_or_the_template() {
    const MODEL: &str = "extensions/shop/src/api_resources/dishes/model.rs";
    const TEMPLATE: &str = "resource/model.rs.tera";
    let project = project();
    let manifest = project.read(MANIFEST);
    let price = "    price: decimal(15,4) required|min:0\n";
    let attribute = |line: &str| manifest.replace(price, line);

    project.write(
        MANIFEST,
        &attribute(&format!("{price}    notes: text nullable\n")),
    );
    let check = project.run(&["generate", "--check"]).exits(5);
    check.says(&format!("{MODEL}  model.attributes.notes is new\n"));
    let answer = json(&project.run(&["status", "--format", "json"]));
    let files = answer["files"].as_array().expect("files");
    let model = files.iter().find(|file| file["path"] == MODEL);
    let keys = model.map(|file| &file["keys"]);
    assert_eq!(keys, Some(&serde_json::json!(["model.attributes.notes"])));

    project.write(MANIFEST, &attribute(""));
    let ran = project.run(&["generate", "--dry-run", "--allow-destructive"]);
    ran.says(&format!("{MODEL}  model.attributes.price is gone\n"));

    project.write(MANIFEST, &manifest);
    project.run(&["templates", "eject", TEMPLATE]).exits(0);
    let own = format!("templates/{TEMPLATE}");
    project.write(&own, &format!("// Ours.\n{}", project.read(&own)));
    let changed = "the template resource/model.rs changed";
    let ran = project.run(&["generate", "--dry-run"]).exits(0);
    ran.says(&format!("{MODEL}  {changed}\n"));
    project.write(MANIFEST, &attribute(&price.replace("min:0", "min:1")));
    project.write(
        MANIFEST,
        &format!(
            "{}\n",
            project
                .read(MANIFEST)
                .trim_end()
                .replace("title: string", "title: text")
        ),
    );
    let ran = project.run(&["generate", "--dry-run"]);
    ran.says(&format!("{MODEL}  {changed}; model.attributes."));

    // A project of the version before does not know the manifest of its last render.
    project.remove(".formwork/manifests/shop.dishes.yaml");
    let ran = project.run(&["generate", "--dry-run"]);
    ran.says(&format!("{MODEL}  {changed}; its manifest changed\n"));
}

#[test]
fn edited_files_that_say_a_former_name_are_listed_with_their_lines() {
    let project = project();
    let controller = project.read(CONTROLLER);
    let edited = format!(
        "{controller}\n// The title, not the subtitle.\nconst SQL: &str = \"SELECT title\";\n"
    );
    project.write(CONTROLLER, &edited);
    let line = controller.lines().count() + 2;
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    label: { type: string, rules: required, was: title }\n",
    );
    let dry = json(
        &project
            .run(&["generate", "--dry-run", "--format", "json"])
            .exits(0),
    );
    let ran = project.run(&["generate"]).exits(0);
    let expected: Vec<Value> = [line, line + 1]
        .map(|line| json!({ "path": CONTROLLER, "line": line, "name": "title", "now": "label" }))
        .to_vec();
    assert_eq!(dry["mentions"], Value::Array(expected));
    ran.says(&format!(
        "still names title  {CONTROLLER}:{line}  its name is label now"
    ));
    let again = project.run(&["generate"]).exits(0);
    assert!(!again.output.contains("still names"), "{}", again.output);

    let (from, to) = (MANIFEST, "extensions/shop/resources/plates.yaml");
    project.write(to, &format!("was: dishes\n{}", project.read(from)));
    project.remove(from);
    let text = project.read(CONTROLLER) + "// Of dishes.\n";
    project.write(CONTROLLER, &text);
    let ran = project.run(&["generate"]).exits(0);
    ran.says("still names dishes")
        .says("its name is plates now");
}

#[test]
fn files_of_ones_own_that_say_a_former_name_are_listed() {
    let project = project();
    let (module, page) = ("extensions/shop/src/totals.rs", "tests/notes.md");
    project.write(
        module,
        "const SQL: &str =\n    \"SELECT title FROM dishes\";\n",
    );
    project.write(page, "Each title, not each subtitle.\n");
    let migration = "extensions/shop/migrations/sqlite/20200101000000_own.sql";
    for other in [migration, "data/seed.sql", "src/title.bin"] {
        project.write(other, "-- The title.\n");
    }
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    label: { type: string, rules: required, was: title }\n",
    );
    let dry = project.run(&["generate", "--dry-run", "--format", "json"]);
    let mention =
        |path, line| json!({ "path": path, "line": line, "name": "title", "now": "label" });
    assert_eq!(
        json(&dry)["mentions"],
        json!([mention(module, 2), mention(page, 1)])
    );
    project.run(&["generate"]).says(&format!(
        "still names title  {module}:2  its name is label now"
    ));
}

#[test]
fn edited_files_that_say_the_former_name_of_a_relation_are_listed() {
    let project = project();
    let relation = "    parent: { belongs_to: dishes, column: parent_id, nullable: true }\n";
    let relations = format!("  relations:\n{relation}  attributes:\n");
    project.edit(MANIFEST, "  attributes:\n", &relations);
    project.run(&["generate"]).exits(0);
    let line = project.read(CONTROLLER).lines().count() + 1;
    let text = project.read(CONTROLLER) + "// Includes parent.\n";
    project.write(CONTROLLER, &text);
    project.edit(
        MANIFEST,
        relation,
        "    main: { belongs_to: dishes, column: parent_id, nullable: true, was: parent }\n",
    );
    let ran = project.run(&["generate"]).exits(0);
    ran.says(&format!(
        "still names parent  {CONTROLLER}:{line}  its name is main now"
    ));
    project.edit(MANIFEST, "was: parent", "include: true");
    let later = project.run(&["generate"]).exits(0);
    assert!(!later.output.contains("still names"), "{}", later.output);
}
