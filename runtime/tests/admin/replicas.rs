//! No state outside the database: the settings that one replica saves reach the others within
//! seconds.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{body::Body, http::Request};
use formwork::{
    admin::{BELIEVED_FOR, REREAD_AFTER},
    app::{App, Clock},
    data::{database::Db, value::DateTime},
    testing::Service,
};

use super::{area, extensions, signed_in_again};

/// Starts a replica whose clock the test sets.
fn replica_at(service: &Service, second: &Arc<AtomicI64>) -> Arc<App> {
    let second = Arc::clone(second);
    let clock: Clock = Arc::new(move || {
        DateTime::from_timestamp(second.load(Ordering::Relaxed), 0).expect("a moment")
    });
    let config = service.app().config().clone();
    service.block_on(async move {
        let db = Db::connect(&config.database).await.expect("the database");
        let service = formwork::service(extensions());
        service.assemble(config, db, clock).expect("a replica")
    })
}

#[test]
fn another_replica_knows_within_seconds() {
    let (service, browser) = area();
    let replica = service.replica(extensions());
    assert_eq!(replica.guest().get("/api/dishes").status, 200);
    browser.save("dishes", &[("on_index", "")]);
    assert_eq!(service.guest().get("/api/dishes").status, 405, "at once");
    let began = Instant::now();
    let limit = Duration::from_secs(BELIEVED_FOR.unsigned_abs() + 1);
    loop {
        // The time of the request counts, however slow the response is.
        let requested = began.elapsed();
        if replica.guest().get("/api/dishes").status == 405 {
            break;
        }
        assert!(requested < limit, "it never learns of it");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A replica without requests for records reads the settings in no request of its own.
#[test]
fn the_screens_warn_by_the_settings_in_the_table() {
    let (service, browser) = area();
    let replica = Arc::new(service.replica(extensions()));
    let other = signed_in_again(&replica);
    browser.save("notes", &[("allow_index", "all")]);
    let warning = "Anyone on the internet can read every customer&#39;s notes.";
    other.must_show("/resources/notes", [warning]);
}

#[test]
fn requests_are_not_answered_by_outdated_settings() {
    let (service, browser) = area();
    let second = Arc::new(AtomicI64::new(1_800_000_000));
    let replica = replica_at(&service, &second);
    let status = || {
        let request = Request::get("/api/dishes").body(Body::empty());
        super::cost(&service, &replica, request.expect("a request")).0
    };
    assert_eq!(status(), 200);
    browser.save("dishes", &[("on_index", "")]);
    second.fetch_add(REREAD_AFTER - 1, Ordering::Relaxed);
    assert_eq!(status(), 200, "young enough");
    second.fetch_add(BELIEVED_FOR, Ordering::Relaxed);
    assert_eq!(status(), 405, "the first request after a rest knows it");
    browser.save("dishes", &[("on_index", "1")]);
    // A clock that was set back does not extend the time.
    second.fetch_sub(100, Ordering::Relaxed);
    assert_eq!(status(), 200);
    service.block_on(replica.db().close());
}
