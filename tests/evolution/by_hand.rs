//! Parts of a table that were added by hand survive a migration of that table, or stop it before
//! any loss.

use formwork_cli::project::Database as Kind;

use crate::server::databases;
use crate::world::{Manifests, World};

const TAGS: &str = "shop/models/tags.yaml";
const MENUS: &str = "shop/models/menus.yaml";

/// A table whose column `x` is of this type, and whose key is of that.
fn manifests(kind: &str, key: &str) -> Manifests {
    let tags = format!(
        "model:\n  key: {{ name: id, type: {key} }}\n  attributes:\n    x: {kind} required\n    y: string nullable\n"
    );
    let menus = "model:\n  relations:\n    tag: { belongs_to: tags }\n".to_owned();
    [(TAGS.to_owned(), tags), (MENUS.to_owned(), menus)].into()
}

/// With three rows, of which two are gone, and one that points to the third.
fn filled() -> World {
    filled_on(Kind::Sqlite)
}

fn filled_on(database: Kind) -> World {
    let mut world = World::created_on(database, &manifests("integer", "bigint"));
    let rows = "INSERT INTO tags (x) VALUES (1), (2), (3); DELETE FROM tags WHERE id > 1; INSERT INTO menus (tag_id) VALUES (1)";
    world.database.execute(rows).expect("rows");
    world
}

#[test]
fn keys_of_deleted_rows_are_not_used_again() {
    for database in databases() {
        for (kind, key) in [("text", "bigint"), ("integer", "bigint")] {
            let mut world = filled_on(database);
            let run = world
                .emit(&manifests(kind, key), false)
                .expect("nothing is lost");
            world.apply(&run).expect("applied");
            let insert = "INSERT INTO tags (x) VALUES (9)";
            world.database.execute(insert).expect("a row");
            let last = "SELECT CONCAT(max(id), '') FROM tags";
            assert_eq!(world.database.query(last), [["4"]], "{database:?}");
        }
    }
}

/// What is by hand: its SQL, and what it is called.
const BY_HAND: [(&str, &str); 7] = [
    (
        "ALTER TABLE tags ADD COLUMN mine TEXT DEFAULT 'm'",
        "columns",
    ),
    ("CREATE INDEX mine ON tags (created_at)", "indexes"),
    (
        "CREATE TRIGGER mine AFTER INSERT ON tags BEGIN SELECT 1; END",
        "triggers",
    ),
    ("CREATE VIEW mine AS SELECT id FROM tags", "view"),
    ("CREATE VIEW mine AS SELECT x FROM Tags", "view"),
    ("CREATE INDEX mine ON tags (x, y)", "index"),
    (
        "CREATE TRIGGER mine AFTER INSERT ON menus BEGIN UPDATE tags SET x = 1; END",
        "trigger",
    ),
];

/// Applies a change beside what is by hand: `kept` are the places of what outlives it.
fn beside(after: &Manifests, kept: &[usize]) {
    for (place, (by_hand, name)) in BY_HAND.iter().enumerate() {
        let mut world = filled();
        world.database.execute(by_hand).expect("by hand");
        let before = world.database.described();
        let run = world.emit(after, true).expect("allowed");
        let done = world.apply(&run);
        if kept.contains(&place) {
            done.unwrap_or_else(|error| panic!("{by_hand}: {error}"));
            let mine =
                "SELECT name FROM sqlite_master WHERE name = 'mine' OR sql LIKE '%mine TEXT%'";
            assert_eq!(world.database.query(mine).len(), 1, "{by_hand}");
        } else {
            let error = done.expect_err(by_hand);
            assert!(error.contains(name), "{by_hand}: {error}");
            assert_eq!(world.database.described(), before, "{by_hand}");
        }
        let rows = "SELECT CAST(count(*) AS TEXT) FROM tags JOIN menus ON tag_id = tags.id";
        assert_eq!(world.database.query(rows), [["1"]], "{by_hand}");
    }
}

#[test]
fn columns_that_are_replaced_leave_the_rest_of_the_table_alone() {
    beside(&manifests("text", "bigint"), &[0, 1, 3, 6]);
}

