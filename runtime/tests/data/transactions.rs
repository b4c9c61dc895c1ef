//! Transactions, and several callers at once.

use std::time::{Duration, Instant};

use formwork::auth::{Abilities, AccountKind, NewToken};
use formwork::data::database::Synchronous;
use formwork::data::database::{DatabaseOptions, Db, Transaction};
use formwork::prelude::*;

use crate::service::{admin, with_database};
use crate::tables::{Menu, menu};

async fn count(ctx: &Context) -> u64 {
    Menu::unscoped().count(ctx).await.expect("counted")
}

#[tokio::test]
async fn an_uncommitted_transaction_leaves_no_rows() {
    let ctx = admin().await;
    let transaction = ctx.db().begin().await.expect("begun");
    let inside = ctx.with_db(transaction.db().clone());
    menu("Soup", "1").insert(&inside).await.expect("stored");
    assert_eq!(count(&inside).await, 1);
    drop(transaction);
    assert_eq!(count(&ctx).await, 0);
    let late = menu("Late", "1").insert(&inside).await.expect_err("over");
    assert!(late.to_string().contains("has ended"), "{late}");
}

#[tokio::test]
async fn a_transaction_inside_another_joins_it() {
    let ctx = admin().await;
    let outer = ctx.db().begin().await.expect("begun");
    let inner = outer.db().begin().await.expect("joined");
    menu("Soup", "1")
        .insert(&ctx.with_db(inner.db().clone()))
        .await
        .expect("stored");
    inner.commit().await.expect("committed");
    outer.commit().await.expect("committed");
    assert_eq!(count(&ctx).await, 1);
    let outer = ctx.db().begin().await.expect("begun");
    menu("Stew", "1")
        .insert(&ctx.with_db(outer.db().clone()))
        .await
        .expect("stored");
    drop(outer.db().begin().await.expect("joined"));
    assert!(outer.commit().await.is_err(), "half of it was given up");
    assert_eq!(count(&ctx).await, 1);
}

async fn names(ctx: &Context) -> Vec<String> {
    let menus = Menu::unscoped().order_by("menu_id").all(ctx).await;
    menus
        .expect("menus")
        .into_iter()
        .map(|menu| menu.menu_name)
        .collect()
}

/// Inserts a menu in a savepoint; returns the savepoint.
async fn inserted(ctx: &Context, db: &Db, name: &str) -> Transaction {
    let savepoint = db.savepoint().await.expect("set");
    let inside = ctx.with_db(savepoint.db().clone());
    menu(name, "1").insert(&inside).await.expect("stored");
    savepoint
}

