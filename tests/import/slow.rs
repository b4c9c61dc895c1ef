//! Databases with slow views: looks at rows have a time of their own, and the import goes on without them.

use formwork_tests::project::Project;
use formwork_tests::server::Database;

use crate::{SHOP, import, key, on_sqlite};

/// Imports for one second of looks at rows; returns the manifest of the slow view.
fn slow_view(kind: &str, database: &Database) -> String {
    let project = Project::new_on("slow", kind);
    let ran = import(&project, database, &["--look-seconds", "1"]).exits(0);
    ran.says("slow: No time was left to look at its rows (`--look-seconds`): ");
    // Tables come before views.
    let notes = project.read("extensions/app/resources/notes.yaml");
    let morph_to = "morph_to: { \"Order\": orders }\n";
    assert!(notes.contains(morph_to), "{notes}");
    project.run(&["manifest", "check"]).exits(0);
    let slow = project.read("extensions/app/resources/slows.yaml");

    // What is not requested takes no time.
    let project = Project::new_on("slow", kind);
    let some = ["--look-seconds", "1", "--tables", "swift,orders"];
    let ran = import(&project, database, &some).exits(0);
    assert!(!ran.output.contains("No time was left"), "{}", ran.output);
    let swift = project.read("extensions/app/resources/swifts.yaml");
    assert!(swift.contains(morph_to), "{swift}");
    assert!(!project.has("extensions/app/resources/slows.yaml"));
    slow
}

const NOT_LOOKED_AT: [&str; 2] = [
    "# No time was left to look at its rows (`--look-seconds`): the values of `subject_type` are unknown, so it is no relation.\n",
    "# No time was left to look at its rows (`--look-seconds`): each column has the type that the table declares, and a value that does not fit it is a 500.\n",
];

/// Orders, notes about them, and two views, of which one takes a minute a row.
fn tables(kind: &str) -> String {
    let key = key(kind);
    let sleep = match kind {
        "sqlite" => {
            "(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n) = 0"
        }
        "postgres" => "pg_sleep(60)::text = ''",
        _ => "SLEEP(60) = 0",
    };
    let row = "id, label, due, 'Order' AS subject_type, id AS subject_id FROM orders";
    format!(
        "CREATE TABLE orders ({key}, label VARCHAR(20) NOT NULL, due DATE); \
         CREATE TABLE notes ({key}, subject_type VARCHAR(20), subject_id INTEGER); \
         INSERT INTO orders (label) VALUES ('x'); \
         INSERT INTO notes (subject_type, subject_id) VALUES ('Order', 1); \
         CREATE VIEW slow AS SELECT {row} WHERE {sleep}; \
         CREATE VIEW swift AS SELECT {row}"
    )
}

#[test]
fn a_slow_view_is_imported_as_it_is_declared() {
    for (kind, database) in Database::each() {
        database.run(&tables(kind));
        let slow = slow_view(kind, &database);
        for note in NOT_LOOKED_AT {
            assert!(slow.contains(note), "{note}\n{slow}");
        }
        assert!(!slow.contains("morph_to"), "{slow}");
        let more = match kind {
            "sqlite" => {
                "# Left out: `subject_type` (): its rows, which tell its type, were not looked at.\n"
            }
            _ => "    label:\n      type: \"string(20)\"\n",
        };
        assert!(slow.contains(more), "{slow}");
    }
}

#[test]
fn without_time_no_row_is_looked_at() {
    let (database, project) = on_sqlite(SHOP);
    import(&project, &database, &["--look-seconds", "0"]).exits(0);
    let loose = project.read("extensions/app/resources/looses.yaml");
    assert!(
        loose.contains("# Left out: `mixed` (): its rows, which tell"),
        "{loose}"
    );
    let comments = project.read("extensions/app/resources/comments.yaml");
    assert!(!comments.contains("morph_to"), "{comments}");
    project.run(&["manifest", "check"]).exits(0);
}
