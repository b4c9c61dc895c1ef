//! Migrations that fail, and runners that start at once.

use formwork_data::{
    database::{DatabaseOptions, LowerIndex},
    migration::{self, DryRun, Halfway, Migration},
};

use crate::{
    TestDatabase, connect, each, execute_all, of, on, on_each, server_of, servers, version,
};

const BROKEN: &[Migration] = migrations! {
    1 "fill" "CREATE TABLE menus (id INT);
        INSERT INTO menus VALUES (1);
        INSERT INTO none VALUES (';');"
};

const FIXED: &[Migration] = migrations! {
    1 "fill" "CREATE TABLE menus (id INT);
        INSERT INTO menus VALUES (1);
        INSERT INTO menus VALUES (2);"
};

/// Its last statement breaks a foreign key.
const ORPHANS: &[Migration] = migrations! {
    1 "orphans" "CREATE TABLE menus (id INT PRIMARY KEY);
        CREATE TABLE dishes (menu INT);
        INSERT INTO dishes VALUES (7);
        ALTER TABLE dishes ADD CONSTRAINT of_menu FOREIGN KEY (menu) REFERENCES menus (id);"
};

/// The SQL that would run.
fn shown(planned: &DryRun) -> Vec<&str> {
    let steps = planned.steps.iter();
    steps.map(|(_, sql)| sql.trim()).collect()
}

