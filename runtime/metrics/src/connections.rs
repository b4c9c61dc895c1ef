//! Metrics of the database's connections, named as OpenTelemetry names them for database clients.

use formwork_data::database::Db;
use metrics::gauge;

/// Open connections, by whether a statement or a transaction has them.
const COUNT: &str = "db_client_connection_count";

/// The most connections: `database.pool.max`.
const MAX: &str = "db_client_connection_max";

/// Statements and transactions that wait for a connection, or for their turn to write.
const PENDING: &str = "db_client_connection_pending_requests";

/// Writes down how busy the pool is at this moment.
pub fn measure(db: &Db) {
    let usage = db.pool_usage();
    gauge!(COUNT, "db_client_connection_state" => "used").set(number(usage.used));
    gauge!(COUNT, "db_client_connection_state" => "idle").set(number(usage.idle));
    gauge!(MAX).set(number(usage.max));
    gauge!(PENDING).set(number(usage.waiting));
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
