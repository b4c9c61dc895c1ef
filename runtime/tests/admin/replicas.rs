//! No state outside the database: what one replica saves, the others know within seconds.

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
    data::database::Db,
    data::value::DateTime,
    testing::Service,
};
use tower::ServiceExt;

use super::{Browser, extensions, service, signed_in};

/// A replica whose clock the test holds.
fn held(service: &Service, second: &Arc<AtomicI64>) -> Arc<App> {
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
    let service = service();
    let browser = signed_in(&service);
    let replica = service.replica(extensions());
    assert_eq!(replica.guest().get("/api/dishes").status, 200);
    browser.save(&browser.row("dishes"), &[("on_index", "")]);
    assert_eq!(service.guest().get("/api/dishes").status, 405, "at once");
    let began = Instant::now();
    let limit = Duration::from_secs(BELIEVED_FOR.unsigned_abs() + 1);
    loop {
        // However slow the answer is: the time of the request counts.
        let asked = began.elapsed();
        if replica.guest().get("/api/dishes").status == 405 {
            break;
        }
        assert!(asked < limit, "it never learns of it");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A replica without requests for records reads the decisions in no request of its own.
#[test]
fn the_screens_warn_by_the_settings_in_the_table() {
    let service = service();
    let browser = signed_in(&service);
    let replica = service.replica(extensions());
    let other = Browser::new(&replica);
    other.sign_in("chef", "formwork");
    let id = browser.row("notes");
    browser.save(&id, &[("allow_index", "all")]);
    let page = other.page(&format!("/resources/{id}"));
    assert!(
        page.contains("Anyone on the internet can read every customer&#39;s notes."),
        "{page}"
    );
}

#[test]
fn requests_are_not_answered_by_outdated_settings() {
    let service = service();
    let browser = signed_in(&service);
    let second = Arc::new(AtomicI64::new(1_800_000_000));
    let replica = held(&service, &second);
    let status = || {
        let request = Request::get("/api/dishes")
            .body(Body::empty())
            .expect("a request");
        let answer = service.block_on(replica.router().oneshot(request));
        answer.expect("an answer").status().as_u16()
    };
    assert_eq!(status(), 200);
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", "")]);
    second.fetch_add(REREAD_AFTER - 1, Ordering::Relaxed);
    assert_eq!(status(), 200, "young enough");
    second.fetch_add(BELIEVED_FOR, Ordering::Relaxed);
    assert_eq!(status(), 405, "the first request after a rest knows it");
    browser.save(&id, &[("on_index", "1")]);
    second.fetch_sub(100, Ordering::Relaxed);
    assert_eq!(
        status(),
        200,
        "a clock that was set back is no reason to believe longer"
    );
    service.block_on(replica.db().close());
}
