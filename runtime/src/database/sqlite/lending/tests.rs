use std::str::FromStr;

use super::*;

async fn connections(file: &tempfile::TempDir, bounds: Bounds) -> Connections {
    let url = format!("sqlite://{}", file.path().join("t.sqlite").display());
    let options = SqliteConnectOptions::from_str(&url).expect("a path");
    Connections::open(options.create_if_missing(true), bounds)
        .await
        .expect("a file")
}

const BOUNDS: Bounds = Bounds {
    most: 1,
    kept: 0,
    patience: Duration::from_millis(200),
    rest: None,
};

async fn run(lent: &mut Lent, sql: &'static str) {
    let done = sqlx::query(sql).execute(&mut **lent).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

#[tokio::test]
async fn one_that_comes_back_is_lent_again_and_nobody_waits_for_ever() {
    let file = tempfile::tempdir().expect("a folder");
    let connections = connections(&file, BOUNDS).await;
    let lent = connections.lend().await.expect("a connection");
    let fault = connections.lend().await.err().expect("none is left");
    assert!(matches!(fault, Fault::Busy(_)), "{fault:?}");
    let waiting = connections.clone();
    let waiting = tokio::spawn(async move { waiting.lend().await.map(Lent::done) });
    lent.done();
    assert!(waiting.await.expect("a task").is_ok());
    assert_eq!(connections.0.free().len(), 1);
}

#[tokio::test]
async fn what_was_given_up_is_rolled_back_before_the_next_has_it() {
    let file = tempfile::tempdir().expect("a folder");
    let connections = connections(&file, BOUNDS).await;
    let mut lent = connections.lend().await.expect("a connection");
    run(&mut lent, "CREATE TABLE t (a)").await;
    run(&mut lent, "BEGIN IMMEDIATE").await;
    run(&mut lent, "INSERT INTO t VALUES (1)").await;
    drop(lent);
    let mut lent = connections.lend().await.expect("a connection");
    run(&mut lent, "BEGIN IMMEDIATE").await;
    let rows = sqlx::query("SELECT a FROM t").fetch_all(&mut *lent).await;
    assert_eq!(rows.expect("rows").len(), 0);
}

/// Counts for ever.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT COUNT(*) FROM n";

#[tokio::test]
async fn a_statement_that_nobody_waits_for_ends_and_its_connection_is_as_before() {
    let file = tempfile::tempdir().expect("a folder");
    let connections = connections(&file, BOUNDS).await;
    for _ in 0..3 {
        let mut lent = connections.lend().await.expect("it came back");
        let endless = sqlx::query(ENDLESS).fetch_all(&mut *lent);
        let waited = tokio::time::timeout(Duration::from_millis(50), endless).await;
        assert!(waited.is_err(), "it has no end: {waited:?}");
        drop(lent);
    }
    let mut lent = connections.lend().await.expect("a connection");
    run(&mut lent, "CREATE TABLE t (a)").await;
    // Far more steps than there are between two looks at whether to stop.
    let many = "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                LIMIT 100000) SELECT i FROM n";
    run(&mut lent, many).await;
}

#[tokio::test]
async fn what_is_finishing_is_not_interrupted() {
    let file = tempfile::tempdir().expect("a folder");
    let connections = connections(&file, BOUNDS).await;
    let mut lent = connections.lend().await.expect("a connection");
    run(&mut lent, "CREATE TABLE t (a)").await;
    lent.finishing();
    let many = "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                LIMIT 1000000) SELECT i FROM n";
    let inserting = sqlx::query(many).execute(&mut *lent);
    let waited = tokio::time::timeout(Duration::from_millis(20), inserting).await;
    assert!(waited.is_err(), "it takes its time");
    drop(lent);
    let patience = Duration::from_secs(20);
    let place = tokio::time::timeout(patience, connections.0.places.acquire());
    drop(place.await.expect("it ends").expect("open"));
    let mut lent = connections.lend().await.expect("a connection");
    let rows = sqlx::query("SELECT a FROM t").fetch_all(&mut *lent).await;
    assert_eq!(rows.expect("rows").len(), 1_000_000);
}

#[tokio::test]
async fn those_that_nobody_uses_are_closed_but_for_the_kept() {
    let file = tempfile::tempdir().expect("a folder");
    let rest = Some(Duration::from_millis(100));
    let bounds = Bounds {
        most: 3,
        kept: 1,
        rest,
        ..BOUNDS
    };
    let connections = connections(&file, bounds).await;
    let mut lent = Vec::new();
    for _ in 0..3 {
        lent.push(connections.lend().await.expect("a connection"));
    }
    lent.into_iter().for_each(Lent::done);
    assert_eq!(connections.0.free().len(), 3);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(connections.0.free().len(), 1);
}

#[tokio::test]
async fn closing_waits_for_what_is_lent_and_lends_no_more() {
    let file = tempfile::tempdir().expect("a folder");
    let connections = connections(&file, BOUNDS).await;
    let lent = connections.lend().await.expect("a connection");
    let closing = connections.clone();
    let closing = tokio::spawn(async move { closing.close().await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!closing.is_finished());
    lent.done();
    closing.await.expect("closed");
    assert!(connections.lend().await.is_err());
}

#[test]
fn a_loan_may_outlive_the_runtime() {
    let file = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let lent = runtime.block_on(async {
        let connections = connections(&file, BOUNDS).await;
        connections.lend().await.expect("a connection")
    });
    drop(runtime);
    drop(lent);
}