#[tokio::test]
async fn a_savepoint_is_rolled_back_alone() {
    let ctx = admin().await;
    let outer = ctx.db().begin().await.expect("begun");
    let kept = inserted(&ctx, outer.db(), "Soup").await;
    kept.commit().await.expect("kept");
    drop(inserted(&ctx, outer.db(), "Stew").await);
    // Of nested ones, the outer ends the inner.
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
    savepoint
        .commit()
        .await
        .expect_err("half of it was given up");
    let kept = inserted(&ctx, outer.db(), "Stew").await;
    kept.commit().await.expect("the failure was undone");
    outer.commit().await.expect("committed");
    assert_eq!(names(&ctx).await, ["Stew"]);
    let alone = inserted(&ctx, ctx.db(), "Tea").await;
    alone
        .commit()
        .await
        .expect("outside of a transaction it is one");
    assert_eq!(names(&ctx).await, ["Stew", "Tea"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_wait_for_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}/new/data.sqlite", folder.path().display());
    let app = with_database(&DatabaseOptions::new(url)).await;
    let ctx = app.context();
    menu("Soup", "0").insert(&ctx).await.expect("stored");
    let writers: Vec<_> = (0..16)
        .map(|_| {
            let ctx = ctx.clone();
            tokio::spawn(async move {
                let transaction = ctx.db().begin().await?;
                let inside = ctx.with_db(transaction.db().clone());
                let mut menu = Menu::unscoped().find(&inside, 1).await?.unwrap_or_default();
                menu.menu_price += Decimal::from(1);
                menu.update(&inside).await?;
                transaction.commit().await
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("ran").expect("written");
    }
    let soup = Menu::unscoped()
        .find(&ctx, 1)
        .await
        .expect("found")
        .expect("a menu");
    assert_eq!(soup.menu_price.to_string(), "16.0000");
    app.db().close().await;
}

#[tokio::test]
async fn an_exhausted_pool_is_unavailable() {
    let options = DatabaseOptions {
        acquire_timeout: Duration::from_millis(50),
        ..DatabaseOptions::new("sqlite::memory:")
    };
    let ctx = with_database(&options).await.context();
    let held = ctx.db().begin().await.expect("begun");
    let error = Menu::unscoped()
        .find(&ctx, 1)
        .await
        .expect_err("the only connection is taken");
    assert_eq!(error.status().as_u16(), 503);
    drop(held);
}

/// Two connections to a file.
fn two(folder: &tempfile::TempDir, acquire_timeout: Duration) -> DatabaseOptions {
    let url = format!("sqlite://{}/data.sqlite", folder.path().display());
    DatabaseOptions {
        max: 2,
        acquire_timeout,
        ..DatabaseOptions::new(url)
    }
}

#[tokio::test]
async fn a_statement_that_writes_and_returns_rows_waits_without_a_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_database(&two(&folder, Duration::from_secs(1))).await;
    let migrated = formwork::data::migration::run(app.db(), app.migrations()).await;
    migrated.expect("the table of tokens");
    let held = app.db().begin().await.expect("begun");
    let token = NewToken {
        kind: AccountKind::Admin,
        account: 1,
        name: "test".to_owned(),
        abilities: Abilities::parse(["*"]).expect("abilities"),
        expires_at: None,
    };
    let began = Instant::now();
    let (token, menus) = tokio::join!(token.insert(app.db(), app.now()), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        Menu::unscoped().count(&app.context()).await
    });
    assert_eq!(menus.expect("a reader does not wait"), 0);
    assert_eq!(token.expect_err("a writer does").status().as_u16(), 503);
    // SQLite itself waits for five seconds.
    assert!(began.elapsed() < Duration::from_secs(4));
    drop(held);
    app.db().close().await;
}

#[tokio::test]
async fn commits_are_synchronous_as_configured() {
    for (synchronous, expected) in [(Synchronous::Normal, 1), (Synchronous::Full, 2)] {
        let folder = tempfile::tempdir().expect("a folder");
        let options = DatabaseOptions {
            synchronous,
            ..two(&folder, Duration::from_secs(5))
        };
        let app = with_database(&options).await;
        let setting = app.db().rows("PRAGMA synchronous", []).await;
        assert_eq!(setting.expect("a setting"), [[Value::Int(expected)]]);
        app.db().close().await;
    }
}

#[tokio::test]
async fn the_pool_of_sqlx_is_beside_the_handle() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = two(&folder, Duration::from_secs(5));
    for options in [file, DatabaseOptions::new("sqlite::memory:")] {
        let app = with_database(&options).await;
        let pool = app.db().sqlite_pool();
        assert_eq!(pool.size(), 0, "unused, it opens nothing");
        menu("Soup", "1")
            .insert(&app.context())
            .await
            .expect("stored");
        let names = formwork::sqlx::query_scalar::<_, String>("SELECT menu_name FROM menus");
        assert_eq!(names.fetch_all(&pool).await.expect("names"), ["Soup"]);
        let renamed = formwork::sqlx::query("UPDATE menus SET menu_name = 'Stew'");
        renamed.execute(&pool).await.expect("it writes as well");
        let stew = Menu::unscoped()
            .find(&app.context(), 1)
            .await
            .expect("found");
        assert_eq!(stew.expect("a menu").menu_name, "Stew");
        app.db().close().await;
        assert!(pool.is_closed());
    }
}
