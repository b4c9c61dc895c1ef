//! Tables of a user's own in SQLite whose foreign keys no database could check.

use formwork_data::migration::{self, Migration};

use crate::{create_context, each, execute_all, version};

const MENUS: &[Migration] =
    migrations! { 1 "create_menus" "CREATE TABLE menus (id INTEGER PRIMARY KEY);" };

/// SQLite takes a foreign key to columns without a unique index, and refuses each later change and
/// check of the table.
const SHOP: &[&str] = &[
    "CREATE TABLE \"parts\" (id INTEGER PRIMARY KEY, code TEXT, maker TEXT)",
    "CREATE TABLE \"part \"\"uses\" (part_id INTEGER REFERENCES parts, code TEXT, maker TEXT, \
       FOREIGN KEY (code, maker) REFERENCES parts (code, maker))",
];

#[tokio::test]
async fn a_foreign_key_that_sqlite_cannot_check_is_named_with_its_table() {
    let (ctx, database) = create_context("sqlite:").await;
    execute_all(&ctx.db, SHOP.iter().copied()).await;
    let error = migration::run(&ctx.db, &[("cart", MENUS)]).await;
    let error = error.expect_err("an unchecked key").to_string();
    for part in [
        "the migration 1 create_menus of cart failed",
        "foreign key mismatch - \"part \"\"uses\" referencing \"parts\"",
        "CREATE UNIQUE INDEX",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let index = "CREATE UNIQUE INDEX parts_code ON parts (code, maker)";
    ctx.db.execute(index, []).await.expect("an index");
    let applied = migration::run(&ctx.db, &[("cart", MENUS)]).await;
    assert_eq!(applied.expect("nothing was left half done").len(), 1);
    database.remove([ctx.db]).await;
}

const NOTES: &[Migration] = migrations! {
    1 "create_notes" "CREATE TABLE notes (id INTEGER PRIMARY KEY, menu_id INTEGER REFERENCES menus (id));
        INSERT INTO notes VALUES (1, 7);"
};

#[tokio::test]
async fn rows_that_referred_to_missing_rows_before_a_migration_do_not_stop_it() {
    let (ctx, database) = create_context("sqlite:").await;
    let mut connection = ctx.db.sqlite().await.expect("a connection");
    for sql in [
        "PRAGMA foreign_keys = OFF",
        "CREATE TABLE orphans (id INTEGER PRIMARY KEY, gone_id INTEGER REFERENCES gone (id))",
        "INSERT INTO orphans VALUES (1, 1), (2, NULL)",
        "PRAGMA foreign_keys = ON",
    ] {
        let done = sqlx::query(sql).execute(&mut *connection).await;
        done.expect("a file of another program");
    }
    drop(connection);
    let applied = migration::run(&ctx.db, &[("cart", MENUS)]).await;
    assert_eq!(applied.expect("the row was there").len(), 1);
    let error = migration::run(&ctx.db, &[("cart", MENUS), ("desk", NOTES)]).await;
    let error = error.expect_err("one more row").to_string();
    let said = "it leaves rows of `notes` that refer to missing rows of `menus`";
    assert!(error.contains(said), "{error}");
    database.remove([ctx.db]).await;
}
