//! Statements and transactions that are dropped before their end: by a client that is gone, a time
//! limit, a panic, the end of the program.

use std::time::Duration;

use formwork_data::{
    DataContext,
    database::{DatabaseOptions, Db},
    value::Value,
};

use crate::{TestDatabase, connect, execute_all, on_each, server_of, wait_for_rows};

/// A statement that takes half a minute, and one that finds it while the server is running it.
const SLOW: [[&str; 2]; 2] = [
    [
        "SELECT 1 FROM pg_sleep(30)",
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
         AND state = 'active' AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()",
    ],
    [
        "SELECT SLEEP(30)",
        "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() \
         AND INFO LIKE '%SLEEP(30)%' AND ID <> CONNECTION_ID()",
    ],
];

/// A database, a handle on it with one connection alone, and another that watches it.
async fn create_watched(
    server: &str,
    statement_timeout: Option<Duration>,
) -> (TestDatabase, Db, Db) {
    let database = TestDatabase::create(server).await;
    let options = DatabaseOptions {
        max: 1,
        statement_timeout,
        ..database.options()
    };
    let (db, watcher) = (connect(&options).await, database.connect().await);
    (database, db, watcher)
}

/// Drops a statement while the server is running it.
async fn drop_statement(db: &Db, watcher: &Db, [slow, running]: [&'static str; 2]) {
    tokio::select! {
        done = db.rows(slow, []) => panic!("it takes half a minute: {done:?}"),
        rows = wait_for_rows(watcher, running) => assert_eq!(rows.len(), 1),
    }
}

/// Waits until the server has ended it.
async fn wait_for_end(watcher: &Db, [_, running]: [&'static str; 2]) {
    let ended = format!("SELECT 1 FROM (SELECT 1) AS one WHERE NOT EXISTS ({running})");
    wait_for_rows(watcher, &ended).await;
}

#[tokio::test]
async fn postgresql_ends_a_statement_that_was_given_up() {
    let Some(server) = server_of("postgres") else {
        return;
    };
    let (database, db, watcher) = create_watched(&server, None).await;
    execute_all(&watcher, ["CREATE TABLE seats (id BIGINT)"]).await;
    drop_statement(&db, &watcher, SLOW[0]).await;
    wait_for_end(&watcher, SLOW[0]).await;
    // The locks of its transaction end as well.
    let transaction = db.begin().await.expect("its only connection is free");
    let lock = "LOCK TABLE seats IN ACCESS EXCLUSIVE MODE";
    execute_all(transaction.db(), [lock]).await;
    drop_statement(transaction.db(), &watcher, SLOW[0]).await;
    drop(transaction);
    wait_for_end(&watcher, SLOW[0]).await;
    execute_all(&db, ["INSERT INTO seats VALUES (1)"]).await;
    database.remove([watcher, db]).await;
}

#[tokio::test]
async fn mariadb_ends_a_statement_that_was_given_up_with_its_time() {
    let Some(server) = server_of("mysql") else {
        return;
    };
    let limit = Some(Duration::from_secs(1));
    let (database, db, watcher) = create_watched(&server, limit).await;
    drop_statement(&db, &watcher, SLOW[1]).await;
    wait_for_end(&watcher, SLOW[1]).await;
    let rows = db.rows("SELECT 1", []).await.expect("a free connection");
    assert_eq!(rows[0][0].as_int(), Some(1));
    database.remove([watcher, db]).await;
}

#[tokio::test]
async fn a_transaction_dropped_outside_of_tokio_is_rolled_back() {
    on_each(|ctx, dialect| async move {
        let table = "CREATE TABLE seats (id INTEGER)";
        ctx.db().execute(table, []).await.expect("a table");
        // More often than there are connections.
        for id in 0..20_i64 {
            let transaction = ctx.db().begin().await.expect("begun");
            let insert = "INSERT INTO seats VALUES (?)";
            let inserted = transaction.db().execute(insert, [Value::from(id)]).await;
            inserted.expect("a row");
            let dropped = std::thread::spawn(move || drop(transaction)).join();
            dropped.unwrap_or_else(|_| panic!("{dialect}"));
        }
        let rows = ctx.db().rows("SELECT count(*) FROM seats", []).await;
        assert_eq!(rows.expect("a count")[0][0].as_int(), Some(0), "{dialect}");
    })
    .await;
}