#[test]
fn a_rebuild_stops_at_columns_indexes_triggers_and_views_made_by_hand() {
    beside(&manifests("integer", "string(40)"), &[]);
}

#[test]
fn a_rebuild_stops_where_views_or_triggers_name_its_table() {
    for (by_hand, stops) in [
        (
            "CREATE VIEW mine AS SELECT * FROM (SELECT id FROM \"tags\")",
            true,
        ),
        (
            "CREATE TRIGGER mine AFTER INSERT ON menus BEGIN DELETE FROM tags; END",
            true,
        ),
        (
            "CREATE VIEW mine AS SELECT 1 AS tags_2, id AS mytags FROM menus",
            false,
        ),
    ] {
        let mut world = filled();
        world.database.execute(by_hand).expect("by hand");
        let run = world.emit(&manifests("integer", "string(40)"), true);
        let done = world.apply(&run.expect("allowed"));
        let said = done.err().unwrap_or_default();
        assert_eq!(said.contains("tags has columns, indexes"), stops, "{said}");
        assert!(stops || said.is_empty(), "{said}");
    }
}

#[test]
fn a_migration_stops_before_it_drops_constraints_made_by_hand() {
    let by_hand = [
        "x INTEGER NOT NULL CHECK (x > 0), y TEXT",
        "x INTEGER NOT NULL, y TEXT COLLATE NOCASE",
        "x INTEGER NOT NULL REFERENCES menus (id) ON DELETE CASCADE, y TEXT",
        "x INTEGER NOT NULL, y TEXT, CHECK(x > 0)",
    ];
    for columns in by_hand {
        for after in [manifests("text", "bigint"), manifests("integer", "uuid")] {
            let mut world = World::created(&manifests("integer", "bigint"));
            let table = format!(
                "DROP TABLE tags; CREATE TABLE tags (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, {columns}, created_at TEXT, updated_at TEXT)"
            );
            let sql = table.replace(
                ", CHECK(x > 0), created_at TEXT, updated_at TEXT",
                ", created_at TEXT, updated_at TEXT, CHECK(x > 0)",
            );
            world.database.execute(&sql).expect("by hand");
            let run = world.emit(&after, true).expect("allowed");
            let error = world.apply(&run).expect_err(columns);
            assert!(error.contains("constraints"), "{columns}: {error}");
        }
    }
}

#[test]
fn a_default_that_speaks_of_checks_is_none() {
    let with = |kind: &str| -> Manifests {
        let text = format!(
            "model:\n  attributes:\n    x: {kind} required\n    y: {{ type: string, default: \"CHECK (it's) COLLATE me\" }}\n"
        );
        [(TAGS.to_owned(), text)].into()
    };
    let mut world = World::created(&with("integer"));
    let run = world.emit(&with("text"), false).expect("nothing is lost");
    world.apply(&run).expect("applied");
}

/// Rows that are there would all be filled alike.
#[test]
fn a_unique_column_comes_to_rows_as_one_that_may_be_null() {
    let with = |rules: &str| {
        let mut all = manifests("integer", "bigint");
        for text in all.values_mut() {
            *text = text.replacen("    x:", &format!("    code: string {rules}\n    x:"), 1);
        }
        all
    };
    for database in databases() {
        let mut world = World::created_on(database, &manifests("integer", "bigint"));
        let rows = "INSERT INTO tags (x) VALUES (1), (2)";
        world.database.execute(rows).expect("rows");
        for allow in [false, true] {
            let refused = world.emit(&with("required|unique"), allow).unwrap_err();
            let text = refused.to_string();
            assert!(text.contains("make it nullable, fill it"), "{text}");
        }
        let run = world
            .emit(&with("nullable|unique"), false)
            .expect("no loss");
        world.apply(&run).expect("two rows without a code");
        let fill = "UPDATE tags SET code = CONCAT('c', x)";
        world.database.execute(fill).expect("filled");
        let run = world.emit(&with("required|unique"), true).expect("allowed");
        world.apply(&run).expect("every row has its own");
    }
}
