//! The listener that Prometheus reads. It is apart from the API's, so that no client of the API sees
//! metrics.

use std::{net::SocketAddr, sync::OnceLock, time::Duration};

use axum::{Router, http::header, routing::get};
use formwork_data::{
    database::Db,
    error::{Error, Result},
};
use metrics::gauge;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;

use crate::requests::{DURATION, STATEMENTS};

// Metrics of connections are named as OpenTelemetry names them for database clients.

/// Open connections, by whether a statement or a transaction has them.
const COUNT: &str = "db_client_connection_count";

/// The most connections: `database.pool.max`.
const MAX: &str = "db_client_connection_max";

/// Statements and transactions that wait for a connection, or for their turn to write.
const PENDING: &str = "db_client_connection_pending_requests";

/// The upper bounds of durations, in seconds: those that OpenTelemetry recommends for HTTP servers.
const SECONDS: [f64; 14] = [
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
];

/// The upper bounds of statements a request.
const COUNTS: [f64; 8] = [0.0, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0];

/// How often recorded values are moved into their buckets, so that memory stays bounded while
/// Prometheus does not read.
const UPKEEP: Duration = Duration::from_secs(5);

/// The media type of the text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The recorder of the process: `metrics` has one.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Answers `GET /metrics` at this address until the process ends, with the connections of this
/// database as they are then.
///
/// # Errors
///
/// 500 where the address is in use, or the process has a recorder of another crate.
pub async fn serve(address: SocketAddr, db: Db) -> Result<()> {
    let recorder = recorder()?;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Error::internal(format!("metrics.addr: {address} cannot be used: {error}"))
    })?;
    let read = async move || {
        measure_connections(&db);
        ([(header::CONTENT_TYPE, TEXT)], recorder.render())
    };
    let router = Router::new().route("/metrics", get(read));
    tokio::spawn(async move { axum::serve(listener, router).await });
    tokio::spawn(async {
        loop {
            tokio::time::sleep(UPKEEP).await;
            recorder.run_upkeep();
        }
    });
    Ok(())
}

fn recorder() -> Result<&'static PrometheusHandle> {
    if let Some(recorder) = RECORDER.get() {
        return Ok(recorder);
    }
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &SECONDS)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Full(STATEMENTS.to_owned()), &COUNTS)
        });
    let installed = builder.and_then(PrometheusBuilder::install_recorder);
    let recorder = installed.map_err(|error| Error::internal(format!("metrics: {error}")))?;
    Ok(RECORDER.get_or_init(|| recorder))
}

/// Writes down how busy the pool is at this moment.
fn measure_connections(db: &Db) {
    let usage = db.pool_usage();
    gauge!(COUNT, "db_client_connection_state" => "used").set(number(usage.used));
    gauge!(COUNT, "db_client_connection_state" => "idle").set(number(usage.idle));
    gauge!(MAX).set(number(usage.max));
    gauge!(PENDING).set(number(usage.waiting));
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
