//! Transactions in which a statement failed. PostgreSQL aborts them, and answers COMMIT with ROLLBACK.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};

use formwork_data::{
    database::{DatabaseOptions, Db, Isolation, Transaction},
    error::Error,
    model::change,
};

use crate::{
    TestContext, TestDatabase, connect, on, on_each, server_of,
    statements::{dish, insert, price, slugs, tables},
    wait_for_lock,
};

/// A statement that the unique index rejects.
const TAKEN: &str = "INSERT INTO dishes (slug, price) VALUES ('soup', 1)";

async fn with_soup(ctx: &TestContext, dialect: &str) {
    tables(ctx, dialect).await;
    store(&ctx.db, "soup").await;
}

async fn store(db: &Db, slug: &str) {
    insert(&TestContext::new(db), dish(slug, 1)).await;
}

async fn names(ctx: &TestContext) -> Vec<String> {
    let slugs = slugs(ctx).await.into_iter();
    slugs.map(|(slug, _)| slug).collect()
}

#[tokio::test]
async fn a_transaction_whose_first_statement_was_refused_goes_on() {
    on_each(|ctx, dialect| async move {
        with_soup(&ctx, dialect).await;
        let (transaction, tx) = ctx.begin().await;
        for other in ["stew", "salad"] {
            let refused = change::insert(&tx, &mut dish("soup", 1)).await;
            assert!(matches!(refused, Err(Error::Validation(_))), "{refused:?}");
            store(&tx.db, other).await;
        }
        assert_eq!(names(&ctx).await, ["soup"], "{dialect}: not committed yet");
        drop(tx);
        transaction.commit().await.expect("committed");
        assert_eq!(names(&ctx).await, ["soup", "stew", "salad"], "{dialect}");
    })
    .await;
}

