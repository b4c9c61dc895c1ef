//! `generate --amend`: before anybody ran it, a migration is a draft.

use std::path::Path;

use formwork_tests::printed;
use formwork_tests::project::Project;
use formwork_tests::server::Database;

use super::{json, project};

const ORDERS: &str = "extensions/shop/resources/orders.yaml";
const FOLDER: &str = "extensions/shop/migrations/sqlite";

/// A project in which `dishes` is committed, and `orders` is not.
fn drafted() -> Project {
    let project = project();
    // `--amend` builds it, too.
    project.share_features();
    project.begin_repository();
    project
        .run(&["generate", "shop", "orders", "title:string:required"])
        .exits(0);
    project
}

fn migrations(project: &Project) -> Vec<String> {
    let entries = std::fs::read_dir(project.root().join(FOLDER)).expect("migrations");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn amend_is_offered_only_where_it_helps() {
    let project = drafted();
    project.edit(
        ORDERS,
        "    title: string required\n",
        "    title: integer required\n",
    );
    let ran = project.run(&["generate"]).exits(6);
    ran.says("help: ")
        .says("_create_orders and later ones are not committed")
        .says("the same command with `--amend` replaces them");
    let answer = json(&project.run(&["generate", "--format", "json"]).exits(6));
    assert_eq!(answer["help"].as_array().map(Vec::len), Some(2), "{answer}");

    // What is committed is never rewritten.
    project.commit("change");
    let before = migrations(&project);
    let ran = project.run(&["generate"]).exits(6);
    assert!(!ran.errors.contains("--amend"), "{}", ran.errors);
    let ran = project.run(&["generate", "--amend"]).exits(6);
    assert!(!ran.errors.contains("--amend"), "{}", ran.errors);
    assert_eq!(migrations(&project), before);

    // A draft beside it makes no difference.
    project
        .run(&["generate", "shop", "wines", "title:string"])
        .exits(0);
    let ran = project.run(&["generate"]).exits(6);
    assert!(!ran.errors.contains("--amend"), "{}", ran.errors);
}

#[test]
fn amend_is_refused_without_git_and_for_edited_drafts() {
    let project = project();
    let ran = project.run(&["generate", "--amend"]).exits(2);
    ran.says("--amend needs git");

    let project = drafted();
    project.edit(
        ORDERS,
        "    title: string required\n",
        "    title: integer required\n",
    );
    let path = migrations(&project).pop().expect("a migration");
    let path = format!("{FOLDER}/{path}");
    project.write(&path, &(project.read(&path) + "-- Mine.\n"));
    let before = project.snapshot();
    let ran = project.run(&["generate", "--amend"]).exits(2);
    ran.says(&path).says("edited by hand");
    assert!(before == project.snapshot());
}

#[test]
fn drafts_become_one_migration_until_a_database_has_run_them() {
    let project = drafted();
    let amend = ["generate", "--amend"];
    let before = project.snapshot();
    project.run(&amend).exits(0);
    assert_eq!(
        before,
        project.snapshot(),
        "nothing is replaced by the same"
    );

    project
        .run(&["generate", "shop", "orders", "note:text:nullable"])
        .exits(0);
    assert_eq!(migrations(&project).len(), 3);
    project.edit(
        ORDERS,
        "    title: string required\n",
        "    title: integer required\n",
    );
    let before = migrations(&project);
    project.run(&["generate", "--amend", "--check"]).exits(5);
    assert_eq!(migrations(&project), before);
    project.run(&amend).exits(0).says("_create_orders.sql");
    let after = migrations(&project);
    assert_eq!((after.len(), &after[0]), (2, &before[0]), "{after:?}");
    assert!(
        !before.contains(&after[1]),
        "a version is given once: {after:?}"
    );
    let sql = project.read(&format!("{FOLDER}/{}", after[1]));
    let (up, _) = sql.split_once("-- down").expect("what undoes it");
    let create = up.contains("CREATE TABLE \"orders\"") && !up.contains("DROP");
    assert!(
        create && sql.contains("\"title\" INTEGER") && sql.contains("\"note\""),
        "{sql}"
    );
    let listed = project.read("extensions/shop/src/migrations.rs");
    assert_eq!(listed.matches("create_orders").count(), 2, "{listed}");
    project.run(&["generate", "--check"]).exits(0);

    printed(&mut project.cargo(&["run", "--quiet", "--", "migrate"]));
    project.edit(
        ORDERS,
        "    title: integer required\n",
        "    title: string required\n",
    );
    // SQLite may fold its log into the database whenever a connection closes.
    let files = || {
        let all = project.snapshot().into_iter();
        let own = all.filter(|(path, _, _)| !path.to_string_lossy().contains(".sqlite"));
        own.collect::<Vec<_>>()
    };
    let before = files();
    let ran = project.run(&amend).exits(2);
    ran.says("has run in the project's database");
    assert_eq!(before, files());
}

#[test]
fn a_kind_that_was_added_since_the_last_commit_gets_its_tables_again() {
    let project = drafted();
    let kinds = "kinds: [sqlite, postgres, mysql]";
    project.edit("formwork.yaml", "kinds: [sqlite]", kinds);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    assert_eq!(migrations(&project).len(), 4, "each table once more");
    project.run(&["generate", "--amend"]).exits(0);
    let before = project.snapshot();
    project.run(&["generate", "--amend"]).exits(0);
    assert!(
        before == project.snapshot(),
        "nothing is replaced by the same"
    );

    project.edit(
        ORDERS,
        "    title: string required\n",
        "    title: integer required\n",
    );
    project.run(&["generate"]).exits(6).says("with `--amend`");
    project.run(&["generate", "--amend"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    let names = migrations(&project);
    let bare = names.iter().filter_map(|name| name.split_once('_'));
    let bare: Vec<&str> = bare.map(|(_, name)| name).collect();
    assert_eq!(
        bare,
        [
            "create_dishes.sql",
            "create_dishes.sql",
            "create_orders.sql"
        ]
    );
    let creates = |kind: &str| {
        let read = |name: &String| {
            let text = project.read(&format!("extensions/shop/migrations/{kind}/{name}"));
            (text.matches("CREATE TABLE").count(), text)
        };
        names.iter().map(read).unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let (sqlite, _) = creates("sqlite");
    let (mysql, texts) = creates("mysql");
    assert_eq!((sqlite, mysql), (vec![1, 0, 1], vec![0, 1, 1]));
    assert!(texts[2].contains("`title` INT NOT NULL"), "{}", texts[2]);
    let listed = project.read("extensions/shop/src/migrations.rs");
    assert_eq!(listed.matches("\"mysql\"").count(), 3, "{listed}");
}

#[test]
fn a_draft_that_ran_in_part_is_not_replaced() {
    let Some(database) = Database::on("mysql") else {
        return;
    };
    let url = database.url();
    let migrate = |project: &Project| {
        let mut migrate = project.cargo(&["run", "--quiet", "--", "migrate"]);
        migrate
            .env("DATABASE_URL", &url)
            .output()
            .expect("cargo starts")
    };
    // In an extension that no other project has.
    let project = Project::new_on("bistro", "sqlite,postgres,mysql");
    let make = ["generate", "resource", "cellar", "dishes"];
    let title = ["title:string:required|unique"];
    project.run(&[&make[..], &title].concat()).exits(0);
    project.share_features();
    project.begin_repository();
    let done = migrate(&project);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");

    database.run("DROP INDEX dishes_title_unique ON dishes");
    let dishes = "extensions/cellar/resources/dishes.yaml";
    let table = "model:\n  table: { name: plates, was: dishes }\n";
    project.edit(dishes, "model:\n", table);
    project.run(&["generate"]).exits(0);
    let failed = migrate(&project);
    let errors = String::from_utf8_lossy(&failed.stderr);
    assert!(errors.contains("statement 2 of 2"), "{errors}");

    project.edit(dishes, "name: plates", "name: bowls");
    let before = project.snapshot();
    let variables = [("DATABASE_URL", Path::new(&url))];
    let ran = project.run_with(&["generate", "--amend"], &variables);
    ran.exits(2)
        .says("_rename_dishes_to_plates has run in the project's database");
    assert!(before == project.snapshot());
}
