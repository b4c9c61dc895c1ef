//! A SQLite file without a manifest: what is written, merged and refused.

use formwork_tests::project::Project;

use crate::database;

/// Tables of every kind, with rows in them.
pub const SHOP: &str = include_str!("shop.sql");

/// A project, the URL of a shop's file, and the folder of that file.
pub fn shop() -> (Project, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let url = database::sqlite(&folder.path().join("shop.db"), SHOP);
    (Project::new("bistro"), url, folder)
}

fn manifest(project: &Project, key: &str) -> String {
    project.read(&format!("extensions/app/resources/{key}.yaml"))
}

#[test]
fn tables_become_manifests_without_a_mistake() {
    let (project, url, _folder) = shop();
    let ran = project.run(&["import", "--database-url", &url]).exits(0);
    let ran = ran
        .says("log: not imported: it has no primary key")
        .says("odd name: not imported: ");
    ran.says("customers: looks like accounts")
        .says("customers: guessed, and explained in its manifest: accounts, created_at, email, password, remember_token, orders\n")
        .says("dish_tag: a pivot");
    project
        .run(&["manifest", "check"])
        .exits(0)
        .says("11 resources, 1 supporting model");
    let dishes = manifest(&project, "dishes");
    for line in [
        "  managed: false\n",
        "      type: \"enum(open, sold out)\"\n      default: \"open\"\n",
        "      type: boolean\n      default: true\n",
        "      rules: \"min:0\"\n",
        "      belongs_to: categories\n      column: category_id\n",
        "      many_to_many: tags\n      pivot: dish_tag\n",
        "      value: \"App\\\\Models\\\\Dish\"\n",
        "    doubled:\n      type: float\n      nullable: true\n      access: read_only\n      set_by: database\n",
    ] {
        assert!(dishes.contains(line), "{line}\n{dishes}");
    }
    assert!(!dishes.contains("timestamps: false"), "{dishes}");
    let customers = manifest(&project, "customers");
    assert_eq!(
        customers.matches("access: hidden").count(),
        2,
        "{customers}"
    );
    for guess in [
        "# Guessed from the columns: accounts, whose rows only administrators read.\n",
        "# Guessed from the names: the service sets `created_at` and `updated_at`.\n",
        "    # Guessed from the name: an e-mail address.\n    email:\n",
        "    # Guessed from the name of `orders.customer_id`.\n    orders:\n      has_many: orders\n",
    ] {
        assert!(customers.contains(guess), "{guess}\n{customers}");
    }
    let orders = manifest(&project, "orders");
    assert!(
        orders.contains("# Guessed from the name: the database has no foreign key"),
        "{orders}"
    );
    assert!(orders.contains("# No `destroy`: `deleted_at`"), "{orders}");
    assert!(!orders.contains("destroy:admin"), "{orders}");
    let view = manifest(&project, "open_dishes");
    assert!(
        view.contains("actions: [\"index:admin\", \"show:admin\"]"),
        "{view}"
    );
    let between = project.read("extensions/app/models/dish_suppliers.yaml");
    assert!(
        between.contains("  key: { name: supplier_id, with: [dish_id] }\n"),
        "{between}"
    );
    let boxes = manifest(&project, "boxes");
    assert!(
        boxes
            .contains("# Read only: the table has no primary key of one column. Its key is `code`"),
        "{boxes}"
    );
}

#[test]
fn columns_without_a_type_get_that_of_their_rows() {
    let (project, url, _folder) = shop();
    project.run(&["import", "--database-url", &url]).exits(0);
    let loose = manifest(&project, "looses");
    assert!(loose.contains("name:\n      type: text\n"), "{loose}");
    assert!(loose.contains("amount:\n      type: float\n"), "{loose}");
    assert!(
        loose.contains(
            "# Left out: `mixed` (): rows hold values of several types: integer, text.\n"
        ),
        "{loose}"
    );
}

#[test]
fn a_manifest_of_ones_own_is_left_alone_and_a_deleted_one_stays_deleted() {
    let (project, url, _folder) = shop();
    let own = "name: Tags\ndescription: Mine\nmodel: { managed: false, attributes: { label: string required } }\n";
    project.write("extensions/app/resources/tags.yaml", own);
    let import = ["import", "--database-url", &url];
    project
        .run(&import)
        .exits(3)
        .says("no import wrote it: left as it is");
    assert_eq!(manifest(&project, "tags"), own);
    project.remove("extensions/app/resources/boxes.yaml");
    project.run(&import).exits(3).says("you deleted it");
    assert!(!project.has("extensions/app/resources/boxes.yaml"));
}

#[test]
fn options_choose_tables_and_prefix() {
    let folder = tempfile::tempdir().expect("a folder");
    let sql = "CREATE TABLE ti_menus (menu_id INTEGER PRIMARY KEY, name TEXT NOT NULL); CREATE TABLE ti_other (id INTEGER PRIMARY KEY)";
    let url = database::sqlite(&folder.path().join("a.db"), sql);
    let project = Project::new("bistro");
    let ran = project.run(&[
        "import",
        "--database-url",
        &url,
        "--ext",
        "shop",
        "--prefix",
        "ti_",
        "--tables",
        "ti_menus,ti_gone",
    ]);
    ran.exits(0)
        .says("ti_gone: not imported: the database has no such table");
    let menus = project.read("extensions/shop/resources/menus.yaml");
    assert!(
        menus.contains("table: ti_menus\n  key: menu_id\n"),
        "{menus}"
    );
    assert!(
        menus.contains("actions: [\"index:admin\", \"show:admin\", \"store:admin\""),
        "{menus}"
    );
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
    let (project, url, _folder) = shop();
    let ran = project
        .run(&["import", "--database-url", &url, "--format", "json"])
        .exits(0);
    let report: serde_json::Value = serde_json::from_str(&ran.output).expect("JSON");
    assert_eq!(report["command"], "import");
    assert_eq!(report["summary"]["created"], 12);
    let refused = ["import", "--database-url", "oracle://x", "--format", "json"];
    let refused = project.run(&refused).exits(2);
    let refused: serde_json::Value = serde_json::from_str(&refused.output).expect("JSON");
    for key in ["files", "summary", "mentions", "notices"] {
        assert!(!refused[key].is_null(), "{key}: {refused}");
    }
    let notices = report["notices"].as_array().expect("notices");
    assert!(notices.iter().any(|one| {
        one.as_str()
            .is_some_and(|text| text.starts_with("log: not imported"))
    }));
}
