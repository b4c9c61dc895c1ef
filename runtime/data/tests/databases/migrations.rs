//! Migrations that fail, and runners that start at once.

use formwork_data::{
    database::{DatabaseOptions, Db, LowerIndex, create_temporary, remove_temporary},
    migration::{self, DryRun, Halfway, Migration},
    value::Uuid,
};

use crate::{address, connected, each, on_each, on_mariadb, servers};

const BROKEN: &[Migration] = &[Migration {
    version: 1,
    name: "fill",
    sql: &each(
        "CREATE TABLE menus (id INT);\nINSERT INTO menus VALUES (1);\nINSERT INTO none VALUES (';');",
    ),
}];

const MENDED: &[Migration] = &[Migration {
    version: 1,
    name: "fill",
    sql: &each(
        "CREATE TABLE menus (id INT);\nINSERT INTO menus VALUES (1);\nINSERT INTO menus VALUES (2);",
    ),
}];

/// Its last statement breaks a foreign key.
const ORPHANS: &[Migration] = &[Migration {
    version: 1,
    name: "orphans",
    sql: &each(
        "CREATE TABLE menus (id INT PRIMARY KEY);\nCREATE TABLE dishes (menu INT);\n\
         INSERT INTO dishes VALUES (7);\n\
         ALTER TABLE dishes ADD CONSTRAINT of_menu FOREIGN KEY (menu) REFERENCES menus (id);",
    ),
}];

/// The SQL that would run.
fn shown(planned: &DryRun) -> Vec<&str> {
    let steps = planned.steps.iter();
    steps.map(|(_, sql)| sql.trim_end()).collect()
}

