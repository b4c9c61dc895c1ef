//! How changes end: before their commit they can be cancelled, after it they finish, and no answer
//! denies them.

use std::{io::Write, net::TcpStream, thread, time::Duration};

use formwork::{prelude::*, testing::Service};

use super::{
    config,
    gate::{Gate, soon},
    parcels::Post,
    raw,
};

/// A service, and where its slow parcels wait.
pub fn post(yaml: &str) -> (Service, Gate) {
    let gate = Gate::default();
    let service = Service::with_config(config(yaml), vec![Box::new(Post(gate.clone()))]);
    (service, gate)
}

fn count(service: &Service, sql: &'static str) -> i64 {
    let rows = service.block_on(service.app().db().rows(sql, []));
    rows.expect("rows")[0][0].as_int().expect("a number")
}

pub fn parcels(service: &Service) -> i64 {
    count(service, "SELECT COUNT(*) FROM \"parcels\"")
}

pub fn letters(service: &Service) -> i64 {
    count(service, "SELECT COUNT(*) FROM \"letters\"")
}

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

#[test]
fn hooks_after_the_commit_run_though_the_client_disconnected() {
    let (service, gate) = post("");
    let socket = send(&service, "slow after");
    assert!(soon(|| gate.came() == 1), "the hook runs");
    assert_eq!(parcels(&service), 1, "the row is there");
    drop(socket);
    // Time to notice it, and to give the hook up for it.
    thread::sleep(Duration::from_millis(300));
    assert_eq!(letters(&service), 0, "the hook takes its time");
    gate.let_one_go();
    assert!(soon(|| letters(&service) == 1), "the hook has run");
    assert_eq!(gate.given_up(), 0);
}

#[test]
fn a_client_that_disconnects_before_the_commit_changes_nothing() {
    let (service, gate) = post("");
    let socket = send(&service, "slow before");
    assert!(soon(|| gate.came() == 1), "it is on its way");
    drop(socket);
    assert!(soon(|| gate.given_up() == 1), "it is given up");
    assert_eq!((parcels(&service), letters(&service)), (0, 0));
    // Its transaction is over as well.
    let next = service.guest().post("/api/parcels", json!({"word": "x"}));
    assert_eq!(next.status, 201, "{next}");
}

#[test]
fn a_request_out_of_time_is_503_only_if_its_change_is_rolled_back() {
    // Its time is enough for a commit on any machine.
    let (service, gate) = post("api: { request_timeout: 5s }");
    let store = |word: &str| service.guest().post("/api/parcels", json!({"word": word}));
    let before = store("slow before");
    assert_eq!(before.status, 503, "{before}");
    assert!(soon(|| gate.given_up() == 1), "it was given up");
    assert_eq!(parcels(&service), 0);
    let after = store("slow after");
    assert_eq!(after.status, 500, "the parcel is on its way: {after}");
    assert_eq!(after.header("retry-after"), None, "{after}");
    assert_eq!((parcels(&service), letters(&service)), (1, 0));
    gate.let_one_go();
    assert!(soon(|| letters(&service) == 1), "the hook runs to its end");
}

/// One connection, which a greedy parcel holds until it is let go.
const GREEDY: &str = "database: { pool: { max: 1, acquire_timeout: 4s } }";

const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);

#[test]
fn a_busy_pool_after_the_commit_does_not_undo_the_answer() {
    let (service, gate) = post(GREEDY);
    let greedy = |path: &str| service.guest().post(path, json!({"word": "greedy"}));
    let stored = greedy("/api/parcels");
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.json["data"]["id"], 1, "{stored}");
    gate.let_one_go();
    // The include needs the pool: there is no answer, but none that says "try again" either.
    let stored = greedy("/api/parcels?include=letters");
    assert_eq!(stored.status, 500, "{stored}");
    assert_eq!(stored.header("retry-after"), None, "{stored}");
    gate.let_one_go();
    assert_eq!(parcels(&service), 2);
}

#[test]
fn an_idempotency_key_of_a_committed_change_is_not_free() {
    let (service, gate) = post(GREEDY);
    let client = service.guest().header("Idempotency-Key", "k");
    let store = || client.post("/api/parcels?include=letters", json!({"word": "greedy"}));
    let stored = thread::scope(|scope| {
        let storing = scope.spawn(store);
        assert!(soon(|| gate.came() == 1), "it has the connection");
        // The include waits for one, then the record of the answer does: the second gets it.
        thread::sleep(ACQUIRE_TIMEOUT * 3 / 2);
        gate.let_one_go();
        storing.join().expect("an answer")
    });
    assert_eq!(stored.status, 500, "{stored}");
    assert_eq!(parcels(&service), 1);
    // While what came of it is written down, it is still on its way.
    assert!(soon(|| store().status != 409));
    let again = store();
    assert_eq!(again.status, 500, "{again}");
    assert_eq!(parcels(&service), 1, "it is not stored twice");
    assert_eq!(gate.came(), 1);
}

#[test]
fn a_record_is_deleted_once() {
    let (service, _) = post("");
    service.guest().post("/api/parcels", json!({"word": "x"}));
    let held = service
        .block_on(service.app().db().begin())
        .expect("a transaction");
    let mut statuses = thread::scope(|scope| {
        let delete = || service.guest().delete("/api/parcels/1").status;
        let deleting = [scope.spawn(delete), scope.spawn(delete)];
        // Both have seen the record, and wait to write.
        thread::sleep(Duration::from_millis(500));
        service.block_on(async { drop(held) });
        deleting.map(|it| it.join().expect("an answer"))
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404]);
    let refunds = "SELECT COUNT(*) FROM \"letters\" WHERE \"text\" = 'refunded'";
    assert_eq!(count(&service, refunds), 1);
}

#[test]
fn logins_of_administrators_are_shown_to_administrators_only() {
    let (service, _) = post("");
    let admin = service.admin();
    service.guest().post("/api/parcels", json!({"word": "x"}));
    let sent = "UPDATE \"parcels\" SET \"customer_id\" = ?, \
                \"sender_id\" = (SELECT \"user_id\" FROM \"admin_users\")";
    let customer = Value::from(service.customer_id());
    service
        .block_on(service.app().db().execute(sent, [customer]))
        .expect("an update");
    let place = "/api/parcels/1?include=sender";
    let sender = |client: &formwork::testing::Client<'_>| {
        let answer = client.patch(place, json!({"word": "y"}));
        assert_eq!(answer.status, 200, "{answer}");
        answer.json["data"]["sender"].clone()
    };
    let whole = sender(&admin);
    assert_eq!(whole["email"], "admin@example.com", "{whole}");
    for client in [service.guest(), service.customer()] {
        let shown = sender(&client);
        assert_eq!(shown, json!({"id": whole["id"], "name": whole["name"]}));
    }
}

#[test]
fn guests_cannot_set_the_owner_of_a_record() {
    let (service, _) = post("");
    let of = |client: &formwork::testing::Client<'_>| {
        let parcel = json!({"word": "x", "customer_id": 7});
        let stored = client.post("/api/parcels", parcel);
        assert_eq!(stored.status, 201, "{stored}");
        stored.json["data"]["customer_id"].clone()
    };
    assert_eq!(of(&service.guest()), json!(null));
    assert_eq!(of(&service.customer()), json!(service.customer_id()));
    assert_eq!(of(&service.admin()), 7);
    let doubts = service.app().registry().doubts();
    let told = |action: &str| doubts.iter().any(|told| told.contains(action));
    assert!(told("`update` of `parcels`") && told("`destroy` of `parcels`"));
    assert_eq!(doubts.len(), 2, "{doubts:?}");
}
