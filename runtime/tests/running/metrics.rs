//! The metrics that Prometheus reads.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    time::{Duration, Instant},
};

use formwork::{
    axum::{Router, routing::get},
    extension::ServiceState,
    prelude::*,
    testing::Service,
};

use super::{config, extensions};

/// An address that was free a moment ago.
fn free() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}

fn read(address: SocketAddr) -> String {
    let mut socket = TcpStream::connect(address).expect("a listener for metrics");
    let request = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    socket.write_all(request).expect("a request");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The value of the series that begins so.
fn value(metrics: &str, series: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(series));
    let line = line.unwrap_or_else(|| panic!("no {series} in {metrics}"));
    line.trim().parse().expect("a number")
}

#[test]
fn requests_are_measured_by_route_and_read_elsewhere() {
    let address = free();
    let yaml = format!("metrics: {{ addr: '{address}' }}");
    let service = Service::with_config(config(&yaml), extensions());
    let guest = service.guest();
    for _ in 0..3 {
        assert_eq!(guest.get("/api/dishes").status, 200);
    }
    for path in ["/api/dishes/1000", "/api/dishes/1001"] {
        assert_eq!(guest.get(path).status, 404);
    }
    for path in ["/wp-login.php", "/.env"] {
        assert_eq!(guest.get(path).status, 404);
    }
    assert_eq!(guest.post("/api/dishes", json!({})).status, 401);
    assert_eq!(
        guest.get("/metrics").status,
        404,
        "not at the API's address"
    );

    let metrics = read(address);
    assert!(metrics.starts_with("HTTP/1.1 200"), "{metrics}");
    assert!(
        metrics.contains("content-type: text/plain; version=0.0.4"),
        "{metrics}"
    );
    let requests = |method: &str, route: &str, status: u16| {
        let series = format!(
            "http_server_request_duration_seconds_count{{http_request_method=\"{method}\",\
             http_route=\"{route}\",http_response_status_code=\"{status}\"}}"
        );
        value(&metrics, &series)
    };
    assert_eq!(requests("GET", "/api/dishes", 200), 3.0);
    assert_eq!(requests("GET", "/api/dishes/{id}", 404), 2.0);
    assert_eq!(requests("POST", "/api/dishes", 401), 1.0);
    assert_eq!(requests("GET", "none", 404), 3.0);
    let statements = "http_server_request_statements_sum{http_request_method=\"GET\",\
                      http_route=\"/api/dishes\"}";
    assert_eq!(value(&metrics, statements), 3.0, "one for each page");
    assert_eq!(value(&metrics, "http_server_active_requests"), 0.0);
    assert!(!metrics.contains("wp-login"), "{metrics}");
}

/// Adds a route outside of the service's own router.
struct Outside;

impl Extension for Outside {
    fn name(&self) -> &'static str {
        "test.outside"
    }

    fn layers(&self, _: &Arc<ServiceState>, router: Router) -> Router {
        router.route("/outside", get(async || "outside"))
    }
}

#[test]
fn routes_that_extensions_add_are_measured_too() {
    let address = free();
    let yaml = format!("metrics: {{ addr: '{address}' }}");
    let mut extensions = extensions();
    extensions.push(Box::new(Outside));
    let service = Service::with_config(config(&yaml), extensions);
    let measured = |path: &str, route: &str| {
        let client = service.guest().header("Accept", "text/html");
        assert_eq!(client.get(path).status, 200);
        let metrics = read(address);
        metrics.contains(&format!(
            "http_server_request_duration_seconds_count{{http_request_method=\"GET\",\
             http_route=\"{route}\",http_response_status_code=\"200\"}}"
        ))
    };
    assert!(measured("/outside", "/outside"));
    if cfg!(feature = "admin") {
        assert!(measured("/admin/login", "/admin/{*below}"));
    }
}

#[test]
fn connections_in_use_and_waiting_are_measured() {
    let address = free();
    let yaml = format!(
        "metrics: {{ addr: '{address}' }}\ndatabase: {{ pool: {{ max: 2, min: 1, acquire_timeout: 20s }} }}"
    );
    let service = Service::with_config(config(&yaml), extensions());
    let connections = || {
        let metrics = read(address);
        let count = |state: &str| {
            let name = "db_client_connection_count";
            value(
                &metrics,
                &format!("{name}{{db_client_connection_state=\"{state}\"}}"),
            )
        };
        let waiting = value(&metrics, "db_client_connection_pending_requests");
        (count("used"), count("idle"), waiting)
    };
    // A connection comes back a moment after its transaction is dropped.
    let until = |used: f64, waiting: f64| {
        let deadline = Instant::now() + Duration::from_secs(10);
        while (connections().0, connections().2) != (used, waiting) {
            assert!(Instant::now() < deadline, "{:?}", connections());
        }
    };
    until(0.0, 0.0);
    assert!(connections().1 >= 1.0, "{:?}", connections());
    assert_eq!(value(&read(address), "db_client_connection_max"), 2.0);

    let db = service.app().db().for_request();
    let transaction = service.block_on(db.begin()).expect("a transaction");
    until(1.0, 0.0);
    // A second writer waits for its turn.
    let second = service.app().db().for_request();
    let (ended, end) = tokio::sync::oneshot::channel();
    let writer = async move { ended.send(second.begin().await.map(drop)) };
    service.block_on(async { drop(tokio::spawn(writer)) });
    until(1.0, 1.0);
    drop(transaction);
    let ended = service.block_on(end).expect("it ends");
    ended.expect("its turn");
    until(0.0, 0.0);
}

#[tokio::test]
async fn a_name_in_place_of_an_address_stops_the_start() {
    let mut config = config("metrics: { addr: 'localhost' }");
    config.database.url = "sqlite::memory:".to_owned();
    let started = formwork::service(extensions()).start(config).await;
    let why = started.err().expect("a reason").to_string();
    assert!(
        why.contains("metrics.addr must be an IP address with a port"),
        "{why}"
    );
}
