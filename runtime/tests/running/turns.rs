//! SQLite has one writer at a time: the others wait for their turn, without a connection.

use std::{
    thread,
    time::{Duration, Instant},
};

use formwork::prelude::*;

use super::{
    ends::{letters, parcels, post, send},
    gate::soon,
};

#[test]
fn who_waits_to_write_does_not_keep_readers_out() {
    let (service, _) = post("database: { pool: { max: 2, acquire_timeout: 30s } }");
    let held = service
        .block_on(service.app().db().begin())
        .expect("a transaction");
    thread::scope(|scope| {
        let write = || service.guest().post("/api/parcels", json!({"word": "x"}));
        let writing: Vec<_> = (0..4).map(|_| scope.spawn(write)).collect();
        thread::sleep(Duration::from_millis(500));
        let began = Instant::now();
        assert_eq!(letters(&service), 0, "a reader");
        // A refused connection waits for the whole timeout.
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{:?}",
            began.elapsed()
        );
        service.block_on(async { drop(held) });
        for writing in writing {
            let answer = writing.join().expect("an answer");
            assert_eq!(answer.status, 201, "{answer}");
        }
    });
}

/// The database writes in the order in which it is asked.
#[test]
fn the_writes_of_one_caller_do_not_keep_those_of_others_waiting() {
    let (service, gate) = post("");
    let other = service.customer();
    let flood: Vec<_> = (0..12).map(|_| send(&service, "slow before")).collect();
    assert!(soon(|| gate.came() == 1), "the first one writes");
    thread::sleep(Duration::from_millis(300));
    thread::scope(|scope| {
        let write = || other.post("/api/parcels", json!({"word": "quick"}));
        let writing = scope.spawn(write);
        thread::sleep(Duration::from_millis(300));
        // Those that were at work before.
        for _ in 0..4 {
            gate.let_one_go();
        }
        assert!(soon(|| writing.is_finished()));
        let answer = writing.join().expect("an answer");
        assert_eq!(answer.status, 201, "{answer}");
    });
    assert!(gate.came() <= 6, "{}", gate.came());
    for _ in 0..8 {
        gate.let_one_go();
    }
    assert!(soon(|| parcels(&service) == 13));
    drop(flood);
}
