use std::{future::poll_fn, str::FromStr, task::Poll};

use super::*;

async fn open(options: DatabaseOptions) -> ConnectionPool {
    let connect = SqliteConnectOptions::from_str(&options.url).expect("an address");
    let in_memory = options.url.contains(":memory:");
    let pool = ConnectionPool::open(connect, options, in_memory).await;
    pool.expect("a database")
}

/// Opens a pool of so many connections to a file.
async fn pool(max: u32) -> (ConnectionPool, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (open(options(max, &folder)).await, folder)
}

fn options(max: u32, folder: &tempfile::TempDir) -> DatabaseOptions {
    let url = format!("sqlite://{}", folder.path().join("t.sqlite").display());
    DatabaseOptions {
        max,
        acquire_timeout: Duration::from_millis(200),
        ..DatabaseOptions::new(url)
    }
}

async fn get(pool: &ConnectionPool) -> PooledConnection {
    pool.get().await.expect("a connection")
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) {
    let done = sqlx::query(sql).execute(connection).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

async fn create_table(pool: &ConnectionPool) {
    let mut connection = get(pool).await;
    run(&mut connection, "CREATE TABLE t (a)").await;
    connection.done();
}

async fn count(pool: &ConnectionPool) -> i64 {
    let mut connection = get(pool).await;
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM t");
    let count = count.fetch_one(&mut *connection).await.expect("a count");
    connection.done();
    count
}

#[tokio::test]
async fn a_connection_that_comes_back_is_used_again_and_the_wait_for_it_has_a_limit() {
    let (pool, _folder) = pool(1).await;
    let connection = get(&pool).await;
    let fault = pool.get().await.err().expect("none is left");
    assert!(matches!(fault, Fault::Busy(_)), "{fault:?}");
    let waiting = pool.clone();
    let waiting = tokio::spawn(async move { waiting.get().await.map(PooledConnection::done) });
    connection.done();
    assert!(waiting.await.expect("a task").is_ok());
    assert_eq!(pool.0.pool.status().size, 1);
}

#[tokio::test]
async fn an_abandoned_transaction_is_rolled_back_at_once() {
    let (pool, _folder) = pool(2).await;
    create_table(&pool).await;
    let mut abandoned = pool.begin().await.expect("a transaction");
    let mut other = get(&pool).await;
    run(&mut abandoned, "INSERT INTO t VALUES (1)").await;
    drop(abandoned);
    // It does not wait until the first is used again.
    run(&mut other, "INSERT INTO t VALUES (2)").await;
    other.done();
    assert_eq!(count(&pool).await, 1);
}

#[tokio::test]
async fn an_abandoned_commit_is_brought_to_its_end() {
    let (pool, _folder) = pool(1).await;
    create_table(&pool).await;
    for rows in 1..=3 {
        let mut tx = pool.begin().await.expect("a transaction");
        run(&mut tx, "INSERT INTO t VALUES (1)").await;
        let mut commit = Box::pin(tx.commit());
        let polled = poll_fn(|task| Poll::Ready(commit.as_mut().poll(task)));
        assert!(polled.await.is_pending());
        drop(commit);
        assert_eq!(count(&pool).await, rows);
    }
}

/// Counts for ever.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT COUNT(*) FROM n";

#[tokio::test]
async fn an_abandoned_statement_ends_and_its_connection_is_as_before() {
    let (pool, _folder) = pool(1).await;
    for _ in 0..3 {
        let mut connection = get(&pool).await;
        let endless = sqlx::query(ENDLESS).fetch_all(&mut *connection);
        let result = tokio::time::timeout(Duration::from_millis(50), endless).await;
        assert!(result.is_err(), "it has no end: {result:?}");
    }
    create_table(&pool).await;
    // Far more steps than between two checks for an abort.
    let many = "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                LIMIT 100000) SELECT i FROM n";
    run(&mut *get(&pool).await, many).await;
}

#[tokio::test]
async fn a_connection_without_foreign_keys_is_not_used_again() {
    let (pool, _folder) = pool(1).await;
    run(&mut *get(&pool).await, "PRAGMA foreign_keys = OFF").await;
    let mut connection = get(&pool).await;
    let on = sqlx::query_scalar("PRAGMA foreign_keys");
    let on: bool = on.fetch_one(&mut *connection).await.expect("a setting");
    assert!(on);
}

#[tokio::test]
async fn a_database_in_memory_outlives_its_connections() {
    let options = DatabaseOptions::new("sqlite::memory:");
    let pool = open(DatabaseOptions { max: 1, ..options }).await;
    create_table(&pool).await;
    run(&mut *get(&pool).await, "PRAGMA foreign_keys = OFF").await;
    assert_eq!(count(&pool).await, 0);
}

#[tokio::test]
async fn unused_connections_are_closed_but_for_the_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let pool = open(DatabaseOptions {
        min: 1,
        idle_timeout: Some(Duration::from_millis(100)),
        ..options(3, &folder)
    });
    let pool = pool.await;
    let used = [get(&pool).await, get(&pool).await, get(&pool).await];
    used.into_iter().for_each(PooledConnection::done);
    assert_eq!(pool.0.pool.status().size, 3);
    let reduced = async {
        while pool.0.pool.status().size == 3 {
            sleep(MAINTENANCE / 10).await;
        }
    };
    let reduced = tokio::time::timeout(30 * MAINTENANCE, reduced).await;
    reduced.expect("unused connections are closed");
    assert_eq!(pool.0.pool.status().size, 1);
}

#[tokio::test]
async fn closing_waits_for_connections_in_use_and_hands_out_no_more() {
    let (pool, _folder) = pool(1).await;
    let connection = get(&pool).await;
    let closing = pool.clone();
    let closing = tokio::spawn(async move { closing.close().await });
    sleep(Duration::from_millis(50)).await;
    assert!(!closing.is_finished());
    connection.done();
    closing.await.expect("closed");
    assert!(pool.get().await.is_err());
}

#[test]
fn a_connection_may_outlive_the_runtime() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (connection, _folder) = runtime.block_on(async {
        let (pool, folder) = pool(1).await;
        (get(&pool).await, folder)
    });
    drop(runtime);
    drop(connection);
}
