//! Migrations that are undone.

use formwork_data::migration::{self, Halfway, Migration, MigrationState};

use crate::{each, on_each};

const MENUS: &[Migration] = &[
    Migration {
        version: 1,
        name: "create_guests",
        sql: &each(
            "CREATE TABLE \"guests\" (\"id\" INTEGER);\n-- down: they are wanted for ever\n",
        ),
    },
    Migration {
        version: 2,
        name: "create_menus",
        sql: &each("CREATE TABLE \"menus\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"menus\";\n"),
    },
    Migration {
        version: 3,
        name: "add_price",
        sql: &each(
            "ALTER TABLE \"menus\" ADD COLUMN \"price\" INTEGER;\n\
             -- down\nALTER TABLE \"menus\" DROP COLUMN \"price\";\n",
        ),
    },
];

/// As a kind that is added later has them: comments on the others.
const COMMENTS: &[Migration] = &[
    Migration {
        version: 1,
        name: "older",
        sql: &each("-- Older than the kind.\n\n-- down\n"),
    },
    Migration {
        version: 2,
        name: "there_already",
        sql: &each("-- It is there already.\n\n-- down\n"),
    },
];

fn said(moved: &[MigrationState]) -> Vec<(&'static str, bool)> {
    moved.iter().map(|it| (it.name, it.applied)).collect()
}

#[tokio::test]
async fn migrations_with_a_down_part_are_undone_and_applied_again() {
    on_each(|house, kind| async move {
        let (db, all) = (&house.db, [("cart", MENUS)]);
        migration::run(db, &all).await.expect("applied");
        let moved = migration::to(db, &all, 1).await.expect("undone");
        let expected = [("add_price", false), ("create_menus", false)];
        assert_eq!(said(&moved), expected, "{kind}");
        assert!(!db.has_table("menus").await.expect("known"), "{kind}");
        let pending = migration::pending(db, &all).await.expect("pending");
        assert_eq!(pending.len(), 2, "{kind}");
        // Forward again, and no further than asked.
        let moved = migration::to(db, &all, 2).await.expect("applied");
        assert_eq!(said(&moved), [("create_menus", true)], "{kind}");
        let moved = migration::to(db, &all, 3).await.expect("applied");
        assert_eq!(said(&moved), [("add_price", true)], "{kind}");
        db.execute("INSERT INTO menus (id, price) VALUES (1, 2)", [])
            .await
            .expect("the column");
    })
    .await;
}

#[tokio::test]
async fn down_parts_that_would_lose_rows_or_values_are_refused() {
    on_each(|house, kind| async move {
        let (db, all) = (&house.db, [("cart", MENUS)]);
        migration::run(db, &all).await.expect("applied");
        let sql = "INSERT INTO menus (id, price) VALUES (1, 2)";
        db.execute(sql, []).await.expect("a row");
        let refused = async |version| {
            let refused = migration::to(db, &all, version).await;
            refused.expect_err("refused").to_string()
        };
        let why = refused(1).await;
        assert!(
            why.contains("3 add_price of cart was not undone"),
            "{kind}: {why}"
        );
        assert!(
            why.contains("the column `price` of `menus` holds values"),
            "{kind}: {why}"
        );
        let sql = "UPDATE menus SET price = NULL";
        db.execute(sql, []).await.expect("no value");
        let why = refused(1).await;
        assert!(
            why.contains("the table `menus` holds rows"),
            "{kind}: {why}"
        );
        // The last one was undone before.
        let pending = migration::pending(db, &all).await.expect("pending");
        assert_eq!(pending.len(), 1, "{kind}");
        let why = refused(0).await;
        assert!(
            why.contains("1 create_guests (cart) cannot be undone: they are wanted for ever"),
            "{kind}: {why}"
        );
        let why = refused(7).await;
        assert!(
            why.contains("no migration has the version 7"),
            "{kind}: {why}"
        );
        let rows = db.rows("SELECT id FROM menus", []).await.expect("rows");
        assert_eq!(rows.len(), 1, "{kind}");
    })
    .await;
}

#[tokio::test]
async fn mariadb_goes_on_with_the_statement_of_a_down_part_that_failed() {
    const BROKEN: &[Migration] = &[Migration {
        version: 1,
        name: "create_a",
        sql: &[(
            "mysql",
            "CREATE TABLE \"a\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"a\";\nDROP TABLE \"none\";\n",
        )],
    }];
    const MENDED: &[Migration] = &[Migration {
        version: 1,
        name: "create_a",
        sql: &[(
            "mysql",
            "CREATE TABLE \"a\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"a\";\nSELECT 1;\n",
        )],
    }];
    crate::on_mariadb(|house, _| async move {
        let db = &house.db;
        migration::run(db, &[("cart", BROKEN)])
            .await
            .expect("applied");
        for _ in 0..2 {
            let error = migration::to(db, &[("cart", BROKEN)], 0).await;
            let error = error.expect_err("there is no such table").to_string();
            assert!(error.contains("statement 2 of 2"), "{error}");
            let pending = migration::pending(db, &[("cart", BROKEN)]).await;
            let pending = pending.expect("pending");
            assert_eq!(pending[0].halfway, Some(Halfway::Undone(1)));
            let error = migration::run(db, &[("cart", BROKEN)]).await;
            let error = error.expect_err("it is half gone").to_string();
            assert!(
                error.contains("1 create_a (cart) is half undone: 1 statements")
                    && error.contains("Run `migrate --to 0`"),
                "{error}"
            );
            let planned = migration::dry_run_to(db, &[("cart", BROKEN)], 0).await;
            assert_eq!(
                planned.expect("a plan").steps[0].1,
                "DROP TABLE \"none\";\n"
            );
        }
        let moved = migration::to(db, &[("cart", MENDED)], 0).await;
        assert_eq!(said(&moved.expect("undone")), [("create_a", false)]);
        // And applied from its first statement.
        migration::run(db, &[("cart", MENDED)])
            .await
            .expect("applied");
        assert!(db.has_table("a").await.expect("known"));
    })
    .await;
}

#[tokio::test]
async fn comments_are_applied_and_undone() {
    on_each(|house, kind| async move {
        let (db, all) = (&house.db, [("cart", COMMENTS)]);
        let applied = migration::run(db, &all).await.expect("applied");
        assert_eq!(said(&applied).len(), 2, "{kind}");
        let moved = migration::to(db, &all, 0).await.expect("undone");
        assert_eq!(
            said(&moved),
            [("there_already", false), ("older", false)],
            "{kind}"
        );
        let applied = migration::run(db, &all).await.expect("applied");
        assert_eq!(said(&applied).len(), 2, "{kind}");
    })
    .await;
}
