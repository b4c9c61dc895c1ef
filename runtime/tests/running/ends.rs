//! How changes end: whether or not their client waits, they are complete or rolled back, and no
//! response denies them.

use std::{io::Write, net::TcpStream, thread, time::Duration};

use formwork::{
    prelude::*,
    testing::{Answer, Client, Service},
};

use super::{
    config,
    gate::{Gate, soon},
    parcels::Post,
    raw,
    support::{Expect, at_once, check, count, execute},
};

/// A service, and where its slow parcels wait.
pub fn post(yaml: &str) -> (Service, Gate) {
    let gate = Gate::default();
    let service = Service::with_config(config(yaml), vec![Box::new(Post(gate.clone()))]);
    (service, gate)
}

/// Sends a request to store a parcel, and does not wait for the answer.
pub fn send(service: &Service, word: &str) -> TcpStream {
    let body = json!({"word": word}).to_string();
    let request = format!(
        "POST /api/parcels HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = raw::connect(service);
    socket.write_all(request.as_bytes()).expect("a request");
    socket
}

fn store(client: &Client<'_>, path: &str, word: &str) -> Answer {
    client.post(path, json!({"word": word}))
}

#[test]
fn hooks_after_the_commit_run_though_the_client_disconnected() {
    let (service, gate) = post("");
    let socket = send(&service, "slow after");
    assert!(soon(|| gate.came() == 1), "the hook runs");
    assert_eq!(count(&service, "parcels"), 1, "the row is there");
    drop(socket);
    // Time to notice it, and to give the hook up for it.
    thread::sleep(Duration::from_millis(300));
    assert_eq!(count(&service, "letters"), 0, "the hook takes its time");
    gate.let_one_go();
    assert!(soon(|| count(&service, "letters") == 1), "the hook has run");
    assert_eq!(gate.given_up(), 0);
}

#[test]
fn a_change_is_completed_though_the_client_disconnected_before_its_commit() {
    let (service, gate) = post("");
    let socket = send(&service, "slow before");
    assert!(soon(|| gate.came() == 1), "it is on its way");
    drop(socket);
    // Time to notice it.
    thread::sleep(Duration::from_millis(300));
    gate.let_one_go();
    assert!(soon(|| count(&service, "letters") == 1), "it is complete");
    assert_eq!(count(&service, "parcels"), 1);
    assert_eq!(gate.given_up(), 0);
}

#[test]
fn a_request_out_of_time_is_503_only_if_its_change_is_rolled_back() {
    let (service, gate) = post("api: { request_timeout: 1s }");
    store(&service.guest(), "/api/parcels", "slow before").expect(503);
    assert!(soon(|| gate.given_up() == 1), "it was given up");
    assert_eq!(count(&service, "parcels"), 0);
    // Enough time for a commit on any machine.
    let (service, gate) = post("api: { request_timeout: 2s }");
    thread::scope(|scope| {
        let storing = scope.spawn(|| store(&service.guest(), "/api/parcels", "slow after"));
        assert!(soon(|| gate.came() == 1), "it is committed");
        thread::sleep(Duration::from_millis(2500));
        gate.let_one_go();
        storing.join().expect("an answer").expect(201);
    });
    assert_eq!(
        (count(&service, "parcels"), count(&service, "letters")),
        (1, 1)
    );
}

/// One connection, which a greedy parcel holds until it is let go.
const GREEDY: &str = "database: { pool: { max: 1, acquire_timeout: 1s } }";

#[test]
fn a_busy_pool_after_the_commit_does_not_undo_the_answer() {
    let (service, gate) = post(GREEDY);
    let guest = service.guest();
    let stored = store(&guest, "/api/parcels", "greedy").expect(201);
    assert_eq!(stored.json["data"]["id"], 1, "{stored}");
    gate.let_one_go();
    // The include needs the pool: there is no answer, but none that says "try again" either.
    let stored = store(&guest, "/api/parcels?include=letters", "greedy").expect(500);
    assert_eq!(stored.header("retry-after"), None, "{stored}");
    gate.let_one_go();
    assert_eq!(count(&service, "parcels"), 2);
}

#[test]
fn an_idempotency_key_of_a_committed_change_is_not_free() {
    let (service, gate) = post(GREEDY);
    let client = service.guest().header("Idempotency-Key", "k");
    let store = || store(&client, "/api/parcels?include=letters", "greedy");
    thread::scope(|scope| {
        let storing = scope.spawn(store);
        assert!(soon(|| gate.came() == 1), "it has the connection");
        // The include waits for one, then the record of the answer does: the second gets it.
        thread::sleep(Duration::from_millis(1500));
        gate.let_one_go();
        storing.join().expect("an answer").expect(500);
    });
    assert_eq!(count(&service, "parcels"), 1);
    // While its result is written down, it is still on its way.
    assert!(soon(|| store().status != 409));
    store().expect(500);
    assert_eq!(count(&service, "parcels"), 1, "it is not stored twice");
    assert_eq!(gate.came(), 1);
}

#[test]
fn a_record_is_deleted_once() {
    let (service, _) = post("");
    check(&service, r#"guest POST /api/parcels {"word": "x"} => 201"#);
    let held = service.block_on(service.app().db().begin());
    let held = held.expect("a transaction");
    let statuses = thread::scope(|scope| {
        let delete = |_| service.guest().delete("/api/parcels/1").status;
        let deleting = scope.spawn(move || at_once(2, delete));
        // Both have seen the record, and wait to write.
        thread::sleep(Duration::from_millis(300));
        service.block_on(async { drop(held) });
        deleting.join().expect("statuses")
    });
    assert!(
        matches!(statuses[..], [204, 404] | [404, 204]),
        "{statuses:?}"
    );
    assert_eq!(count(&service, "letters WHERE text = 'refunded'"), 1);
}

#[test]
fn logins_of_administrators_are_shown_to_administrators_only() {
    let (service, _) = post("");
    service.admin();
    check(&service, r#"guest POST /api/parcels {"word": "x"} => 201"#);
    let sent = "UPDATE parcels SET customer_id = ?, \
                sender_id = (SELECT user_id FROM admin_users)";
    execute(&service, sent, [service.customer_id().into()]);
    let sender = |client: Client<'_>| {
        let path = "/api/parcels/1?include=sender";
        client.patch(path, json!({"word": "y"})).expect(200).json["data"]["sender"].take()
    };
    let complete = sender(service.admin());
    assert_eq!(complete["email"], "admin@example.com", "{complete}");
    for client in [service.guest(), service.customer()] {
        let visible = json!({"id": complete["id"], "name": complete["name"]});
        assert_eq!(sender(client), visible);
    }
}

#[test]
fn guests_cannot_set_the_owner_of_a_record() {
    let (service, _) = post("");
    let lines = r#"
        guest    POST /api/parcels {"word": "x", "customer_id": 7} => 201 /data/customer_id null
        customer POST /api/parcels {"word": "x", "customer_id": 7} => 201 /data/customer_id ID
        admin    POST /api/parcels {"word": "x", "customer_id": 7} => 201 /data/customer_id 7"#;
    check(
        &service,
        &lines.replace("ID", &service.customer_id().to_string()),
    );
    let doubts = service.app().registry().doubts().join("\n");
    for action in ["update", "destroy"] {
        assert!(
            doubts.contains(&format!("`{action}` of `parcels`")),
            "{doubts}"
        );
    }
    assert_eq!(service.app().registry().doubts().len(), 2, "{doubts}");
}
