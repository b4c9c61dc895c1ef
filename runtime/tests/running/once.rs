//! `Idempotency-Key`: what is sent again is answered again, not done again.

use std::time::{Duration, SystemTime};

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

fn count(service: &Service) -> Option<i64> {
    let sql = "SELECT COUNT(*) FROM \"dishes\"";
    let rows = service
        .block_on(service.app().db().rows(sql, []))
        .expect("rows");
    rows[0][0].as_int()
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

#[test]
fn an_answer_that_is_no_text_is_kept_too() {
    let (service, _) = bakery("");
    let guest = keyed(&service.guest(), "picture");
    let first = guest.post("/api/toast", json!({}));
    let again = guest.post("/api/toast", json!({}));
    assert_eq!((first.status, replayed(&first)), (200, false));
    assert_eq!((again.status, replayed(&again)), (200, true), "{again}");
    assert_eq!(first.body, String::from_utf8_lossy(TOAST));
    assert_eq!(again.body, first.body);
}

#[test]
fn the_same_request_is_done_once() {
    let service = kitchen();
    let admin = service.admin();
    let soup = json!({"title": "Soup"});
    let first = keyed(&admin, "\"k-1\"").post("/api/dishes", soup.clone());
    assert_eq!(first.status, 201, "{first}");
    assert!(!replayed(&first));
    for key in ["\"k-1\"", "k-1"] {
        let again = keyed(&admin, key).post("/api/dishes", soup.clone());
        assert_eq!((again.status, &again.body), (201, &first.body));
        for name in ["location", "content-type"] {
            assert_eq!(again.header(name), first.header(name), "{name}");
        }
        assert!(replayed(&again));
    }
    assert_eq!(count(&service), Some(1));
    let other = keyed(&admin, "k-1").post("/api/dishes", json!({"title": "Stew"}));
    assert_eq!(other.status, 422, "{other}");
    assert!(
        other.json["errors"]["Idempotency-Key"].is_array(),
        "{other}"
    );
    let note = keyed(&admin, "k-1").post("/api/notes", json!({"dish_id": 1, "text": "x"}));
    assert_eq!(
        note.status, 422,
        "another address is another request: {note}"
    );
    assert_eq!(
        keyed(&admin, "k-2")
            .post("/api/dishes", soup.clone())
            .status,
        201
    );
    assert_eq!(admin.post("/api/dishes", soup).status, 201, "without a key");
    assert_eq!(count(&service), Some(3));
    for key in ["", "\"\"", &"k".repeat(256)] {
        assert_eq!(
            keyed(&admin, key).post("/api/dishes", json!({})).status,
            400,
            "{key}"
        );
    }
}

#[test]
fn documents_are_answered_once_too() {
    let service = kitchen();
    let media = "application/vnd.api+json";
    let admin = service.admin().header("Accept", media);
    let admin = admin.header("Content-Type", media);
    let soup = |title: &str| json!({"data": {"type": "dishes", "attributes": {"title": title}}});
    let first = keyed(&admin, "k").post("/api/dishes", soup("Soup"));
    assert_eq!(first.status, 201, "{first}");
    let again = keyed(&admin, "k").post("/api/dishes", soup("Soup"));
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.header("content-type"), Some(media));
    assert!(replayed(&again));
    let other = keyed(&admin, "k").post("/api/dishes", soup("Stew"));
    assert_eq!(other.status, 422, "{other}");
    let source = &other.json["errors"][0]["source"];
    assert_eq!(*source, json!({"header": "Idempotency-Key"}), "{other}");
    let none = keyed(&admin, "").post("/api/dishes", soup("Soup"));
    assert_eq!(none.status, 400, "{none}");
    assert_eq!(none.json["errors"][0]["status"], "400", "{none}");
    assert_eq!(count(&service), Some(1));
}

#[test]
fn an_answer_is_replayed_in_the_rendering_it_had() {
    let service = kitchen();
    let soup = || json!({"title": "Soup"});
    let first = keyed(&service.admin(), "k").post("/api/dishes", soup());
    assert_eq!(first.status, 201, "{first}");
    let document = service.admin().header("Accept", "application/vnd.api+json");
    let other = keyed(&document, "k").post("/api/dishes", soup());
    assert_eq!(other.status, 422, "{other}");
    let any = service.admin().header("Accept", "*/*");
    let again = keyed(&any, "k").post("/api/dishes", soup());
    assert!(replayed(&again), "{again}");
    assert_eq!(count(&service), Some(1));
}

#[test]
fn a_route_of_ones_own_is_done_once_too() {
    let service = kitchen();
    let guest = service.guest();
    let cut = |path: &str| keyed(&guest, "k").post(path, json!({}));
    let first = cut("/api/loaves/1/slice");
    assert_eq!(first.status, 200, "{first}");
    let again = cut("/api/loaves/1/slice");
    assert!(replayed(&again));
    assert_eq!(again.body, first.body);
    assert_eq!(cut("/api/loaves/2/slice").status, 422);
}

