//! `Idempotency-Key`: a request that is sent again is answered again, not done again.

use std::{
    io::Write,
    thread,
    time::{Duration, SystemTime},
};

use formwork::{
    auth::AccountKind,
    prelude::*,
    testing::{Answer, Client, Service},
};

use super::{
    config,
    gate::{Gate, soon},
    kitchen,
    kitchen::Kitchen,
    oven::{Oven, TOAST},
    raw,
    support::{Expect, JSON_API, at_once, check, check_as, count, execute},
};

/// The kitchen, and where slow flour waits.
fn bakery(yaml: &str) -> (Service, Gate) {
    let gate = Gate::default();
    let oven = Oven(gate.clone());
    let extensions: Vec<Box<dyn Extension>> = vec![Box::new(Kitchen), Box::new(oven)];
    (Service::with_config(config(yaml), extensions), gate)
}

fn keyed<'s>(client: &Client<'s>, key: &str) -> Client<'s> {
    client.clone().header("Idempotency-Key", key)
}

/// Bakes slow flour with a key.
fn bake(service: &Service) -> Answer {
    let loaf = json!({"flour": "slow"});
    keyed(&service.guest(), "k").post("/api/loaves", loaf)
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

#[test]
fn the_same_request_is_done_once() {
    let service = kitchen();
    // Another address or body is another request; a key may be quoted.
    let lines = r#"
        admin POST /api/dishes @Idempotency-Key="k-1" {"title": "Soup"} => 201 idempotency-replayed: null /data/id 1
        admin POST /api/dishes @Idempotency-Key="k-1" {"title": "Soup"} => 201 idempotency-replayed: "true" /data/id 1 location: "/api/dishes/1" content-type: "application/json"
        admin POST /api/dishes @Idempotency-Key=k-1   {"title": "Soup"} => 201 idempotency-replayed: "true" /data/id 1
        admin POST /api/dishes @Idempotency-Key=k-1   {"title": "Stew"} => 422 ~ "\"Idempotency-Key\":["
        admin POST /api/notes  @Idempotency-Key=k-1   {"dish_id": 1, "text": "x"} => 422
        admin POST /api/dishes @Idempotency-Key=k-2   {"title": "Soup"} => 201 /data/id 2
        admin POST /api/dishes                        {"title": "Soup"} => 201 /data/id 3
        admin POST /api/dishes @Idempotency-Key=      {} => 400
        admin POST /api/dishes @Idempotency-Key=""    {} => 400
        admin POST /api/dishes @Idempotency-Key=LONG  {} => 400
        guest POST /api/loaves/1/slice @Idempotency-Key=k {} => 200 idempotency-replayed: null
        guest POST /api/loaves/1/slice @Idempotency-Key=k {} => 200 idempotency-replayed: "true"
        guest POST /api/loaves/2/slice @Idempotency-Key=k {} => 422"#;
    check(&service, &lines.replace("LONG", &"k".repeat(256)));
    assert_eq!(count(&service, "dishes"), 3);
}

#[test]
fn a_stored_answer_has_the_same_bytes_text_or_not() {
    let service = kitchen();
    let guest = keyed(&service.guest(), "picture");
    let [first, again] = [(); 2].map(|()| guest.post("/api/toast", json!({})).expect(200));
    assert_eq!((replayed(&first), replayed(&again)), (false, true));
    assert_eq!(first.body, String::from_utf8_lossy(TOAST));
    assert_eq!(again.body, first.body);
    let admin = keyed(&service.admin(), "text");
    let [first, again] = [(); 2].map(|()| admin.post("/api/dishes", json!({"title": "Soup"})));
    assert_eq!((again.status, &again.body), (201, &first.body));
}

#[test]
fn documents_are_answered_once_too_and_each_in_its_representation() {
    let service = kitchen();
    let admin = service.admin();
    let document = admin
        .clone()
        .header("Accept", JSON_API)
        .header("Content-Type", JSON_API);
    let callers = [("document", &document)];
    let lines = r#"
        document POST /api/dishes @Idempotency-Key=k SOUP => 201 idempotency-replayed: null
        document POST /api/dishes @Idempotency-Key=k SOUP => 201 idempotency-replayed: "true" content-type: "application/vnd.api+json"
        document POST /api/dishes @Idempotency-Key=k STEW => 422 /errors/0/source {"header": "Idempotency-Key"}
        document POST /api/dishes @Idempotency-Key=  SOUP => 400 /errors/0/status "400"
        admin POST /api/dishes @Idempotency-Key=j {"title": "Soup"} => 201 idempotency-replayed: null
        admin POST /api/dishes @Idempotency-Key=j @Accept=application/vnd.api+json {"title": "Soup"} => 422
        admin POST /api/dishes @Idempotency-Key=j @Accept=*/* {"title": "Soup"} => 201 idempotency-replayed: "true""#;
    let dish = |title| json!({"data": {"type": "dishes", "attributes": {"title": title}}});
    let lines = lines.replace("SOUP", &dish("Soup").to_string());
    check_as(
        &service,
        &callers,
        &lines.replace("STEW", &dish("Stew").to_string()),
    );
    assert_eq!(count(&service, "dishes"), 2);
}

#[test]
fn an_idempotency_key_belongs_to_its_caller() {
    let service = kitchen();
    let chef = service.account(AccountKind::Admin, "chef@example.com");
    let client = |ability| service.with_token(service.token(AccountKind::Admin, chef, &[ability]));
    let (one, another, reader) = (client("*"), client("*"), client("dishes:read"));
    // Tokens of one account share it; a caller without access does not get the stored answer.
    let lines = r#"
        admin   POST /api/dishes @Idempotency-Key=k {"title": "Soup"} => 201 /data/id 1
        one     POST /api/dishes @Idempotency-Key=k {"title": "Soup"} => 201 /data/id 2
        another POST /api/dishes @Idempotency-Key=k {"title": "Soup"} => 201 /data/id 2 idempotency-replayed: "true"
        reader  POST /api/dishes @Idempotency-Key=k {"title": "Soup"} => 403
        guest   POST /api/dishes @Idempotency-Key=k {"title": "Soup"} => 401"#;
    let callers = [("one", &one), ("another", &another), ("reader", &reader)];
    check_as(&service, &callers, lines);
}

#[test]
fn a_key_is_free_after_a_rejection_and_not_after_a_failure() {
    let lines = r#"
        admin POST /api/dishes @Idempotency-Key=k {"title": ""}       => 422
        admin POST /api/dishes @Idempotency-Key=k {"title": "Poison"} => 409
        admin POST /api/dishes @Idempotency-Key=k {"title": "Soup"}   => 201 idempotency-replayed: null
        guest POST /api/loaves @Idempotency-Key=s {"flour": "stone"}   => 500
        guest POST /api/loaves @Idempotency-Key=s {"flour": "stone"}   => 500
        guest POST /api/loaves @Idempotency-Key=s {"flour": "rye"}     => 422
        guest POST /api/loaves @Idempotency-Key=t {"flour": "thunder"} => 500
        guest POST /api/loaves @Idempotency-Key=t {"flour": "thunder"} => 500
        guest POST /api/loaves @Idempotency-Key=t {"flour": "rye"}     => 422"#;
    check(&kitchen(), lines);
}

#[test]
fn while_the_first_runs_the_second_is_409() {
    let (service, gate) = bakery("");
    thread::scope(|scope| {
        let first = scope.spawn(|| bake(&service));
        assert!(soon(|| gate.came() == 1), "it bakes");
        bake(&service).expect(409);
        gate.let_one_go();
        first.join().expect("an answer").expect(201);
    });
    assert!(replayed(&bake(&service)), "afterwards it is replayed");
    assert_eq!(gate.came(), 1);
}

#[test]
fn one_of_many_concurrent_requests_with_one_key_is_done() {
    let service = kitchen();
    let admin = keyed(&service.admin(), "k");
    let answers = at_once(8, |_| admin.post("/api/dishes", json!({"title": "Soup"})));
    assert_eq!(count(&service, "dishes"), 1);
    for answer in answers {
        assert!(matches!(answer.status, 201 | 409), "{answer}");
    }
}

#[test]
fn a_client_that_disconnects_finds_its_answer_on_retry() {
    let (service, gate) = bakery("");
    let body = r#"{"flour":"slow"}"#;
    let request = format!(
        "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Idempotency-Key: k\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = raw::connect(&service);
    socket.write_all(request.as_bytes()).expect("a request");
    assert!(soon(|| gate.came() == 1), "it bakes");
    drop(socket);
    // It bakes still when the second arrives.
    bake(&service).expect(409);
    gate.let_one_go();
    assert!(soon(|| bake(&service).status != 409), "it is done");
    let again = bake(&service).expect(201);
    assert!(replayed(&again));
    assert_eq!(again.json["data"]["id"], 1, "it was done once");
    assert_eq!((gate.came(), gate.given_up()), (1, 0));
}

#[test]
fn a_key_is_free_after_the_time_limit() {
    let (service, gate) = bakery("api: { request_timeout: 1s }");
    bake(&service).expect(503);
    assert!(soon(|| gate.given_up() == 1), "it is rolled back");
    gate.let_one_go();
    assert!(!replayed(&bake(&service).expect(201)));
}

#[test]
fn answers_are_kept_a_day() {
    let service = kitchen();
    let store = || keyed(&service.admin(), "k").post("/api/dishes", json!({"title": "Soup"}));
    let age = |seconds: u64| {
        let created = DateTime::from(SystemTime::now() - Duration::from_secs(seconds));
        let sql = "UPDATE idempotency_keys SET created_at = ?";
        execute(&service, sql, [created.into()]);
    };
    store().expect(201);
    age(86_000);
    assert!(replayed(&store()));
    age(86_401);
    assert!(!replayed(&store()), "after a day the key is free");
    assert_eq!(count(&service, "dishes"), 2);
}
