//! A service whose database file is moved, locked, full or read-only: it reports errors, keeps
//! committed changes, and works again when the file does.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use formwork::{
    data::database::{DatabaseOptions, Db},
    prelude::*,
    testing::Service,
};

use super::{
    configured,
    gate::soon,
    support::{Expect, check, column},
};

/// One connection, so that its pragmas hold.
fn service() -> Service {
    configured("database: { pool: { max: 1, acquire_timeout: 1s } }")
}

fn path(service: &Service) -> PathBuf {
    let url = &service.app().config().database.url;
    url.strip_prefix("sqlite://").expect("a file").into()
}

fn store(service: &Service, flour: &str, status: u16) {
    let loaf = json!({"flour": flour});
    service.guest().post("/api/loaves", loaf).expect(status);
}

/// The flours of the stored loaves.
fn loaves(service: &Service) -> String {
    let flours = column(service, "SELECT flour FROM loaves");
    let flours: Vec<String> = flours.iter().map(ToString::to_string).collect();
    flours.join(" ")
}

/// Renames each file of the database.
fn rename(service: &Service, from: &str, to: &str) {
    for tail in ["", "-wal", "-shm"] {
        let file = |mark: &str| format!("{}{mark}{tail}", path(service).display());
        // Not every database has all three.
        let _ = fs::rename(file(from), file(to));
    }
}

#[cfg(unix)]
#[test]
fn a_write_to_a_moved_database_file_is_not_acknowledged() {
    let service = service();
    store(&service, "rye", 201);
    rename(&service, "", ".away");
    store(&service, "oats", 500);
    assert!(!path(&service).exists(), "no empty one takes its place");
    let status = |path: &str| service.guest().get(path).status;
    assert!(soon(|| status("/api/dishes") == 500), "reads fail as well");
    assert!(soon(|| status("/health/ready") == 503));
    assert_eq!(status("/health/live"), 200);
    rename(&service, ".away", "");
    store(&service, "wheat", 201);
    assert_eq!(loaves(&service), "rye wheat");
    assert!(soon(|| status("/health/ready") == 200));
}

#[cfg(unix)]
#[test]
fn a_file_put_in_its_place_is_the_one_that_is_used() {
    let service = service();
    store(&service, "rye", 201);
    column(&service, "PRAGMA wal_checkpoint(TRUNCATE)");
    let copy = path(&service).with_extension("copy");
    fs::copy(path(&service), &copy).expect("a copy");
    store(&service, "oats", 201);
    rename(&service, "", ".away");
    fs::rename(&copy, path(&service)).expect("put back");
    store(&service, "wheat", 201);
    // As the copy was, and one more.
    assert_eq!(loaves(&service), "rye wheat");
    for tail in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}.away{tail}", path(&service).display()));
    }
}

#[test]
fn a_locked_database_file_makes_writers_wait_and_then_503() {
    let service = service();
    let other = DatabaseOptions::new(service.app().config().database.url.clone());
    let other = service.block_on(Db::connect(&other)).expect("the file");
    let held = service.block_on(other.begin()).expect("the lock");
    let began = Instant::now();
    let rejected = service.guest().post("/api/loaves", json!({"flour": "rye"}));
    assert!(rejected.expect(503).header("retry-after").is_some());
    assert!(
        began.elapsed() < Duration::from_secs(25),
        "{:?}",
        began.elapsed()
    );
    // Readers do not wait.
    check(&service, "guest GET /api/dishes => 200");
    service.block_on(async { drop(held) });
    store(&service, "oats", 201);
    assert_eq!(loaves(&service), "oats");
}

#[test]
fn a_change_on_a_full_or_read_only_disk_is_a_500_and_is_rolled_back() {
    let service = service();
    store(&service, "rye", 201);
    let long = "x".repeat(100_000);
    for (flour, broken, repaired) in [
        (
            &*long,
            "PRAGMA max_page_count = 1",
            "PRAGMA max_page_count = 100000",
        ),
        (
            "barley",
            "PRAGMA query_only = ON",
            "PRAGMA query_only = OFF",
        ),
    ] {
        column(&service, broken);
        let failed = service.guest().post("/api/loaves", json!({"flour": flour}));
        let failed = failed.expect(500);
        assert!(!failed.body.contains("full"), "the log says why: {failed}");
        let lines = "
            guest GET /api/dishes   => 200
            guest GET /health/ready => 200";
        check(&service, lines);
        column(&service, repaired);
        store(&service, "oats", 201);
    }
    assert_eq!(loaves(&service), "rye oats oats");
}
