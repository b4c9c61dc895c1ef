//! Imports of a SQLite file: manifests of the user, options, refusals, the report for programs.

use formwork_tests::project::Project;

use crate::{SHOP, import, on_sqlite};

#[test]
fn a_manifest_of_ones_own_is_left_alone_and_a_deleted_one_stays_deleted() {
    let (database, project) = on_sqlite(SHOP);
    let [tags, boxes] = ["tags", "boxes"].map(|key| format!("extensions/app/resources/{key}.yaml"));
    let own = "name: Tags\ndescription: Mine\nmodel: { managed: false, attributes: { label: string required } }\n";
    project.write(&tags, own);
    import(&project, &database, &[])
        .exits(3)
        .says("no import wrote it: left as it is");
    assert_eq!(project.read(&tags), own);
    project.remove(&boxes);
    import(&project, &database, &[])
        .exits(3)
        .says("you deleted it");
    assert!(!project.has(&boxes));
}

#[test]
fn options_choose_tables_and_prefix() {
    let (database, project) = on_sqlite(
        "CREATE TABLE ti_menus (menu_id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE TABLE ti_other (id INTEGER PRIMARY KEY)",
    );
    let options = "--ext shop --prefix ti_ --tables ti_menus,ti_gone";
    let options: Vec<&str> = options.split(' ').collect();
    import(&project, &database, &options)
        .exits(0)
        .says("ti_gone: not imported: the database has no such table");
    let menus = project.read("extensions/shop/resources/menus.yaml");
    for part in [
        "table: ti_menus\n  key: menu_id\n",
        "actions: [\"index:admin\", \"show:admin\", \"store:admin\"",
    ] {
        assert!(menus.contains(part), "{menus}");
    }
    assert!(!project.has("extensions/shop/resources/others.yaml"));
}

#[test]
fn unreadable_databases_are_refused() {
    let project = Project::new("bistro");
    let before = project.snapshot();
    project
        .run(&["import", "--database-url", "oracle://x"])
        .exits(2)
        .says("unknown kind of database");
    let ran = project
        .run(&["import", "--database-url", "sqlite:///nowhere/shop.db"])
        .exits(1)
        .says("cannot read the database");
    let cause = "unable to open database file";
    assert_eq!(ran.errors.matches(cause).count(), 1, "{}", ran.errors);
    assert_eq!(before, project.snapshot());
}

#[test]
fn the_report_is_json_for_programs() {
    let (database, project) = on_sqlite(SHOP);
    let json = |ran: formwork_tests::project::Ran| -> serde_json::Value {
        serde_json::from_str(&ran.output).expect("JSON")
    };
    let report = json(import(&project, &database, &["--format", "json"]).exits(0));
    assert_eq!(report["command"], "import");
    assert_eq!(report["summary"]["created"], 12);
    let notices = report["notices"].as_array().expect("notices").iter();
    let mut notices = notices.filter_map(|one| one.as_str());
    assert!(
        notices.any(|text| text.starts_with("log: not imported")),
        "{report}"
    );
    let refused = ["import", "--database-url", "oracle://x", "--format", "json"];
    let refused = json(project.run(&refused).exits(2));
    for key in ["files", "summary", "mentions", "notices"] {
        assert!(!refused[key].is_null(), "{key}: {refused}");
    }
}
