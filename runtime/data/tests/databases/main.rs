//! The same tests on SQLite, and on the servers that `FORMWORK_TEST_POSTGRES_URL` and
//! `FORMWORK_TEST_MYSQL_URL` name.

#[macro_use]
#[path = "../../../tests/databases/model.rs"]
mod model;

/// Migrations with the same SQL on each database.
macro_rules! migrations {
    ($($version:literal $name:literal $sql:literal)*) => {
        &[$(version($version, $name, &each($sql))),*]
    };
}

mod aborted;
mod copies;
mod down;
mod foreign_tables;
mod given_up;
mod linked;
mod messages;
mod migrations;
mod mismatched;
mod round_trips;
mod sent_again;
mod shares;
#[path = "../../../../tests/skipped.rs"]
mod skipped;
mod statements;
mod vanished;

use std::time::{Duration, Instant};

use formwork_data::{
    DataContext,
    database::{DatabaseOptions, Db, Transaction, create_temporary, remove_temporary},
    migration::Migration,
    value::{DateTime, Uuid, Value},
};
use skipped::address;

/// The context of an operation on a test's database.
struct TestContext {
    db: Db,
}

impl TestContext {
    fn new(db: &Db) -> Self {
        Self { db: db.clone() }
    }

    /// Begins a transaction; returns it and its context.
    async fn begin(&self) -> (Transaction, Self) {
        let transaction = self.db.begin().await.expect("begun");
        let tx = Self::new(transaction.db());
        (transaction, tx)
    }
}

impl DataContext for TestContext {
    fn db(&self) -> &Db {
        &self.db
    }

    fn now(&self) -> DateTime {
        formwork_data::literal::datetime("2026-01-31T12:00:00Z")
    }
}

/// An empty database for one test.
struct TestDatabase {
    server: String,
    name: String,
    url: String,
}

impl TestDatabase {
    async fn create(server: &str) -> Self {
        let name = format!("test_{}", Uuid::now_v7().simple());
        let url = create_temporary(server, &name).await;
        Self {
            server: server.to_owned(),
            url: url.expect("a database"),
            name,
        }
    }

    fn options(&self) -> DatabaseOptions {
        DatabaseOptions {
            acquire_timeout: Duration::from_secs(10),
            ..DatabaseOptions::new(&self.url)
        }
    }

    async fn connect(&self) -> Db {
        connect(&self.options()).await
    }

    /// Closes the handles, and removes the database.
    async fn remove(self, handles: impl IntoIterator<Item = Db>) {
        for db in handles {
            db.close().await;
        }
        let removed = remove_temporary(&self.server, &self.name).await;
        removed.expect("removed");
    }
}

async fn connect(options: &DatabaseOptions) -> Db {
    Db::connect(options).await.expect("connected")
}

/// The address of a server, if it is set.
fn server_of(dialect: &str) -> Option<String> {
    match dialect {
        "sqlite" => Some("sqlite:".to_owned()),
        "postgres" => address("FORMWORK_TEST_POSTGRES_URL"),
        _ => address("FORMWORK_TEST_MYSQL_URL"),
    }
}

/// SQLite, and the servers of the tests that are set.
fn servers() -> Vec<String> {
    let all = ["sqlite", "postgres", "mysql"];
    all.into_iter().filter_map(server_of).collect()
}

/// Runs a test on these databases; it gets the name of each.
async fn on<F: Future<Output = ()>>(
    dialects: &[&'static str],
    test: impl Fn(TestContext, &'static str) -> F,
) {
    for dialect in dialects {
        if let Some(server) = server_of(dialect) {
            let (ctx, database) = create_context(&server).await;
            let db = ctx.db.clone();
            test(ctx, dialect).await;
            database.remove([db]).await;
        }
    }
}

async fn on_each<F: Future<Output = ()>>(test: impl Fn(TestContext, &'static str) -> F) {
    on(&["sqlite", "postgres", "mysql"], test).await;
}

/// Runs a test on the servers: SQLite has one writer at a time.
async fn on_servers<F: Future<Output = ()>>(test: impl Fn(TestContext, &'static str) -> F) {
    on(&["postgres", "mysql"], test).await;
}

/// Creates an empty database on a server.
async fn create_context(server: &str) -> (TestContext, TestDatabase) {
    let database = TestDatabase::create(server).await;
    let db = database.connect().await;
    // The collation of new tables is set with the table of migrations.
    let migrated = formwork_data::migration::run(&db, &[]).await;
    migrated.expect("migrated");
    (TestContext { db }, database)
}

/// Waits until this query returns rows; returns them.
async fn wait_for_rows(db: &Db, sql: &str) -> Vec<Vec<Value>> {
    let began = Instant::now();
    loop {
        let rows = db.rows(sql.to_owned(), []).await.expect("rows");
        if !rows.is_empty() {
            return rows;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "no rows: {sql}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Finds a statement that waits for a lock. MariaDB refreshes its list of locks only while nothing reads
/// it, so there it is a statement that takes long.
const LOCKED: [&str; 3] = [
    "",
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND COMMAND <> 'Sleep' \
     AND TIME_MS > 200 AND ID <> CONNECTION_ID()",
];

/// Waits until a statement waits for a lock.
async fn wait_for_lock(db: &Db) {
    wait_for_rows(db, of(db.dialect().name(), LOCKED)).await;
}

const fn version(
    version: i64,
    name: &'static str,
    sql: &'static [(&'static str, &'static str)],
) -> Migration {
    Migration { version, name, sql }
}

/// The same SQL on each database.
const fn each(sql: &'static str) -> [(&'static str, &'static str); 3] {
    [("sqlite", sql), ("postgres", sql), ("mysql", sql)]
}

/// The text for a database.
fn of(dialect: &str, [sqlite, postgres, mysql]: [&'static str; 3]) -> &'static str {
    match dialect {
        "sqlite" => sqlite,
        "postgres" => postgres,
        _ => mysql,
    }
}

/// Executes statements that must succeed.
async fn execute_all(db: &Db, statements: impl IntoIterator<Item = &'static str>) {
    for sql in statements {
        db.execute(sql, []).await.expect(sql);
    }
}
