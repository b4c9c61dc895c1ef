//! The same command after the database changed.

use formwork_cli::apply::disk::OsDisk;
use formwork_cli::apply::journal::{Journal, Step};
use formwork_cli::digest::Digest;
use formwork_tests::project::Project;
use formwork_tests::server::Database;

use crate::{import, key, on_sqlite};

#[test]
fn a_changed_table_is_merged_and_edits_stay() {
    for (kind, database) in Database::each() {
        merges(kind, &database);
    }
}

fn merges(kind: &str, database: &Database) {
    let key = key(kind);
    database.run(&format!(
        "CREATE TABLE tags ({key}, label VARCHAR(40) NOT NULL, stars INTEGER DEFAULT 5, body VARCHAR(40), \
         note VARCHAR(40), colour VARCHAR(12), since DATE); \
         CREATE TABLE comments ({key}, body VARCHAR(40) NOT NULL)"
    ));
    let project = Project::new_on("bistro", kind);
    import(&project, database, &[]).exits(0).says("2 created");
    import(&project, database, &["--check"]).exits(0);
    let path = "extensions/app/resources/tags.yaml";
    project.edit(path, "Rows of the table tags", "A word about a dish");
    project.edit(path, "      default: 5\n", "      default: 7\n");
    import(&project, database, &["--check"]).exits(0);

    // A table that is only dropped is drift.
    database.run("DROP TABLE comments");
    import(&project, database, &["--check"])
        .exits(5)
        .says("extensions/app/resources/comments.yaml  its table is not in the database any more");
    import(&project, database, &[]).exits(3).says("1 orphaned");
    project
        .run(&["destroy", "resource", "app", "comments"])
        .exits(0);
    import(&project, database, &[]).exits(0);
    assert!(!project.has(".formwork/imported/app.comments.yaml"));
    import(&project, database, &["--check"]).exits(0);

    database.run(
        "ALTER TABLE tags ADD COLUMN weight INTEGER; ALTER TABLE tags DROP COLUMN colour; \
         ALTER TABLE tags RENAME COLUMN since TO first_day",
    );
    let before = project.snapshot();
    let columns = "new columns: `first_day`, `weight`; dropped columns: `colour`, `since`";
    import(&project, database, &["--check"])
        .exits(5)
        .says(columns);
    assert_eq!(before, project.snapshot(), "--check writes nothing");
    import(&project, database, &[])
        .exits(0)
        .says("your edits are kept")
        .says(columns);
    let tags = project.read(path);
    for part in [
        "A word about a dish",
        "    weight:\n",
        "    first_day:\n",
        "default: 7\n",
    ] {
        assert!(tags.contains(part), "{part}: {tags}");
    }
    for part in ["colour", "since"] {
        assert!(!tags.contains(part), "{part}: {tags}");
    }
    let before = project.snapshot();
    import(&project, database, &[]).exits(0);
    assert_eq!(before, project.snapshot(), "a second import writes nothing");
}

#[test]
fn an_unselected_table_is_distinguished_from_a_dropped_one() {
    let (database, project) = on_sqlite(
        "CREATE TABLE dishes (id INTEGER PRIMARY KEY); CREATE TABLE tags (id INTEGER PRIMARY KEY); \
         CREATE TABLE dish_tags (id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dishes(id), \
         tag_id INTEGER REFERENCES tags(id), note TEXT); \
         CREATE TABLE logs (id INTEGER PRIMARY KEY, line TEXT)",
    );
    import(&project, &database, &[]).exits(0).says("4 created");
    database.run(
        "DROP TABLE logs; CREATE TABLE logs (line TEXT); DROP TABLE dish_tags; \
         CREATE TABLE dish_tags (dish_id INTEGER REFERENCES dishes(id), tag_id INTEGER REFERENCES tags(id), \
         PRIMARY KEY (dish_id, tag_id))",
    );
    import(&project, &database, &["--check"])
        .exits(5)
        .says("logs.yaml  its table is not imported any more: it has no primary key")
        .says("dish_tags.yaml  its table is not imported any more: a pivot table, imported as a `many_to_many` relation");
}