#[tokio::test]
async fn a_migration_that_rows_forbid_fails_with_the_words_of_the_server() {
    on_mariadb(|house, _| async move {
        let error = migration::run(&house.db, &[("cart", ORPHANS)]).await;
        let error = error.expect_err("dish 7 has no menu").to_string();
        let words = [
            "statement 4 of 4: ",
            "foreign key constraint fails",
            "`of_menu`",
        ];
        for words in words {
            assert!(
                error.replace('"', "`").contains(words),
                "{words} in {error}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_migration_that_failed_half_way_reports_its_progress_and_continues() {
    on_mariadb(|house, _| async move {
        let (db, all) = (&house.db, [("cart", BROKEN)]);
        for _ in 0..2 {
            let error = migration::run(db, &all).await;
            let error = error.expect_err("there is no such table").to_string();
            assert!(
                error.contains("1 fill of cart") && error.contains("statement 3 of 3"),
                "{error}"
            );
            let pending = migration::pending(db, &all).await.expect("pending");
            assert_eq!(pending.len(), 1);
            assert_eq!(pending[0].halfway, Some(Halfway::Applied(2)));
            let planned = migration::dry_run(db, &all).await.expect("a plan");
            assert_eq!(shown(&planned), ["INSERT INTO none VALUES (';');"]);
            let undone = migration::to(db, &all, 0).await.expect_err("refused");
            assert!(
                undone
                    .to_string()
                    .contains("half applied: 2 of its statements"),
                "{undone}"
            );
        }
        let applied = migration::run(db, &[("cart", MENDED)])
            .await
            .expect("applied");
        assert_eq!(applied.len(), 1);
        let rows = db.rows("SELECT id FROM menus ORDER BY id", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "each statement is run once");
        let states = migration::status(db, &[("cart", MENDED)]).await;
        assert_eq!(states.expect("states")[0].halfway, None);
        assert!(
            migration::run(db, &[("cart", MENDED)])
                .await
                .expect("none")
                .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn a_failed_migration_is_rolled_back_where_tables_change_in_transactions() {
    on_each(|house, kind| async move {
        let db = &house.db;
        let error = migration::run(db, &[("cart", BROKEN)]).await;
        assert!(error.is_err(), "{kind}");
        let there = db.has_table("menus").await.expect("known");
        // MariaDB commits each statement.
        assert_eq!(there, kind == "mysql", "{kind}");
        let applied = migration::run(db, &[("cart", MENDED)]).await;
        assert_eq!(applied.expect("applied").len(), 1, "{kind}");
        let rows = db.rows("SELECT id FROM menus", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "{kind}");
    })
    .await;
}

#[tokio::test]
async fn one_of_several_runners_applies_each_migration() {
    on_each(|house, kind| async move {
        let runners = (0..4).map(|_| {
            let db = house.db.clone();
            tokio::spawn(async move { migration::run(&db, &[("cart", MENDED)]).await })
        });
        let mut applied = 0;
        for runner in runners.collect::<Vec<_>>() {
            applied += runner.await.expect("no panic").expect("applied").len();
        }
        assert_eq!(applied, 1, "{kind}");
        let rows = house.db.rows("SELECT id FROM menus", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "{kind}");
    })
    .await;
}

const GUESTS: &[Migration] = &[
    Migration {
        version: 1,
        name: "create_guests",
        sql: &each("CREATE TABLE guests (id INT, email VARCHAR(96));"),
    },
    Migration {
        version: 2,
        name: "lengthen",
        sql: &[
            (
                "sqlite",
                "ALTER TABLE guests DROP COLUMN email; ALTER TABLE guests ADD COLUMN email TEXT;",
            ),
            (
                "postgres",
                "ALTER TABLE guests ALTER COLUMN email TYPE VARCHAR(99);",
            ),
            (
                "mysql",
                "ALTER TABLE guests DROP COLUMN email, ADD COLUMN email VARCHAR(99);",
            ),
        ],
    },
    Migration {
        version: 3,
        name: "fail",
        sql: &each("INSERT INTO none VALUES (1);"),
    },
];

fn index() -> LowerIndex {
    LowerIndex {
        table: "guests".to_owned(),
        column: "email".to_owned(),
        name: "guests_by_email".to_owned(),
    }
}

/// The statement that finds the index.
const FIND: [&str; 3] = [
    "SELECT 1 FROM sqlite_master WHERE name = 'guests_by_email'",
    "SELECT 1 FROM pg_indexes WHERE indexname = 'guests_by_email'",
    "SELECT DISTINCT 1 FROM information_schema.STATISTICS \
     WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME = 'guests_by_email'",
];

/// The index is out of the way of each migration, and is made at the end, also where one failed.
#[tokio::test]
async fn the_index_of_logins_is_created_after_the_migrations_of_several_runners() {
    on_each(|house, kind| async move {
        for count in 1..=2 {
            let runners = (0..6).map(|_| {
                let db = house.db.clone();
                let all = [("cart", &GUESTS[..count])];
                tokio::spawn(async move { migration::run_beside(&db, &all, Some(index())).await })
            });
            for runner in runners.collect::<Vec<_>>() {
                let applied = runner.await.expect("no panic");
                applied.unwrap_or_else(|error| panic!("{kind}: {error}"));
            }
        }
        let all = [("cart", GUESTS)];
        let failed = migration::run_beside(&house.db, &all, Some(index())).await;
        let error = failed.expect_err("there is no such table").to_string();
        assert!(error.contains("3 fail of cart"), "{kind}: {error}");
        let found = house.db.rows(crate::of(kind, FIND), []).await;
        assert_eq!(found.expect("rows").len(), 1, "{kind}");
    })
    .await;
}

/// Each was made on a branch of its own.
const BRANCHES: &[Migration] = &[
    Migration {
        version: 1,
        name: "create_menus",
        sql: &each(
            "-- touches: menus\nCREATE TABLE \"menus\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"menus\";\n",
        ),
    },
    Migration {
        version: 2,
        name: "add_note",
        sql: &each(
            "-- after: 1_create_menus\n-- touches: menus.note\n\
             ALTER TABLE \"menus\" ADD COLUMN \"note\" INTEGER;\n\
             -- down\nALTER TABLE \"menus\" DROP COLUMN \"note\";\n",
        ),
    },
    Migration {
        version: 3,
        name: "add_note",
        sql: &each(
            "-- after: 1_create_menus\n-- touches: menus.note\n\
             ALTER TABLE \"menus\" ADD COLUMN \"note\" INTEGER;\n\
             -- down\nALTER TABLE \"menus\" DROP COLUMN \"note\";\n",
        ),
    },
    Migration {
        version: 4,
        name: "change_note",
        sql: &each(
            "-- after: 1_create_menus\n-- touches: menus.note\n\
             UPDATE \"menus\" SET \"note\" = 2 * \"note\";\n-- down: it is doubled\n",
        ),
    },
];

#[tokio::test]
async fn a_change_that_two_made_is_undone_with_the_last_of_them() {
    on_each(|house, kind| async move {
        let db = &house.db;
        let [create, one, two, _] = BRANCHES else {
            panic!("four")
        };
        let has_note = async || {
            let columns = db.columns("menus").await.expect("columns");
            columns.iter().any(|column| column.name == "note")
        };
        for first in [one, two] {
            let branch: &[Migration] = vec![*create, *first].leak();
            let merged = [("cart", &BRANCHES[..3])];
            migration::run(db, &[("cart", branch)])
                .await
                .expect("applied");
            migration::run(db, &merged).await.expect("the same");
            let planned = migration::dry_run_to(db, &merged, 2).await.expect("a plan");
            let same = "-- Another migration made the same change.";
            assert_eq!(shown(&planned), [same], "{kind}");
            let moved = migration::to(db, &merged, 2).await.expect("undone");
            assert_eq!(moved.len(), 1, "{kind}");
            assert!(has_note().await, "{kind}: the other one made it too");
            migration::run(db, &merged).await.expect("applied again");
            migration::to(db, &merged, 1).await.expect("undone");
            assert!(
                !has_note().await,
                "{kind}: no migration is left that made it"
            );
            migration::run(db, &merged).await.expect("applied again");
            assert!(has_note().await, "{kind}");
            migration::to(db, &merged, 0).await.expect("undone");
        }
    })
    .await;
}

#[tokio::test]
async fn a_dry_run_lists_the_statements_of_a_run() {
    on_each(|house, kind| async move {
        let (db, all) = (&house.db, [("cart", BRANCHES)]);
        migration::run(db, &[("cart", &BRANCHES[..2])])
            .await
            .expect("applied");
        let planned = migration::dry_run(db, &all).await.expect("a plan");
        let same = "-- Another migration made the same change.";
        assert_eq!(shown(&planned), [same], "{kind}");
        let stops = planned.stops.expect("it stops").to_string();
        assert!(
            stops.contains("4 change_note (cart)") && stops.contains("both change menus.note"),
            "{kind}: {stops}"
        );
        let stopped = migration::run(db, &all).await.expect_err("it stops");
        assert_eq!(stopped.to_string(), stops, "{kind}");
        let planned = migration::dry_run_to(db, &all, 1).await.expect("a plan");
        let expected = [same, "ALTER TABLE \"menus\" DROP COLUMN \"note\";"];
        assert_eq!(shown(&planned), expected, "{kind}");
        assert!(
            planned.steps.iter().all(|(state, _)| !state.applied),
            "{kind}"
        );
        let there = migration::status(db, &all).await.expect("states");
        assert_eq!(there.iter().filter(|one| one.applied).count(), 3, "{kind}");
        let unknown = migration::dry_run_to(db, &all, 7).await;
        let unknown = unknown.expect_err("there is none").to_string();
        assert!(
            unknown.contains("no migration has the version 7"),
            "{unknown}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_dry_run_names_the_runtimes_tables_as_the_database_does() {
    const OWN: &[Migration] = &[Migration {
        version: 1,
        name: "create_api_tokens",
        sql: &each("CREATE TABLE \"api_tokens\" (\"id\" INTEGER);"),
    }];
    for server in servers() {
        let name = format!("house_{}", Uuid::now_v7().simple());
        let url = create_temporary(&server, &name).await.expect("a database");
        let mut options = DatabaseOptions::new(url);
        options.table_prefix = "fw_".to_owned();
        let db = Db::connect(&options).await.expect("connected");
        let planned = migration::dry_run(&db, &[("core", OWN)])
            .await
            .expect("a plan");
        let expected = ["CREATE TABLE \"fw_api_tokens\" (\"id\" INTEGER);"];
        assert_eq!(shown(&planned), expected, "{server}");
        db.close().await;
        remove_temporary(&server, &name).await.expect("removed");
    }
}

const CREATED: &[Migration] = &[
    Migration {
        version: 1,
        name: "create_menus",
        sql: &[("mysql", "CREATE TABLE menus (name VARCHAR(9));")],
    },
    Migration {
        version: 2,
        name: "create_dishes",
        sql: &[("mysql", "CREATE TABLE dishes (name VARCHAR(9));")],
    },
];

/// The collation is set while another session of the pool is in use, which began before.
#[tokio::test]
async fn a_table_has_the_collation_that_was_set_after_its_session_began() {
    let Some(server) = address("FORMWORK_TEST_MYSQL_URL") else {
        return;
    };
    let name = format!("house_{}", Uuid::now_v7().simple());
    let url = create_temporary(&server, &name).await.expect("a database");
    let first = connected(url.clone()).await;
    let latin = format!("ALTER DATABASE {name} CHARACTER SET latin1");
    first.execute(latin, []).await.expect("altered");
    first.close().await;
    let db = connected(url).await;
    let busy = db.begin().await.expect("begun");
    migration::run(&db, &[]).await.expect("set");
    busy.commit().await.expect("committed");
    let applied = migration::run(&db, &[("cart", CREATED)]).await;
    assert_eq!(applied.expect("applied").len(), 2);
    for table in ["menus", "dishes"] {
        let sql = format!("INSERT INTO {table} VALUES ('\u{1f35d}')");
        db.execute(sql, []).await.expect(table);
    }
    db.close().await;
    remove_temporary(&server, &name).await.expect("removed");
}
