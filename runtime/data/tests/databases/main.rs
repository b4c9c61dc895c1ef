//! The same tests on SQLite, and on the servers that `FORMWORK_TEST_POSTGRES_URL` and
//! `FORMWORK_TEST_MYSQL_URL` name.

mod aborted;
mod copies;
mod down;
mod foreign_tables;
mod given_up;
mod linked;
mod migrations;
mod mismatched;
mod round_trips;
mod sent_again;
mod shares;
#[path = "../../../../tests/skipped.rs"]
mod skipped;
mod statements;
mod vanished;

use std::time::Duration;

use formwork_data::{
    DataContext,
    database::{DatabaseOptions, Db, create_temporary, remove_temporary},
    value::{DateTime, Uuid},
};
use skipped::address;

/// A database of its own, for one test.
struct House {
    db: Db,
}

impl DataContext for House {
    fn db(&self) -> &Db {
        &self.db
    }

    fn now(&self) -> DateTime {
        formwork_data::literal::datetime("2026-01-31T12:00:00Z")
    }
}

/// The servers of the tests that are set, and SQLite.
fn servers() -> Vec<String> {
    let mut servers = vec!["sqlite:".to_owned()];
    for name in ["FORMWORK_TEST_POSTGRES_URL", "FORMWORK_TEST_MYSQL_URL"] {
        servers.extend(address(name));
    }
    servers
}

/// Runs a test on each database, whose name it is told.
async fn on_each<F: Future<Output = ()>>(test: impl Fn(House, &'static str) -> F) {
    for server in servers() {
        on(&server, &test).await;
    }
}

/// Runs a test on MariaDB, where its server is set.
async fn on_mariadb<F: Future<Output = ()>>(test: impl Fn(House, &'static str) -> F) {
    if let Some(server) = address("FORMWORK_TEST_MYSQL_URL") {
        on(&server, &test).await;
    }
}

/// Runs a test on PostgreSQL, where its server is set.
async fn on_postgres<F: Future<Output = ()>>(test: impl Fn(House, &'static str) -> F) {
    if let Some(server) = address("FORMWORK_TEST_POSTGRES_URL") {
        on(&server, &test).await;
    }
}

async fn on<F: Future<Output = ()>>(server: &str, test: &impl Fn(House, &'static str) -> F) {
    let (house, name) = made(server).await;
    let dialect = house.db.dialect().name();
    test(
        House {
            db: house.db.clone(),
        },
        dialect,
    )
    .await;
    removed(server, house, &name).await;
}

/// An empty database on a server, and its name.
async fn made(server: &str) -> (House, String) {
    let name = format!("house_{}", Uuid::now_v7().simple());
    let url = create_temporary(server, &name).await.expect("a database");
    let db = connected(url).await;
    // The collation of new tables is set with the table of migrations.
    formwork_data::migration::run(&db, &[])
        .await
        .expect("migrated");
    (House { db }, name)
}

async fn connected(url: String) -> Db {
    let mut options = DatabaseOptions::new(url);
    options.acquire_timeout = Duration::from_secs(2);
    Db::connect(&options).await.expect("connected")
}

async fn removed(server: &str, house: House, name: &str) {
    house.db.close().await;
    remove_temporary(server, name).await.expect("removed");
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
