//! The commands that reports name: each of them works.

use std::process::Command;

use formwork_tests::formwork;
use formwork_tests::project::Project;
use serde_json::Value;

use crate::on_sqlite;

/// The files of a run's report.
fn files(project: &Project, args: &[&str]) -> Vec<Value> {
    let ran = project.run(&[args, &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&ran.output).expect("JSON");
    report["files"].as_array().expect("files").clone()
}

/// Runs a command of a report in the project, as a shell does.
fn obey(project: &Project, hint: &Value) {
    let hint = hint.as_str().expect("a hint");
    let program = formwork().get_program().to_owned();
    let folder = std::path::Path::new(&program).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let status = Command::new("sh")
        .args(["-c", hint])
        .current_dir(project.root())
        .env("PATH", format!("{}:{path}", folder.display()))
        .status();
    assert!(status.expect("a shell").success(), "{hint}");
}

#[test]
fn each_hint_of_an_import_is_a_command_that_works() {
    let (database, project) = on_sqlite(
        "CREATE TABLE dishes (id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE tags (id INTEGER PRIMARY KEY)",
    );
    let url = database.url();
    let import = ["import", "--database-url", &url];
    let check = [&import[..], &["--check"]].concat();
    let one = |args: &[&str], class: &str| {
        let files = files(&project, args);
        let found = files.into_iter().find(|file| file["class"] == class);
        found.unwrap_or_else(|| panic!("no file is {class}"))["hint"].clone()
    };
    let is_settled = || drop(project.run(&check).exits(0));

    obey(&project, &one(&check, "missing"));
    is_settled();
    let dry_run = [&import[..], &["--dry-run"]].concat();
    database.run("ALTER TABLE dishes ADD COLUMN price INTEGER");
    obey(&project, &one(&dry_run, "updated"));
    is_settled();

    project.remove("extensions/app/resources/tags.yaml");
    obey(&project, &one(&import, "stays_deleted"));
    project.run(&import).exits(0).says("1 created");
    is_settled();

    project.write(
        "extensions/app/resources/tags.yaml",
        "name: Tags\nmodel: { managed: false }\n",
    );
    project.remove(".formwork/imported/app.tags.yaml");
    obey(&project, &one(&import, "conflicted"));
    project.run(&import).exits(0).says("1 created");
    is_settled();

    let path = "extensions/app/resources/dishes.yaml";
    project.edit(
        path,
        "    price:\n      type: bigint\n",
        "    price:\n      type: integer\n",
    );
    database.run(
        "ALTER TABLE dishes DROP COLUMN price; ALTER TABLE dishes ADD COLUMN price VARCHAR(9)",
    );
    assert!(
        files(&project, &check)
            .iter()
            .all(|file| file["class"] == "conflicted")
    );
    let hint = one(&check, "conflicted");
    let shown = project.run(&import).exits(3).says("then import again");
    assert!(
        !shown.output.contains("formwork generate"),
        "{}",
        shown.output
    );
    assert!(project.read(path).contains("<<<<<<<"));
    assert_eq!(
        hint,
        format!("formwork import --database-url {}", database.url())
    );
    project.run(&import).exits(4).says("then import again");
    project.remove(path);
    obey(&project, &one(&import, "stays_deleted"));
    project.run(&import).exits(0);

    database.run("DROP TABLE tags");
    obey(&project, &one(&check, "orphaned"));
    is_settled();
}

#[test]
fn a_destroy_that_only_looks_names_itself() {
    let project = Project::new("bistro");
    project.add("dishes", &["title:string"]);
    let destroy = ["destroy", "resource", "shop", "dishes", "--dry-run"];
    let files = files(&project, &destroy);
    let deleted = files.iter().filter(|file| file["class"] == "deleted");
    let hints: Vec<&Value> = deleted.map(|file| &file["hint"]).collect();
    assert!(hints.len() > 3, "{files:?}");
    assert!(
        hints
            .iter()
            .all(|hint| *hint == "formwork destroy resource shop dishes"),
        "{hints:?}"
    );
    obey(&project, hints[0]);
    assert!(!project.has("extensions/shop/resources/dishes.yaml"));
}

#[test]
fn a_resource_is_made_where_the_project_has_the_name_of_the_extension() {
    let project = Project::new("bistro");
    let folder = project.root().parent().expect("a folder");
    std::fs::rename(project.root(), folder.join("shop")).expect("another name");
    let made = formwork()
        .args([
            "--project",
            "shop",
            "generate",
            "shop",
            "dishes",
            "title:string",
        ])
        .current_dir(folder)
        .output()
        .expect("formwork starts");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    assert!(
        folder
            .join("shop/extensions/shop/resources/dishes.yaml")
            .is_file()
    );
}
