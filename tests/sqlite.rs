//! Rows for SQLite files that a service does not make itself.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};

/// Runs statements on a SQLite file that exists.
pub fn run(database: &Path, sql: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(database);
        let mut connection = options.connect().await.expect("a database");
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        let done = sql.execute(&mut connection).await;
        done.expect("statements");
    });
}
