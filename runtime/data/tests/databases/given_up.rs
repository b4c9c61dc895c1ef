//! Statements and transactions that are dropped before their end: by a client that is gone, a time
//! limit, a panic, the end of the program.

use std::time::{Duration, Instant};

use formwork_data::{
    DataContext,
    database::{DatabaseOptions, Db, create_temporary, remove_temporary},
    value::{Uuid, Value},
};

use crate::{address, connected, on_each};

/// A statement that takes half a minute, and how many of its kind the server is running.
const SLOW: [[&str; 2]; 2] = [
    [
        "SELECT 1 FROM pg_sleep(30)",
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
         AND state = 'active' AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()",
    ],
    [
        "SELECT SLEEP(30)",
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() \
         AND INFO LIKE '%SLEEP(30)%' AND ID <> CONNECTION_ID()",
    ],
];

/// Waits until the server runs none of them; returns how long that took.
async fn ended(db: &Db, running: &'static str) -> Duration {
    let began = Instant::now();
    loop {
        let rows = db.rows(running, []).await.expect("a count");
        if rows[0][0].as_int() == Some(0) {
            return began.elapsed();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A handle on the same database with one connection alone.
async fn with_one_connection(url: &str, statement_timeout: Option<Duration>) -> Db {
    let mut options = DatabaseOptions::new(url);
    options.max = 1;
    options.acquire_timeout = Duration::from_secs(10);
    options.statement_timeout = statement_timeout;
    Db::connect(&options).await.expect("connected")
}

async fn gives_up(db: &Db, slow: &'static str) {
    let patience = Duration::from_millis(300);
    let outcome = tokio::time::timeout(patience, db.rows(slow, [])).await;
    outcome.expect_err("it takes half a minute");
}

#[tokio::test]
async fn postgresql_ends_a_statement_that_was_given_up() {
    let Some(server) = address("FORMWORK_TEST_POSTGRES_URL") else {
        return;
    };
    let name = format!("house_{}", Uuid::now_v7().simple());
    let url = create_temporary(&server, &name).await.expect("a database");
    let (watcher, db) = (
        connected(url.clone()).await,
        with_one_connection(&url, None).await,
    );
    let [slow, running] = SLOW[0];
    let table = "CREATE TABLE seats (id BIGINT)";
    watcher.execute(table, []).await.expect("a table");
    gives_up(&db, slow).await;
    assert!(ended(&watcher, running).await < Duration::from_secs(10));
    // With what its transaction wrote and locked.
    let transaction = db.begin().await.expect("its only connection is free");
    let lock = "LOCK TABLE seats IN ACCESS EXCLUSIVE MODE";
    transaction.db().execute(lock, []).await.expect("locked");
    gives_up(transaction.db(), slow).await;
    drop(transaction);
    assert!(ended(&watcher, running).await < Duration::from_secs(10));
    let insert = "INSERT INTO seats VALUES (1)";
    db.execute(insert, []).await.expect("nothing is locked");
    for db in [watcher, db] {
        db.close().await;
    }
    remove_temporary(&server, &name).await.expect("removed");
}

#[tokio::test]
async fn mariadb_ends_a_statement_that_was_given_up_with_its_time() {
    let Some(server) = address("FORMWORK_TEST_MYSQL_URL") else {
        return;
    };
    let name = format!("house_{}", Uuid::now_v7().simple());
    let url = create_temporary(&server, &name).await.expect("a database");
    let watcher = connected(url.clone()).await;
    let db = with_one_connection(&url, Some(Duration::from_secs(1))).await;
    let [slow, running] = SLOW[1];
    gives_up(&db, slow).await;
    // Until then it has its connection: no more of them run than there are connections.
    assert!(ended(&watcher, running).await < Duration::from_secs(10));
    let rows = db.rows("SELECT 1", []).await.expect("a free connection");
    assert_eq!(rows[0][0].as_int(), Some(1));
    for db in [watcher, db] {
        db.close().await;
    }
    remove_temporary(&server, &name).await.expect("removed");
}

#[tokio::test]
async fn a_transaction_dropped_outside_of_tokio_is_rolled_back() {
    on_each(|house, dialect| async move {
        let table = "CREATE TABLE seats (id INTEGER)";
        house.db().execute(table, []).await.expect("a table");
        // More often than there are connections.
        for id in 0..20_i64 {
            let transaction = house.db().begin().await.expect("begun");
            let insert = "INSERT INTO seats VALUES (?)";
            let inserted = transaction.db().execute(insert, [Value::from(id)]).await;
            inserted.expect("a row");
            let dropped = std::thread::spawn(move || drop(transaction)).join();
            dropped.unwrap_or_else(|_| panic!("{dialect}"));
        }
        let rows = house.db().rows("SELECT count(*) FROM seats", []).await;
        assert_eq!(rows.expect("a count")[0][0].as_int(), Some(0), "{dialect}");
    })
    .await;
}
