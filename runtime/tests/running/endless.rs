//! Endless statements: their request has its time limit, and they end with it.

use std::{
    io::Write,
    thread,
    time::{Duration, Instant},
};

use formwork::{
    auth::{Abilities, AccountKind, NewToken},
    http::route::Route,
    prelude::*,
    resource::action::Allow,
    testing::Service,
};

use super::{
    config,
    gate::{Gate, soon},
    raw, run_alone,
    support::{Expect, at_once, count},
};

/// Counts for ever.
const COUNT: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                     SELECT COUNT(*) FROM n";

/// Writes for ever.
const WRITE: &str = "INSERT INTO \"marks\" WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL \
                     SELECT i + 1 FROM n) SELECT i FROM n WHERE i % 1000 = 0";

const MARK: &str = "INSERT INTO \"marks\" VALUES (0)";

/// Routes that do not find an end; what waits between two statements does so here.
struct Infinity(Gate);

impl Extension for Infinity {
    fn name(&self) -> &'static str {
        "infinity"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        Vec::new()
    }

    fn routes(&self) -> Vec<Route> {
        vec![
            Route::get("/count", Allow::All, count_for_ever),
            Route::post("/write", Allow::All, write),
            Route::post("/marks", Allow::All, mark),
            Route::post("/marks/{again}", Allow::All, {
                let gate = self.0.clone();
                move |ctx| mark_twice(ctx, gate.clone())
            }),
            Route::post("/tokens", Allow::All, {
                let gate = self.0.clone();
                move |ctx| issue(ctx, gate.clone())
            }),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260204000000,
            "create_marks",
            "CREATE TABLE \"marks\" (\"at\" INTEGER NOT NULL)",
        )
    }
}

async fn count_for_ever(ctx: Context) -> Result<Response> {
    let rows = ctx.db().rows(COUNT, []).await?;
    Response::json(&json!({"rows": rows.len()}))
}

/// In a transaction or, with `alone`, outside of one.
async fn write(ctx: Context) -> Result<Response> {
    if ctx.input().get("alone").is_some() {
        ctx.db().execute(WRITE, []).await?;
        return Ok(Response::no_content());
    }
    let transaction = ctx.db().begin().await?;
    transaction.db().execute(MARK, []).await?;
    transaction.db().execute(WRITE, []).await?;
    transaction.commit().await?;
    Ok(Response::no_content())
}

async fn mark(ctx: Context) -> Result<Response> {
    ctx.db().execute(MARK, []).await?;
    Ok(Response::no_content())
}

async fn mark_twice(ctx: Context, gate: Gate) -> Result<Response> {
    ctx.db().execute(MARK, []).await?;
    gate.pass().await;
    mark(ctx).await
}

/// One statement, which writes a row and returns its key.
async fn issue(ctx: Context, gate: Gate) -> Result<Response> {
    let token = NewToken {
        kind: AccountKind::Admin,
        account: 1,
        name: "test".to_owned(),
        abilities: Abilities::parse(["*"]).expect("abilities"),
        expires_at: None,
    };
    token.insert(ctx.db(), ctx.now()).await?;
    gate.pass().await;
    Ok(Response::no_content())
}

/// Longer than any machine takes for what has an end.
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection, requests that have this time, and where they wait.
fn infinity(request_timeout: Duration) -> (Service, Gate) {
    let mut config = config("database: { pool: { max: 1, acquire_timeout: 30s } }");
    config.api.request_timeout = request_timeout;
    let gate = Gate::default();
    let service = Service::with_config(config, vec![Box::new(Infinity(gate.clone()))]);
    (service, gate)
}

/// Too short for what has no end.
const SHORT: Duration = Duration::from_millis(200);

/// Enough for one statement, on any machine.
const LONG: Duration = Duration::from_secs(2);

/// Time on a processor that the process has used, if the system tells.
fn used() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

#[test]
fn a_read_out_of_time_leaves_no_statement_running() {
    let service = infinity(SHORT).0;
    for _ in 0..3 {
        let began = Instant::now();
        service.guest().get("/api/count").expect(503);
        assert!(began.elapsed() < PATIENCE, "it has its time");
        // The only connection is free again: its thread does one thing at a time.
        assert_eq!(count(&service, "marks"), 0);
    }
    assert!(soon(|| mark_at_last(&service)), "others go on");
}

/// Whether a mark is made: it is tried again where the machine was too slow for the short time.
fn mark_at_last(service: &Service) -> bool {
    let answer = service.guest().post("/api/marks", json!({}));
    assert!(matches!(answer.status, 204 | 503), "{answer}");
    answer.status == 204
}

#[test]
fn a_client_that_disconnects_from_a_read_leaves_no_statement_running() {
    // It is the hanging up that ends it, not the time of the request.
    let service = infinity(2 * PATIENCE).0;
    let mut socket = raw::connect(&service);
    let get = b"GET /api/count HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.write_all(get).expect("a request");
    thread::sleep(Duration::from_millis(50));
    drop(socket);
    assert_eq!(count(&service, "marks"), 0);
}

#[test]
fn a_write_out_of_time_is_rolled_back_and_blocks_no_other_write() {
    let service = infinity(SHORT).0;
    for body in [json!({}), json!({"alone": true})] {
        service.guest().post("/api/write", body).expect(503);
        assert_eq!(count(&service, "marks"), 0);
    }
    assert!(soon(|| mark_at_last(&service)), "others go on");
    assert_eq!(count(&service, "marks"), 1);
}

#[test]
fn a_write_with_an_idempotency_key_ends_with_its_time() {
    let service = infinity(SHORT).0;
    let keyed = service.guest().header("Idempotency-Key", "k");
    let write = || keyed.post("/api/write", json!({})).status;
    let began = Instant::now();
    assert_eq!(write(), 503);
    // Then the key is free: the second one writes again.
    assert_eq!(write(), 503);
    assert!(began.elapsed() < PATIENCE, "they end");
    assert_eq!(count(&service, "marks"), 0);
}

#[test]
fn a_statement_outside_of_a_transaction_is_finished_and_kept() {
    // The second one returns the row that it writes.
    let cases = [
        ("/api/marks/again", "marks", 2),
        ("/api/tokens", "api_tokens", 1),
    ];
    at_once(cases.len(), |at| {
        let (path, table, rows) = cases[at];
        let (service, gate) = infinity(LONG);
        thread::scope(|scope| {
            let posting = scope.spawn(|| service.guest().post(path, json!({})));
            assert!(soon(|| gate.came() == 1), "the first one is kept");
            thread::sleep(LONG + SHORT);
            assert_eq!(count(&service, table), 1);
            gate.let_one_go();
            posting.join().expect("an answer").expect(204);
        });
        assert_eq!(count(&service, table), rows);
        assert_eq!(gate.given_up(), 0);
    });
}

/// Alone in its process: `used` counts the time of all threads.
#[test]
fn an_abandoned_statement_does_not_keep_a_processor_busy() {
    if run_alone("endless::an_abandoned_statement_does_not_keep_a_processor_busy") {
        return;
    }
    let service = infinity(SHORT).0;
    for _ in 0..3 {
        service.guest().get("/api/count").expect(503);
    }
    thread::sleep(Duration::from_millis(200));
    let Some(before) = used() else { return };
    thread::sleep(Duration::from_millis(1000));
    let busy = used().map(|now| now.saturating_sub(before));
    assert!(busy < Some(Duration::from_millis(200)), "{busy:?}");
}
