//! Transactions, and several callers at once.

use std::time::Duration;

use formwork::database::DatabaseOptions;
use formwork::prelude::*;

use crate::service::{admin, with_database};
use crate::tables::{Menu, menu};

async fn count(ctx: &Context) -> u64 {
    Menu::query().count(ctx).await.expect("counted")
}

#[tokio::test]
async fn what_is_not_committed_never_was() {
    let ctx = admin().await;
    let transaction = ctx.db().begin().await.expect("begun");
    let inside = ctx.with_db(transaction.db().clone());
    menu("Soup", "1").insert(&inside).await.expect("stored");
    assert_eq!(count(&inside).await, 1);
    drop(transaction);
    assert_eq!(count(&ctx).await, 0);
    let late = menu("Late", "1").insert(&inside).await.expect_err("over");
    assert!(late.to_string().contains("over"), "{late}");
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
                let mut menu = Menu::find(&inside, 1).await?.unwrap_or_default();
                menu.menu_price += Decimal::from(1);
                menu.update(&inside).await?;
                transaction.commit().await
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("ran").expect("written");
    }
    let soup = Menu::find(&ctx, 1).await.expect("found").expect("a menu");
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
    let error = Menu::find(&ctx, 1)
        .await
        .expect_err("the only connection is taken");
    assert_eq!(error.status().as_u16(), 503);
    drop(held);
}
