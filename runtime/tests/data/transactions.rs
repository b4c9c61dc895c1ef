//! Transactions, and several callers at once.

use std::time::Duration;

use formwork::data::database::{DatabaseOptions, Db, Synchronous, Transaction};
use formwork::prelude::*;

use crate::service::{admin, count, find, in_file, with_database, with_one_connection};
use crate::tables::{Menu, menu};

/// Inserts a menu through this handle.
async fn insert(ctx: &Context, db: &Db, name: &str) {
    let tx = ctx.with_db(db.clone());
    menu(name, "1").insert(&tx).await.expect("stored");
}

#[tokio::test]
async fn an_uncommitted_transaction_leaves_no_rows() {
    let ctx = admin().await;
    let transaction = ctx.db().begin().await.expect("begun");
    let tx = ctx.with_db(transaction.db().clone());
    menu("Soup", "1").insert(&tx).await.expect("stored");
    assert_eq!(count(&tx).await, 1);
    drop(transaction);
    assert_eq!(count(&ctx).await, 0);
    let late = menu("Late", "1").insert(&tx).await.expect_err("over");
    assert!(late.to_string().contains("has ended"), "{late}");
}

#[tokio::test]
async fn a_transaction_inside_another_joins_it() {
    let ctx = admin().await;
    let outer = ctx.db().begin().await.expect("begun");
    let inner = outer.db().begin().await.expect("joined");
    insert(&ctx, inner.db(), "Soup").await;
    inner.commit().await.expect("committed");
    outer.commit().await.expect("committed");
    assert_eq!(count(&ctx).await, 1);
    let outer = ctx.db().begin().await.expect("begun");
    insert(&ctx, outer.db(), "Stew").await;
    drop(outer.db().begin().await.expect("joined"));
    let committed = outer.commit().await;
    committed.expect_err("the inner one was rolled back");
    assert_eq!(count(&ctx).await, 1);
}

async fn names(ctx: &Context) -> Vec<String> {
    let menus = Menu::unscoped().order_by("menu_id").all(ctx).await;
    let menus = menus.expect("menus").into_iter();
    menus.map(|menu| menu.menu_name).collect()
}

/// Inserts a menu in a savepoint; returns the savepoint.
async fn inserted(ctx: &Context, db: &Db, name: &str) -> Transaction {
    let savepoint = db.savepoint().await.expect("set");
    insert(ctx, savepoint.db(), name).await;
    savepoint
}

#[tokio::test]
async fn a_savepoint_is_rolled_back_alone() {
    let ctx = admin().await;
    let outer = ctx.db().begin().await.expect("begun");
    let kept = inserted(&ctx, outer.db(), "Soup").await;
    kept.commit().await.expect("kept");
    drop(inserted(&ctx, outer.db(), "Stew").await);
    // The end of the outer savepoint ends the inner one.
    let around = inserted(&ctx, outer.db(), "Bread").await;
    let within = inserted(&ctx, around.db(), "Butter").await;
    within.commit().await.expect("kept in the other");
    drop(around);
    let around = inserted(&ctx, outer.db(), "Tea").await;
    drop(inserted(&ctx, around.db(), "Milk").await);
    around.commit().await.expect("kept");
    let last = inserted(&ctx, outer.db(), "Last").await;
    drop(inserted(&ctx, last.db(), "Inner").await);
    drop(last);
    outer.commit().await.expect("committed");
    assert_eq!(names(&ctx).await, ["Soup", "Tea"]);
}

#[tokio::test]
async fn a_failure_within_a_savepoint_is_rolled_back_with_it() {
    let ctx = admin().await;
    let outer = ctx.db().begin().await.expect("begun");
    let savepoint = inserted(&ctx, outer.db(), "Soup").await;
    drop(savepoint.db().begin().await.expect("joined"));
    let committed = savepoint.commit().await;
    committed.expect_err("the inner one was rolled back");
    let kept = inserted(&ctx, outer.db(), "Stew").await;
    kept.commit().await.expect("the failure was undone");
    outer.commit().await.expect("committed");
    assert_eq!(names(&ctx).await, ["Stew"]);
    let alone = inserted(&ctx, ctx.db(), "Tea").await;
    let committed = alone.commit().await;
    committed.expect("outside of a transaction it is one");
    assert_eq!(names(&ctx).await, ["Stew", "Tea"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_wait_for_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_database(in_file(&folder)).await;
    let ctx = app.context();
    menu("Soup", "0").insert(&ctx).await.expect("stored");
    let write = |ctx: Context| async move {
        let transaction = ctx.db().begin().await?;
        let tx = ctx.with_db(transaction.db().clone());
        let mut menu = find(&tx, 1).await;
        menu.menu_price += Decimal::from(1);
        menu.update(&tx).await?;
        transaction.commit().await
    };
    let writers: Vec<_> = (0..16).map(|_| tokio::spawn(write(ctx.clone()))).collect();
    for writer in writers {
        writer.await.expect("ran").expect("written");
    }
    assert_eq!(find(&ctx, 1).await.menu_price.to_string(), "16.0000");
    app.db().close().await;
}

#[tokio::test]
async fn an_exhausted_pool_is_unavailable() {
    let folder = tempfile::tempdir().expect("a folder");
    let ctx = with_one_connection(&folder).await.context();
    let _transaction = ctx.db().begin().await.expect("begun");
    let error = Menu::unscoped().find(&ctx, 1).await;
    let error = error.expect_err("the only connection is taken");
    assert_eq!(error.status(), 503);
}

#[tokio::test]
async fn commits_are_synchronous_as_configured() {
    for (synchronous, expected) in [(Synchronous::Normal, 1), (Synchronous::Full, 2)] {
        let folder = tempfile::tempdir().expect("a folder");
        let options = DatabaseOptions {
            synchronous,
            ..in_file(&folder)
        };
        let app = with_database(options).await;
        let setting = app.db().rows("PRAGMA synchronous", []).await;
        assert_eq!(setting.expect("a setting"), [[Value::Int(expected)]]);
        app.db().close().await;
    }
}

#[tokio::test]
async fn the_pool_of_sqlx_is_beside_the_handle() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = DatabaseOptions {
        max: 2,
        acquire_timeout: Duration::from_secs(5),
        ..in_file(&folder)
    };
    for options in [file, DatabaseOptions::new("sqlite::memory:")] {
        let app = with_database(options).await;
        let ctx = app.context();
        let pool = app.db().sqlite_pool();
        assert_eq!(pool.size(), 0, "unused, it opens nothing");
        menu("Soup", "1").insert(&ctx).await.expect("stored");
        let names = formwork::sqlx::query_scalar::<_, String>("SELECT menu_name FROM menus");
        assert_eq!(names.fetch_all(&pool).await.expect("names"), ["Soup"]);
        let renamed = formwork::sqlx::query("UPDATE menus SET menu_name = 'Stew'");
        renamed.execute(&pool).await.expect("it writes as well");
        assert_eq!(find(&ctx, 1).await.menu_name, "Stew");
        app.db().close().await;
        assert!(pool.is_closed());
    }
}