#[test]
fn an_idempotency_key_belongs_to_its_caller() {
    let service = kitchen();
    let soup = json!({"title": "Soup"});
    let chef = service.account(AccountKind::Admin, "chef@example.com");
    let token =
        |abilities: &[&str]| service.with_token(service.token(AccountKind::Admin, chef, abilities));
    let first = keyed(&service.admin(), "k").post("/api/dishes", soup.clone());
    let others = keyed(&token(&["*"]), "k").post("/api/dishes", soup.clone());
    assert_eq!((first.status, others.status), (201, 201));
    assert_eq!(count(&service), Some(2));
    let again = keyed(&token(&["*"]), "k").post("/api/dishes", soup.clone());
    assert!(replayed(&again), "another token of the same account");
    // A caller without access does not get the stored answer.
    assert_eq!(
        keyed(&token(&["dishes:read"]), "k")
            .post("/api/dishes", soup.clone())
            .status,
        403
    );
    assert_eq!(
        keyed(&service.guest(), "k")
            .post("/api/dishes", soup)
            .status,
        401
    );
}

#[test]
fn a_refused_request_leaves_its_idempotency_key_free() {
    let service = kitchen();
    let admin = service.admin();
    let refused = keyed(&admin, "k").post("/api/dishes", json!({"title": ""}));
    assert_eq!(refused.status, 422);
    assert_eq!(
        keyed(&admin, "k")
            .post("/api/dishes", json!({"title": "Poison"}))
            .status,
        409
    );
    let mended = keyed(&admin, "k").post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(mended.status, 201, "{mended}");
    assert!(!replayed(&mended));
}

#[test]
fn a_failed_request_with_an_idempotency_key_is_not_repeated() {
    let service = kitchen();
    let guest = service.guest();
    for flour in ["stone", "thunder"] {
        let loaf = json!({"flour": flour});
        for _ in 0..2 {
            let answer = keyed(&guest, flour).post("/api/loaves", loaf.clone());
            assert_eq!(answer.status, 500, "{answer}");
        }
        let other = keyed(&guest, flour).post("/api/loaves", json!({"flour": "rye"}));
        assert_eq!(other.status, 422);
    }
}

#[test]
fn while_the_first_runs_the_second_is_409() {
    let (service, gate) = bakery("");
    let bake = || keyed(&service.guest(), "k").post("/api/loaves", json!({"flour": "slow"}));
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(bake);
        assert!(soon(|| gate.came() == 1), "it bakes");
        let second = bake();
        gate.let_one_go();
        (first.join().expect("an answer"), second)
    });
    assert_eq!(
        (first.status, second.status),
        (201, 409),
        "{first} {second}"
    );
    assert!(replayed(&bake()), "afterwards it is replayed");
    assert_eq!(gate.came(), 1);
}

#[test]
fn one_of_many_concurrent_requests_with_one_key_is_done() {
    let service = kitchen();
    let soup = json!({"title": "Soup"});
    let admin = service.admin();
    let cook = || keyed(&admin, "k").post("/api/dishes", soup.clone());
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..8).map(|_| scope.spawn(cook)).collect();
        running
            .into_iter()
            .map(|it| it.join().expect("an answer"))
            .collect()
    });
    assert_eq!(count(&service), Some(1));
    for answer in answers {
        assert!(matches!(answer.status, 201 | 409), "{answer}");
    }
}

#[test]
fn a_client_that_disconnects_finds_its_answer_on_retry() {
    let (service, gate) = bakery("api: { request_timeout: 2s }");
    let bake = || keyed(&service.guest(), "k").post("/api/loaves", json!({"flour": "slow"}));
    assert_eq!(bake().status, 503, "the first took too long");
    assert_eq!(bake().status, 409, "it bakes still");
    gate.let_one_go();
    assert!(soon(|| bake().status != 409), "it is done");
    let again = bake();
    assert_eq!(again.status, 201, "{again}");
    assert!(replayed(&again));
    assert_eq!(again.json["data"]["id"], 1, "it was done once");
    assert_eq!((gate.came(), gate.given_up()), (1, 0));
}

#[test]
fn answers_are_kept_a_day() {
    let service = kitchen();
    let admin = service.admin();
    let soup = json!({"title": "Soup"});
    let stored = |()| keyed(&admin, "k").post("/api/dishes", soup.clone());
    stored(());
    let age = |seconds: u64| {
        let sql = "UPDATE \"idempotency_keys\" SET \"created_at\" = ?";
        let stored = DateTime::from(SystemTime::now() - Duration::from_secs(seconds));
        service
            .block_on(service.app().db().execute(sql, [stored.into()]))
            .expect("an update");
    };
    age(86_000);
    assert!(replayed(&stored(())));
    age(86_401);
    assert!(!replayed(&stored(())), "after a day the key is free");
    assert_eq!(count(&service), Some(2));
}
