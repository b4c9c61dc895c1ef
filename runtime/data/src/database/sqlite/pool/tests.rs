use std::str::FromStr;

use super::*;

async fn open(options: DatabaseOptions) -> ConnectionPool {
    let connect = SqliteConnectOptions::from_str(&options.url).expect("an address");
    let pool = ConnectionPool::open(connect, options).await;
    pool.expect("a database")
}

/// So many connections to a file.
fn most(max: u32, file: &tempfile::TempDir) -> DatabaseOptions {
    let url = format!("sqlite://{}", file.path().join("t.sqlite").display());
    DatabaseOptions {
        max,
        acquire_timeout: Duration::from_millis(200),
        ..DatabaseOptions::new(url)
    }
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) {
    let done = sqlx::query(sql).execute(connection).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

async fn count(pool: &ConnectionPool) -> i64 {
    let mut connection = pool.get().await.expect("a connection");
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM t");
    let count = count.fetch_one(&mut *connection).await.expect("a count");
    connection.done();
    count
}

#[tokio::test]
async fn a_connection_that_comes_back_is_used_again_and_the_wait_for_it_has_a_limit() {
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(most(1, &file)).await;
    let connection = pool.get().await.expect("a connection");
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
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(most(2, &file)).await;
    let mut connection = pool.get().await.expect("a connection");
    run(&mut connection, "CREATE TABLE t (a)").await;
    connection.done();
    let mut connection = pool.begin().await.expect("begun");
    let mut other = pool.get().await.expect("another");
    run(&mut connection, "INSERT INTO t VALUES (1)").await;
    drop(connection);
    // It does not wait until the first is used again.
    run(&mut other, "INSERT INTO t VALUES (2)").await;
    other.done();
    assert_eq!(count(&pool).await, 1);
}

#[tokio::test]
async fn an_abandoned_commit_is_brought_to_its_end() {
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(most(1, &file)).await;
    let mut connection = pool.get().await.expect("a connection");
    run(&mut connection, "CREATE TABLE t (a)").await;
    connection.done();
    for rows in 1..=3 {
        let mut connection = pool.begin().await.expect("begun");
        run(&mut connection, "INSERT INTO t VALUES (1)").await;
        let mut commit = Box::pin(connection.commit());
        let polled =
            std::future::poll_fn(|task| std::task::Poll::Ready(commit.as_mut().poll(task)));
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
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(most(1, &file)).await;
    for _ in 0..3 {
        let mut connection = pool.get().await.expect("it came back");
        let endless = sqlx::query(ENDLESS).fetch_all(&mut *connection);
        let waited = tokio::time::timeout(Duration::from_millis(50), endless).await;
        assert!(waited.is_err(), "it has no end: {waited:?}");
    }
    let mut connection = pool.get().await.expect("a connection");
    run(&mut connection, "CREATE TABLE t (a)").await;
    // Far more steps than there are between two looks at whether to stop.
    let many = "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                LIMIT 100000) SELECT i FROM n";
    run(&mut connection, many).await;
}

#[tokio::test]
async fn a_connection_without_foreign_keys_is_not_used_again() {
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(most(1, &file)).await;
    let mut connection = pool.get().await.expect("a connection");
    run(&mut connection, "PRAGMA foreign_keys = OFF").await;
    drop(connection);
    let mut connection = pool.get().await.expect("a connection");
    let on = sqlx::query_scalar("PRAGMA foreign_keys");
    let on: bool = on.fetch_one(&mut *connection).await.expect("a setting");
    assert!(on);
}

#[tokio::test]
async fn a_database_in_memory_outlives_its_connections() {
    let options = DatabaseOptions::new("sqlite::memory:");
    let pool = open(DatabaseOptions { max: 1, ..options }).await;
    let mut connection = pool.get().await.expect("a connection");
    run(&mut connection, "CREATE TABLE t (a)").await;
    run(&mut connection, "PRAGMA foreign_keys = OFF").await;
    drop(connection);
    assert_eq!(count(&pool).await, 0);
}

#[tokio::test]
async fn unused_connections_are_closed_but_for_the_kept() {
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(DatabaseOptions {
        min: 1,
        idle_timeout: Some(Duration::from_millis(100)),
        ..most(3, &file)
    })
    .await;
    let mut used = Vec::new();
    for _ in 0..3 {
        used.push(pool.get().await.expect("a connection"));
    }
    used.into_iter().for_each(PooledConnection::done);
    assert_eq!(pool.0.pool.status().size, 3);
    sleep(MAINTENANCE * 2).await;
    assert_eq!(pool.0.pool.status().size, 1);
}

#[tokio::test]
async fn closing_waits_for_connections_in_use_and_hands_out_no_more() {
    let file = tempfile::tempdir().expect("a folder");
    let pool = open(most(1, &file)).await;
    let connection = pool.get().await.expect("a connection");
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
    let file = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let connection = runtime.block_on(async {
        let pool = open(most(1, &file)).await;
        pool.get().await.expect("a connection")
    });
    drop(runtime);
    drop(connection);
}