#[test]
fn a_resource_that_becomes_a_supporting_model_is_moved_with_its_edits() {
    let database = Database::sqlite();
    let items = |key: &str, unique: &str| {
        format!(
            "CREATE TABLE order_items ({key}order_id INTEGER NOT NULL REFERENCES orders(id), \
             product_id INTEGER NOT NULL REFERENCES products(id), quantity INTEGER NOT NULL{unique})"
        )
    };
    let resource = items("id INTEGER PRIMARY KEY, ", "");
    let model = items("", ", PRIMARY KEY (order_id, product_id)");
    database.run(&format!(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY); CREATE TABLE products (id INTEGER PRIMARY KEY); {resource}"
    ));
    let project = Project::new("bistro");
    import(&project, &database, &[]).exits(0);
    project.run(&["generate"]).exits(0);
    let (of_resource, of_model) = (
        "extensions/app/resources/order_items.yaml",
        "extensions/app/models/order_items.yaml",
    );
    let edit = "description: What was ordered";
    project.edit(
        of_resource,
        "description: Rows of the table order_items",
        edit,
    );
    for (sql, from, to) in [
        (&model, of_resource, of_model),
        (&resource, of_model, of_resource),
    ] {
        database.run(&format!("DROP TABLE order_items; {sql}"));
        import(&project, &database, &["--check"]).exits(5);
        import(&project, &database, &[])
            .exits(0)
            .says("its table is now a ");
        assert!(!project.has(from), "{from}");
        let text = project.read(to);
        assert!(text.contains(edit), "{text}");
        assert_eq!(text.contains("actions:"), to == of_resource, "{text}");
        import(&project, &database, &["--check"]).exits(0);
        project.run(&["manifest", "check"]).exits(0);
        project.run(&["generate"]);
    }
}

#[test]
fn keys_stay_with_their_tables() {
    let (database, project) = on_sqlite("CREATE TABLE menus (id INTEGER PRIMARY KEY, title TEXT)");
    import(&project, &database, &[]).exits(0);
    // It would be `menus`, and comes first.
    database.run("CREATE TABLE menu (id INTEGER PRIMARY KEY, price INTEGER)");
    import(&project, &database, &[])
        .exits(0)
        .says("1 created, 1 unchanged");
    let table = |key: &str| project.read(&format!("extensions/app/resources/{key}.yaml"));
    assert!(table("menus").contains("table: menus\n"));
    assert!(table("menu_2").contains("table: menu\n"));
    project.run(&["manifest", "check"]).exits(0);
    let before = project.snapshot();
    import(&project, &database, &["--prefix", "men"]).exits(0);
    assert_eq!(before, project.snapshot(), "a prefix cuts new names alone");
}

#[test]
fn a_manifest_with_another_key_follows_its_table() {
    let (database, project) = on_sqlite("CREATE TABLE loose (id INTEGER PRIMARY KEY, title TEXT)");
    import(&project, &database, &[]).exits(0);
    let (old, new) = (
        "extensions/app/resources/looses.yaml",
        "extensions/app/resources/loose_things.yaml",
    );
    project.write(new, &project.read(old));
    project.remove(old);
    database.run("ALTER TABLE loose ADD COLUMN amount INTEGER");
    import(&project, &database, &[])
        .exits(0)
        .says("new columns: `amount`");
    assert!(!project.has(old) && project.read(new).contains("amount:"));
    assert!(!project.has(".formwork/imported/app.looses.yaml"));
    import(&project, &database, &["--check"]).exits(0);
}

#[test]
fn a_check_reports_a_killed_import_and_the_next_import_finishes_it() {
    let (database, project) =
        on_sqlite("CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT NOT NULL)");
    import(&project, &database, &[]).exits(0);
    let path = "extensions/app/resources/tags.yaml";
    let before = project.read(path);
    let after = format!("{before}# Written by the run that was killed.\n");

    // As a run leaves the project that is killed right after its record became binding.
    let journal = Journal::of(project.root(), &OsDisk);
    journal.open().expect("a journal");
    journal
        .stage(0, after.as_bytes(), None)
        .expect("a staged file");
    let step = Step {
        path: path.to_owned(),
        before: Some(Digest::of(&before)),
        after: Some(Digest::of(&after)),
    };
    journal.commit(&[step]).expect("a record");

    import(&project, &database, &["--check"])
        .exits(5)
        .says("a run was interrupted while it wrote");
    assert_eq!(project.read(path), before);
    import(&project, &database, &[])
        .exits(0)
        .says("an interrupted run was finished first");
    assert_eq!(project.read(path), after);
    import(&project, &database, &["--check"]).exits(0);
}