#[tokio::test]
async fn a_migration_that_rows_forbid_fails_with_the_words_of_the_server() {
    on(&["mysql"], |ctx, _| async move {
        let error = migration::run(&ctx.db, &[("cart", ORPHANS)]).await;
        let error = error.expect_err("dish 7 has no menu").to_string();
        let error = error.replace('"', "`");
        for part in [
            "statement 4 of 4: ",
            "foreign key constraint fails",
            "`of_menu`",
        ] {
            assert!(error.contains(part), "{part} in {error}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_migration_that_failed_half_way_reports_its_progress_and_continues() {
    on(&["mysql"], |ctx, _| async move {
        let (db, all) = (&ctx.db, [("cart", BROKEN)]);
        for _ in 0..2 {
            let error = migration::run(db, &all).await;
            let error = error.expect_err("there is no such table").to_string();
            for part in ["1 fill of cart", "statement 3 of 3"] {
                assert!(error.contains(part), "{error}");
            }
            let pending = migration::pending(db, &all).await.expect("pending");
            assert_eq!(pending.len(), 1);
            assert_eq!(pending[0].halfway, Some(Halfway::Applied(2)));
            let planned = migration::dry_run(db, &all, None).await.expect("a plan");
            assert_eq!(shown(&planned), ["INSERT INTO none VALUES (';');"]);
            let undone = migration::to(db, &all, 0).await;
            let undone = undone.expect_err("refused").to_string();
            let reason = "half applied: 2 of its statements";
            assert!(undone.contains(reason), "{undone}");
        }
        let fixed = [("cart", FIXED)];
        let applied = migration::run(db, &fixed).await.expect("applied");
        assert_eq!(applied.len(), 1);
        let rows = db.rows("SELECT id FROM menus ORDER BY id", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "each statement is run once");
        let states = migration::status(db, &fixed).await;
        assert_eq!(states.expect("states")[0].halfway, None);
        let applied = migration::run(db, &fixed).await;
        assert_eq!(applied.expect("applied").len(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_failed_migration_is_rolled_back_where_tables_change_in_transactions() {
    on_each(|ctx, kind| async move {
        let db = &ctx.db;
        let error = migration::run(db, &[("cart", BROKEN)]).await;
        assert!(error.is_err(), "{kind}");
        let there = db.has_table("menus").await.expect("known");
        // MariaDB commits each statement.
        assert_eq!(there, kind == "mysql", "{kind}");
        let applied = migration::run(db, &[("cart", FIXED)]).await;
        assert_eq!(applied.expect("applied").len(), 1, "{kind}");
        let rows = db.rows("SELECT id FROM menus", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "{kind}");
    })
    .await;
}

#[tokio::test]
async fn one_of_several_runners_applies_each_migration() {
    on_each(|ctx, kind| async move {
        let runners = (0..4).map(|_| {
            let db = ctx.db.clone();
            tokio::spawn(async move { migration::run(&db, &[("cart", FIXED)]).await })
        });
        let mut applied = 0;
        for runner in runners.collect::<Vec<_>>() {
            applied += runner.await.expect("no panic").expect("applied").len();
        }
        assert_eq!(applied, 1, "{kind}");
        let rows = ctx.db.rows("SELECT id FROM menus", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "{kind}");
    })
    .await;
}

const GUESTS: &[Migration] = &[
    version(
        1,
        "create_guests",
        &each("CREATE TABLE guests (id INT, email VARCHAR(96));"),
    ),
    version(
        2,
        "lengthen",
        &[
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
    ),
    version(3, "fail", &each("INSERT INTO none VALUES (1);")),
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
    on_each(|ctx, kind| async move {
        for count in 1..=2 {
            let runners = (0..6).map(|_| {
                let db = ctx.db.clone();
                let all = [("cart", &GUESTS[..count])];
                tokio::spawn(
                    async move { migration::migrate(&db, &all, None, Some(index())).await },
                )
            });
            for runner in runners.collect::<Vec<_>>() {
                let applied = runner.await.expect("no panic");
                applied.unwrap_or_else(|error| panic!("{kind}: {error}"));
            }
        }
        let all = [("cart", GUESTS)];
        let failed = migration::migrate(&ctx.db, &all, None, Some(index())).await;
        let error = failed.expect_err("there is no such table").to_string();
        assert!(error.contains("3 fail of cart"), "{kind}: {error}");
        let found = ctx.db.rows(of(kind, FIND), []).await;
        assert_eq!(found.expect("rows").len(), 1, "{kind}");
    })
    .await;
}

/// Each was made on a branch of its own.
const BRANCHES: &[Migration] = migrations! {
    1 "create_menus" "-- touches: menus
CREATE TABLE \"menus\" (\"id\" INTEGER);
-- down
DROP TABLE \"menus\";
"
    2 "add_note" "-- after: 1_create_menus
-- touches: menus.note
ALTER TABLE \"menus\" ADD COLUMN \"note\" INTEGER;
-- down
ALTER TABLE \"menus\" DROP COLUMN \"note\";
"
    3 "add_price" "-- after: 1_create_menus
-- touches: menus.price
ALTER TABLE \"menus\" ADD COLUMN \"price\" INTEGER;
-- down
ALTER TABLE \"menus\" DROP COLUMN \"price\";
"
    4 "change_note" "-- after: 1_create_menus
-- touches: menus.note
UPDATE \"menus\" SET \"note\" = 2 * \"note\";
-- down: it is doubled
"
};

#[tokio::test]
async fn a_dry_run_lists_the_statements_of_a_run() {
    on_each(|ctx, kind| async move {
        let (db, all) = (&ctx.db, [("cart", BRANCHES)]);
        let applied = migration::run(db, &[("cart", &BRANCHES[..2])]).await;
        applied.expect("applied");
        let planned = migration::dry_run(db, &all, None).await.expect("a plan");
        let steps: Vec<&str> = shown(&planned);
        let [step] = steps[..] else {
            panic!("{kind}: {steps:?}")
        };
        let added = "ALTER TABLE \"menus\" ADD COLUMN \"price\" INTEGER;";
        assert!(step.ends_with(added), "{kind}: {step}");
        let stops = planned.stops.expect("it stops").to_string();
        for part in ["4 change_note (cart)", "both change menus.note"] {
            assert!(stops.contains(part), "{kind}: {stops}");
        }
        let stopped = migration::run(db, &all).await.expect_err("it stops");
        assert_eq!(stopped.to_string(), stops, "{kind}");
        let planned = migration::dry_run(db, &all, Some(1)).await.expect("a plan");
        let expected = [
            "ALTER TABLE \"menus\" DROP COLUMN \"price\";",
            "ALTER TABLE \"menus\" DROP COLUMN \"note\";",
        ];
        assert_eq!(shown(&planned), expected, "{kind}");
        let mut states = planned.steps.iter().map(|(state, _)| state);
        assert!(states.all(|state| !state.applied), "{kind}");
        let there = migration::status(db, &all).await.expect("states");
        assert_eq!(there.iter().filter(|one| one.applied).count(), 3, "{kind}");
        let unknown = migration::dry_run(db, &all, Some(7)).await;
        let unknown = unknown.expect_err("there is none").to_string();
        let reason = "no migration has the version 7";
        assert!(unknown.contains(reason), "{unknown}");
    })
    .await;
}

#[tokio::test]
async fn a_dry_run_names_the_runtimes_tables_as_the_database_does() {
    const OWN: &[Migration] =
        migrations! { 1 "create_api_tokens" "CREATE TABLE \"api_tokens\" (\"id\" INTEGER);" };
    for server in servers() {
        let database = TestDatabase::create(&server).await;
        let options = DatabaseOptions {
            table_prefix: "fw_".to_owned(),
            ..database.options()
        };
        let db = connect(&options).await;
        let planned = migration::dry_run(&db, &[("core", OWN)], None).await;
        let planned = planned.expect("a plan");
        let expected = ["CREATE TABLE \"fw_api_tokens\" (\"id\" INTEGER);"];
        assert_eq!(shown(&planned), expected, "{server}");
        database.remove([db]).await;
    }
}

const CREATED: &[Migration] = migrations! {
    1 "create_menus" "CREATE TABLE menus (name VARCHAR(9));"
    2 "create_dishes" "CREATE TABLE dishes (name VARCHAR(9));"
};

/// The collation is set while another session of the pool is in use, which began before.
#[tokio::test]
async fn a_table_has_the_collation_that_was_set_after_its_session_began() {
    let Some(server) = server_of("mysql") else {
        return;
    };
    let database = TestDatabase::create(&server).await;
    let first = database.connect().await;
    let latin = format!("ALTER DATABASE {} CHARACTER SET latin1", database.name);
    first.execute(latin, []).await.expect("altered");
    first.close().await;
    let db = database.connect().await;
    let busy = db.begin().await.expect("begun");
    migration::run(&db, &[]).await.expect("set");
    busy.commit().await.expect("committed");
    let applied = migration::run(&db, &[("cart", CREATED)]).await;
    assert_eq!(applied.expect("applied").len(), 2);
    let statements = [
        "INSERT INTO menus VALUES ('\u{1f35d}')",
        "INSERT INTO dishes VALUES ('\u{1f35d}')",
    ];
    execute_all(&db, statements).await;
    database.remove([db]).await;
}
