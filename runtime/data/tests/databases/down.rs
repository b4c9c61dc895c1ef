//! Migrations that are undone.

use formwork_data::migration::{self, Halfway, Migration, MigrationState};

use crate::{each, execute_all, on, on_each, version};

const MENUS: &[Migration] = migrations! {
    1 "create_guests" "CREATE TABLE \"guests\" (\"id\" INTEGER);\n-- down: they are wanted for ever\n"
    2 "create_menus" "CREATE TABLE \"menus\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"menus\";\n"
    3 "add_price" "ALTER TABLE \"menus\" ADD COLUMN \"price\" INTEGER;
-- down
ALTER TABLE \"menus\" DROP COLUMN \"price\";
"
};

/// Comments: the migrations of a kind of database that was added later.
const COMMENTS: &[Migration] = migrations! {
    1 "older" "-- Older than the kind.\n\n-- down\n"
    2 "there_already" "-- It is there already.\n\n-- down\n"
};

fn moves(moved: &[MigrationState]) -> Vec<(&'static str, bool)> {
    moved.iter().map(|it| (it.name, it.applied)).collect()
}

#[tokio::test]
async fn migrations_with_a_down_part_are_undone_and_applied_again() {
    on_each(|ctx, kind| async move {
        let (db, all) = (&ctx.db, [("cart", MENUS)]);
        migration::run(db, &all).await.expect("applied");
        let moved = migration::to(db, &all, 1).await.expect("undone");
        let expected = [("add_price", false), ("create_menus", false)];
        assert_eq!(moves(&moved), expected, "{kind}");
        assert!(!db.has_table("menus").await.expect("known"), "{kind}");
        let pending = migration::pending(db, &all).await.expect("pending");
        assert_eq!(pending.len(), 2, "{kind}");
        // Forward again, and no further than asked.
        let moved = migration::to(db, &all, 2).await.expect("applied");
        assert_eq!(moves(&moved), [("create_menus", true)], "{kind}");
        let moved = migration::to(db, &all, 3).await.expect("applied");
        assert_eq!(moves(&moved), [("add_price", true)], "{kind}");
        execute_all(db, ["INSERT INTO menus (id, price) VALUES (1, 2)"]).await;
    })
    .await;
}

#[tokio::test]
async fn down_parts_that_would_lose_rows_or_values_are_refused() {
    on_each(|ctx, kind| async move {
        let (db, all) = (&ctx.db, [("cart", MENUS)]);
        migration::run(db, &all).await.expect("applied");
        execute_all(db, ["INSERT INTO menus (id, price) VALUES (1, 2)"]).await;
        let rejected = async |version, reasons: &[&str]| {
            let error = migration::to(db, &all, version).await;
            let error = error.expect_err("rejected").to_string();
            for reason in reasons {
                assert!(error.contains(reason), "{kind}: {error}");
            }
        };
        let reasons = [
            "3 add_price of cart was not undone",
            "the column `price` of `menus` holds values",
        ];
        rejected(1, &reasons).await;
        execute_all(db, ["UPDATE menus SET price = NULL"]).await;
        rejected(1, &["the table `menus` holds rows"]).await;
        // The last one was undone before.
        let pending = migration::pending(db, &all).await.expect("pending");
        assert_eq!(pending.len(), 1, "{kind}");
        let reason = "1 create_guests (cart) cannot be undone: they are wanted for ever";
        rejected(0, &[reason]).await;
        rejected(7, &["no migration has the version 7"]).await;
        let rows = db.rows("SELECT id FROM menus", []).await.expect("rows");
        assert_eq!(rows.len(), 1, "{kind}");
    })
    .await;
}

#[tokio::test]
async fn mariadb_goes_on_with_the_statement_of_a_down_part_that_failed() {
    const BROKEN: &[Migration] = migrations! {
        1 "create_a" "CREATE TABLE \"a\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"a\";\nDROP TABLE \"none\";\n"
    };
    const FIXED: &[Migration] = migrations! {
        1 "create_a" "CREATE TABLE \"a\" (\"id\" INTEGER);\n-- down\nDROP TABLE \"a\";\nSELECT 1;\n"
    };
    on(&["mysql"], |ctx, _| async move {
        let db = &ctx.db;
        let (broken, fixed) = ([("cart", BROKEN)], [("cart", FIXED)]);
        migration::run(db, &broken).await.expect("applied");
        for _ in 0..2 {
            let error = migration::to(db, &broken, 0).await;
            let error = error.expect_err("there is no such table").to_string();
            assert!(error.contains("statement 2 of 2"), "{error}");
            let pending = migration::pending(db, &broken).await;
            let pending = pending.expect("pending");
            assert_eq!(pending[0].halfway, Some(Halfway::Undone(1)));
            let error = migration::run(db, &broken).await;
            let error = error.expect_err("it is half gone").to_string();
            for part in [
                "1 create_a (cart) is half undone: 1 statements",
                "Run `migrate --to 0`",
            ] {
                assert!(error.contains(part), "{error}");
            }
            let planned = migration::dry_run(db, &broken, Some(0)).await;
            let next = &planned.expect("a plan").steps[0].1;
            assert_eq!(next, "DROP TABLE \"none\";\n");
        }
        let moved = migration::to(db, &fixed, 0).await;
        assert_eq!(moves(&moved.expect("undone")), [("create_a", false)]);
        // And applied from its first statement.
        migration::run(db, &fixed).await.expect("applied");
        assert!(db.has_table("a").await.expect("known"));
    })
    .await;
}

#[tokio::test]
async fn comments_are_applied_and_undone() {
    on_each(|ctx, kind| async move {
        let (db, all) = (&ctx.db, [("cart", COMMENTS)]);
        let applied = migration::run(db, &all).await.expect("applied");
        assert_eq!(moves(&applied).len(), 2, "{kind}");
        let moved = migration::to(db, &all, 0).await.expect("undone");
        let expected = [("there_already", false), ("older", false)];
        assert_eq!(moves(&moved), expected, "{kind}");
        let applied = migration::run(db, &all).await.expect("applied");
        assert_eq!(moves(&applied).len(), 2, "{kind}");
    })
    .await;
}
