//! Rows for SQLite files that a service does not make itself.

use std::path::Path;

/// Runs statements on a SQLite file that exists.
pub fn run(database: &Path, sql: &str) {
    crate::server::run(&format!("sqlite://{}", database.display()), sql);
}