#[tokio::test]
async fn a_commit_after_an_ignored_failure_keeps_everything_or_fails() {
    on_each(|ctx, dialect| async move {
        with_soup(&ctx, dialect).await;
        let transaction = ctx.db.begin().await.expect("begun");
        store(transaction.db(), "stew").await;
        let refused = transaction.db().execute(TAKEN, []).await;
        assert!(matches!(refused, Err(Error::Validation(_))), "{refused:?}");
        let followed = Arc::new(AtomicBool::new(false));
        let follows = Arc::clone(&followed);
        transaction.after_commit(async move { follows.store(true, SeqCst) });
        let committed = transaction.commit().await;
        assert_eq!(followed.load(SeqCst), committed.is_ok(), "{dialect}");
        if dialect == "postgres" {
            let why = committed.expect_err("it was aborted").to_string();
            assert!(why.contains("dishes_slug_menu_unique"), "{why}");
            assert_eq!(names(&ctx).await, ["soup"], "{dialect}");
        } else {
            committed.expect("only the statement was undone");
            assert_eq!(names(&ctx).await, ["soup", "stew"], "{dialect}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_failure_rolled_back_to_a_savepoint_does_not_fail_the_commit() {
    on_each(|ctx, dialect| async move {
        with_soup(&ctx, dialect).await;
        let transaction = ctx.db.begin().await.expect("begun");
        let savepoint = transaction.db().savepoint().await.expect("set");
        let refused = savepoint.db().execute(TAKEN, []).await;
        refused.expect_err("taken");
        drop(savepoint);
        store(transaction.db(), "stew").await;
        transaction.commit().await.expect(dialect);
        assert_eq!(names(&ctx).await, ["soup", "stew"], "{dialect}");
    })
    .await;
}

#[tokio::test]
async fn no_statement_after_the_failure_is_committed_by_itself() {
    on(&["postgres"], |ctx, dialect| async move {
        with_soup(&ctx, dialect).await;
        let (transaction, tx) = ctx.begin().await;
        let refused = tx.db.execute(TAKEN, []).await;
        refused.expect_err("taken");
        for slug in ["stew", "salad"] {
            let late = change::insert(&tx, &mut dish(slug, 1)).await;
            let why = late.expect_err("it is aborted").to_string();
            assert!(why.contains("has rolled its transaction back"), "{why}");
        }
        drop(tx);
        transaction.commit().await.expect_err("it is aborted");
        assert_eq!(names(&ctx).await, ["soup"]);
        store(&ctx.db, "bread").await;
    })
    .await;
}

#[tokio::test]
async fn failures_on_a_lent_connection_are_seen_by_the_commit() {
    on(&["postgres"], |ctx, dialect| async move {
        with_soup(&ctx, dialect).await;
        for (sql, is_kept) in [("SELECT 1", true), (TAKEN, false), ("ROLLBACK", false)] {
            let transaction = ctx.db.begin().await.expect("begun");
            let name = format!("after {sql}");
            store(transaction.db(), &name).await;
            let mut lent = transaction.db().postgres().await.expect("lent");
            let sent = formwork_data::sqlx::raw_sql(sql).execute(&mut *lent).await;
            assert_eq!(sent.is_err(), sql == TAKEN, "{sent:?}");
            drop(lent);
            let committed = transaction.commit().await;
            assert_eq!(committed.is_ok(), is_kept, "{sql}: {committed:?}");
            let is_there = names(&ctx).await.contains(&name);
            assert_eq!(is_there, is_kept, "{sql}");
        }
    })
    .await;
}

/// Two transactions of a service with `database.isolation: serializable`; both have read all rows.
async fn serializable(database: &TestDatabase) -> (TestContext, Transaction, Transaction) {
    let options = DatabaseOptions {
        isolation: Some(Isolation::Serializable),
        ..database.options()
    };
    let ctx = TestContext::new(&connect(&options).await);
    tables(&ctx, "postgres").await;
    for slug in ["a", "b"] {
        store(&ctx.db, slug).await;
    }
    let ((one, _), (other, _)) = (ctx.begin().await, ctx.begin().await);
    for transaction in [&one, &other] {
        let sum = "SELECT sum(price) FROM dishes";
        transaction.db().rows(sum, []).await.expect("a sum");
    }
    (ctx, one, other)
}

#[tokio::test]
async fn serialization_failures_are_503_at_the_statement_and_at_the_commit() {
    let Some(server) = server_of("postgres") else {
        return;
    };
    for at_commit in [false, true] {
        let database = TestDatabase::create(&server).await;
        let (ctx, one, other) = serializable(&database).await;
        price(one.db(), 1).await.expect("changed");
        if at_commit {
            // Each changes what the other has read.
            price(other.db(), 2).await.expect("changed");
            one.commit().await.expect("the first one");
        } else {
            one.commit().await.expect("the first one");
            for id in [1, 2] {
                let late = price(other.db(), id).await;
                assert!(
                    matches!(late, Err(Error::Unavailable(_) | Error::Deadlock)),
                    "{late:?}"
                );
            }
        }
        let committed = other.commit().await;
        let is_busy = matches!(committed, Err(Error::Unavailable(_) | Error::Deadlock));
        assert!(is_busy, "{at_commit}: {committed:?}");
        let expected = [("a".to_owned(), 2), ("b".to_owned(), 1)];
        assert_eq!(slugs(&ctx).await, expected);
        database.remove([ctx.db]).await;
    }
}

#[tokio::test]
async fn a_statement_by_itself_is_sent_again_until_it_can_be_serialised() {
    let Some(server) = server_of("postgres") else {
        return;
    };
    let database = TestDatabase::create(&server).await;
    let (ctx, one, other) = serializable(&database).await;
    drop(other);
    price(one.db(), 1).await.expect("changed");
    let commits = async {
        wait_for_lock(&ctx.db).await;
        one.commit().await.expect("committed");
    };
    let (changed, ()) = tokio::join!(price(&ctx.db, 1), commits);
    assert_eq!(changed.expect("sent again"), 1);
    assert_eq!(slugs(&ctx).await[0], ("a".to_owned(), 3));
    database.remove([ctx.db]).await;
}
