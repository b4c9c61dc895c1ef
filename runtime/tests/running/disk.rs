//! A service whose database file is moved, locked, full or read-only: it reports errors, keeps
//! committed changes, and works again when the file does.

use std::{
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use formwork::{
    data::database::{DatabaseOptions, Db},
    prelude::*,
    testing::{Answer, Service},
};

use super::{config, extensions};

/// One connection, so that what is said to it holds.
fn service() -> Service {
    let config = config("database: { pool: { max: 1 } }");
    Service::with_config(config, extensions())
}

fn path(service: &Service) -> PathBuf {
    let url = &service.app().config().database.url;
    url.strip_prefix("sqlite://").expect("a file").into()
}

fn store(service: &Service, flour: &str) -> Answer {
    service.guest().post("/api/loaves", json!({"flour": flour}))
}

fn loaves(service: &Service) -> Vec<Json> {
    let rows = service.block_on(
        service
            .app()
            .db()
            .rows("SELECT \"flour\" FROM \"loaves\"", []),
    );
    let rows = rows.expect("rows");
    rows.iter().map(|row| json!(row[0].as_str())).collect()
}

fn tell(service: &Service, pragma: &'static str) {
    let told = service.block_on(service.app().db().rows(pragma, []));
    told.expect("a pragma");
}

/// Each file of the database under another name.
fn rename(service: &Service, from: &str, to: &str) {
    for tail in ["", "-wal", "-shm"] {
        let place = |mark: &str| {
            let mut path = path(service).into_os_string();
            path.push(mark);
            path.push(tail);
            PathBuf::from(path)
        };
        // Not every database has all three.
        let _ = fs::rename(place(from), place(to));
    }
}

#[cfg(unix)]
#[test]
fn a_write_to_a_moved_database_file_is_not_acknowledged() {
    let service = service();
    assert_eq!(store(&service, "rye").status, 201);
    rename(&service, "", ".away");
    let lost = store(&service, "oats");
    assert_eq!(lost.status, 500, "{lost}");
    assert!(!path(&service).exists(), "no empty one takes its place");
    thread::sleep(Duration::from_millis(2100));
    assert_eq!(service.guest().get("/api/dishes").status, 500);
    assert_eq!(service.guest().get("/health/ready").status, 503);
    assert_eq!(service.guest().get("/health/live").status, 200);
    rename(&service, ".away", "");
    assert_eq!(store(&service, "wheat").status, 201);
    assert_eq!(loaves(&service), ["rye", "wheat"]);
    thread::sleep(Duration::from_millis(1100));
    assert_eq!(service.guest().get("/health/ready").status, 200);
}

#[cfg(unix)]
#[test]
fn a_file_put_in_its_place_is_the_one_that_is_used() {
    let service = service();
    assert_eq!(store(&service, "rye").status, 201);
    tell(&service, "PRAGMA wal_checkpoint(TRUNCATE)");
    let copy = path(&service).with_extension("copy");
    fs::copy(path(&service), &copy).expect("a copy");
    assert_eq!(store(&service, "oats").status, 201);
    rename(&service, "", ".away");
    fs::rename(&copy, path(&service)).expect("put back");
    assert_eq!(store(&service, "wheat").status, 201);
    assert_eq!(
        loaves(&service),
        ["rye", "wheat"],
        "as the copy was, and one more"
    );
    rename(&service, ".away", ".gone");
    for tail in ["", "-wal", "-shm"] {
        let mut left = path(&service).into_os_string();
        left.push(".gone");
        left.push(tail);
        let _ = fs::remove_file(left);
    }
}

#[test]
fn a_locked_database_file_makes_writers_wait_and_then_503() {
    let service = service();
    let other = DatabaseOptions::new(service.app().config().database.url.clone());
    let other = service.block_on(Db::connect(&other)).expect("the file");
    let held = service.block_on(other.begin()).expect("the lock");
    let began = Instant::now();
    let refused = store(&service, "rye");
    assert_eq!(refused.status, 503, "{refused}");
    assert!(refused.header("retry-after").is_some(), "{refused}");
    assert!(
        began.elapsed() < Duration::from_secs(25),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        service.guest().get("/api/dishes").status,
        200,
        "readers do not wait"
    );
    service.block_on(async { drop(held) });
    assert_eq!(store(&service, "oats").status, 201);
    assert_eq!(loaves(&service), ["oats"]);
}

#[test]
fn a_change_on_a_full_disk_is_a_500_and_is_rolled_back() {
    let service = service();
    assert_eq!(store(&service, "rye").status, 201);
    tell(&service, "PRAGMA max_page_count = 1");
    let full = store(&service, &"x".repeat(100_000));
    assert_eq!(full.status, 500, "{full}");
    assert!(!full.body.contains("full"), "the log says why: {full}");
    assert_eq!(loaves(&service), ["rye"]);
    assert_eq!(service.guest().get("/health/ready").status, 200);
    tell(&service, "PRAGMA max_page_count = 100000");
    assert_eq!(store(&service, "oats").status, 201);
    assert_eq!(loaves(&service), ["rye", "oats"]);
}

#[test]
fn a_file_that_is_read_only_is_read() {
    let service = service();
    tell(&service, "PRAGMA query_only = ON");
    let refused = store(&service, "rye");
    assert_eq!(refused.status, 500, "{refused}");
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    tell(&service, "PRAGMA query_only = OFF");
    assert_eq!(store(&service, "oats").status, 201);
}
