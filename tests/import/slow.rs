//! Databases with slow views: looks at rows have a time of their own, and the import goes on without them.

use formwork_tests::project::Project;

use crate::database::Scratch;

/// An import that may look at rows for one second; returns the manifest of the slow view.
fn import(kind: &str, database: &Scratch) -> String {
    let project = Project::new_on("slow", kind);
    let url = ["import", "--database-url", database.url()];
    let all = [&url[..], &["--look-seconds", "1"]].concat();
    let ran = project.run(&all).exits(0);
    ran.says("slow: No time was left to look at its rows (`--look-seconds`): ");
    // Tables come before views.
    let notes = project.read("extensions/app/resources/notes.yaml");
    assert!(
        notes.contains("morph_to: { \"Order\": orders }\n"),
        "{notes}"
    );
    project.run(&["manifest", "check"]).exits(0);
    let slow = project.read("extensions/app/resources/slows.yaml");
    for key in ["slows", "notes"] {
        project.remove(&format!("extensions/app/resources/{key}.yaml"));
        project.remove(&format!(".formwork/imported/app.{key}.yaml"));
    }

    // What is not wanted takes no time.
    let some = [&all[..], &["--tables", "swift,orders"]].concat();
    let ran = project.run(&some).exits(0);
    assert!(!ran.output.contains("No time was left"), "{}", ran.output);
    let swift = project.read("extensions/app/resources/swifts.yaml");
    assert!(
        swift.contains("morph_to: { \"Order\": orders }\n"),
        "{swift}"
    );
    assert!(!project.has("extensions/app/resources/slows.yaml"));
    slow
}

const NOT_LOOKED_AT: [&str; 2] = [
    "# No time was left to look at its rows (`--look-seconds`): the values of `subject_type` are unknown, so it is no relation.\n",
    "# No time was left to look at its rows (`--look-seconds`): each column has the type that the table declares, and a value that does not fit it is a 500.\n",
];

/// Orders, notes about them, and two views, of which one takes a minute a row.
fn tables(key: &str, sleep: &str) -> String {
    let row = "id, label, due, 'Order' AS subject_type, id AS subject_id FROM orders";
    format!(
        "CREATE TABLE orders (id {key}, label VARCHAR(20) NOT NULL, due DATE); \
         CREATE TABLE notes (id {key}, subject_type VARCHAR(20), subject_id INTEGER); \
         INSERT INTO orders (label) VALUES ('x'); \
         INSERT INTO notes (subject_type, subject_id) VALUES ('Order', 1); \
         CREATE VIEW slow AS SELECT {row} WHERE {sleep}; \
         CREATE VIEW swift AS SELECT {row}"
    )
}

#[test]
fn a_slow_view_of_postgresql_is_imported_as_it_is_declared() {
    let Some(database) = Scratch::postgres("slow") else {
        return;
    };
    database.run(&tables("SERIAL PRIMARY KEY", "pg_sleep(60)::text = ''"));
    let slow = import("postgres", &database);
    for note in NOT_LOOKED_AT {
        assert!(slow.contains(note), "{note}\n{slow}");
    }
    assert!(
        slow.contains("    label:\n      type: \"string(20)\"\n"),
        "{slow}"
    );
    assert!(!slow.contains("morph_to"), "{slow}");
}

#[test]
fn a_slow_view_of_mariadb_is_imported_as_it_is_declared() {
    let Some(database) = Scratch::mysql("slow") else {
        return;
    };
    database.run(&tables(
        "INTEGER AUTO_INCREMENT PRIMARY KEY",
        "SLEEP(60) = 0",
    ));
    let slow = import("mysql", &database);
    for note in NOT_LOOKED_AT {
        assert!(slow.contains(note), "{note}\n{slow}");
    }
    assert!(!slow.contains("morph_to"), "{slow}");
}

#[test]
fn rows_of_a_slow_view_of_sqlite_are_not_read() {
    let database = Scratch::sqlite();
    let endless = "(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n) = 0";
    database.run(&tables("INTEGER PRIMARY KEY", endless));
    let slow = import("sqlite", &database);
    assert!(
        slow.contains(NOT_LOOKED_AT[0]) && slow.contains(NOT_LOOKED_AT[1]),
        "{slow}"
    );
    let note =
        "# Left out: `subject_type` (): its rows, which tell its type, were not looked at.\n";
    assert!(slow.contains(note), "{slow}");
}

#[test]
fn without_time_no_row_is_looked_at() {
    let (project, url, _folder) = crate::sqlite::shop();
    let import = ["import", "--database-url", &url, "--look-seconds", "0"];
    project.run(&import).exits(0);
    let loose = project.read("extensions/app/resources/looses.yaml");
    assert!(
        loose.contains("# Left out: `mixed` (): its rows, which tell"),
        "{loose}"
    );
    let comments = project.read("extensions/app/resources/comments.yaml");
    assert!(!comments.contains("morph_to"), "{comments}");
    project.run(&["manifest", "check"]).exits(0);
}
