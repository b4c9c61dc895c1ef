//! SQLite has one writer at a time: the others wait for their turn, without a connection.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use formwork::{
    prelude::*,
    testing::{Client, Service},
};

use super::{
    ends::{post, send},
    gate::{Gate, soon},
    raw,
    support::{Expect, at_once, check, count},
};

#[test]
fn waiting_writers_do_not_block_readers() {
    let (service, _) = post("database: { pool: { max: 2, acquire_timeout: 30s } }");
    let held = service
        .block_on(service.app().db().begin())
        .expect("a transaction");
    thread::scope(|scope| {
        let store = |_| service.guest().post("/api/parcels", json!({"word": "x"}));
        let writing = scope.spawn(move || at_once(4, store));
        thread::sleep(Duration::from_millis(300));
        let began = Instant::now();
        assert_eq!(count(&service, "letters"), 0, "a reader");
        // A rejected connection waits for the timeout.
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{:?}",
            began.elapsed()
        );
        service.block_on(async { drop(held) });
        for answer in writing.join().expect("answers") {
            answer.expect(201);
        }
    });
}

/// Twelve changes of one caller wait, of which the first writes. One of another caller is answered
/// once those that were at work before it are through the gate; then the rest is let through.
fn goes_between(other: &Client<'_>, gate: &Gate) {
    assert!(soon(|| gate.came() == 1), "the first one writes");
    thread::sleep(Duration::from_millis(300));
    thread::scope(|scope| {
        // No hook writes after it.
        let write = || other.post("/api/parcels", json!({"word": "quiet"}));
        let writing = scope.spawn(write);
        thread::sleep(Duration::from_millis(300));
        for _ in 0..4 {
            gate.let_one_go();
        }
        assert!(soon(|| writing.is_finished()));
        writing.join().expect("an answer").expect(201);
    });
    assert!(gate.came() <= 6, "{}", gate.came());
    for _ in 0..8 {
        gate.let_one_go();
    }
}

/// The database writes in the order in which it is asked.
#[test]
fn the_writes_of_one_caller_do_not_keep_those_of_others_waiting() {
    let (service, gate) = post("");
    let other = service.customer();
    let flood: Vec<_> = (0..12).map(|_| send(&service, "slow before")).collect();
    goes_between(&other, &gate);
    assert!(soon(|| count(&service, "parcels") == 13));
    drop(flood);
}

/// An upload whose body is on its way.
fn upload(service: &Service) -> TcpStream {
    let head = "POST /api/photos HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n\
                Content-Length: 10\r\n\r\nhalf ";
    let mut socket = raw::connect(service);
    socket.write_all(head.as_bytes()).expect("a request");
    socket
}

#[test]
fn uploads_under_way_do_not_keep_the_other_changes_of_their_caller_waiting() {
    let (service, _) = post("");
    let uploads: Vec<_> = (0..6).map(|_| upload(&service)).collect();
    thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    check(&service, r#"guest POST /api/parcels {"word": "x"} => 201"#);
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "the time of a request"
    );
    drop(uploads);
}

/// As [`the_writes_of_one_caller_do_not_keep_those_of_others_waiting`], for handlers that read their
/// bodies themselves.
#[test]
fn uploads_that_write_take_turns_with_those_of_others() {
    let (service, gate) = post("");
    let other = service.customer();
    let mut flood: Vec<_> = (0..12).map(|_| upload(&service)).collect();
    for upload in &mut flood {
        upload.write_all(b"whole").expect("the rest");
    }
    goes_between(&other, &gate);
    // The turn of each ends with it.
    for upload in &mut flood {
        let mut status = [0; "HTTP/1.1 204".len()];
        upload.read_exact(&mut status).expect("an answer");
        assert_eq!(String::from_utf8_lossy(&status), "HTTP/1.1 204");
    }
    assert_eq!(count(&service, "letters"), 12);
}
