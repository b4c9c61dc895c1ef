//! `auth.max_tokens`: a login beyond it replaces a token of the account.

use formwork::{
    auth::AccountKind,
    testing::{Answer, Service},
};
use serde_json::json;

use super::tokens::configured;

/// An account of which two tokens are valid at once.
fn with_two_tokens() -> Service {
    configured(", max_tokens: 2")
}

fn login(service: &Service) -> Answer {
    let body = json!({
        "email": "alice@example.com", "password": "formwork", "device_name": "till",
    });
    service.guest().post("/api/token", body)
}

fn token(service: &Service) -> String {
    let issued = login(service);
    assert_eq!(issued.status, 201, "{issued}");
    issued.json["token"].as_str().expect("a token").to_owned()
}

/// Which of these tokens are stored. It uses none of them.
fn stored(service: &Service, tokens: &[&String]) -> Vec<bool> {
    let sql = "SELECT count(*) FROM \"api_tokens\" WHERE \"id\" = ?";
    let is_stored = |token: &&String| {
        let id: i64 = token
            .split('|')
            .next()
            .expect("an id")
            .parse()
            .expect("an id");
        let rows = service.block_on(service.app().db().rows(sql, [id.into()]));
        rows.expect("a count")[0][0].as_int() == Some(1)
    };
    tokens.iter().map(is_stored).collect()
}

/// Uses a token, and waits until that is written, which happens beside the request.
fn used(service: &Service, token: &str) {
    assert_eq!(service.with_token(token).get("/api/token/user").status, 200);
    let sql =
        "SELECT count(*) FROM \"api_tokens\" WHERE \"id\" = ? AND \"last_used_at\" IS NOT NULL";
    let id: i64 = token
        .split('|')
        .next()
        .expect("an id")
        .parse()
        .expect("an id");
    let is_written = || {
        let rows = service.block_on(service.app().db().rows(sql, [id.into()]));
        rows.expect("a count")[0][0].as_int() == Some(1)
    };
    let began = std::time::Instant::now();
    while !is_written() {
        assert!(
            began.elapsed().as_secs() < 60,
            "last_used_at was not written"
        );
        std::thread::yield_now();
    }
}

#[test]
fn a_login_beyond_the_limit_replaces_the_oldest_unused_token() {
    let service = with_two_tokens();
    let (first, second) = (token(&service), token(&service));
    used(&service, &first);
    let third = token(&service);
    assert_eq!(
        stored(&service, &[&first, &second, &third]),
        [true, false, true]
    );
    let fourth = token(&service);
    assert_eq!(
        stored(&service, &[&first, &third, &fourth]),
        [true, false, true]
    );
    assert_eq!(service.with_token(third).get("/api/token/user").status, 401);
}

#[test]
fn where_all_tokens_are_used_a_login_replaces_the_one_used_longest_ago() {
    let service = with_two_tokens();
    let (first, second) = (token(&service), token(&service));
    used(&service, &first);
    used(&service, &second);
    let earlier = "UPDATE \"api_tokens\" SET \"last_used_at\" = ? WHERE \"id\" = ?";
    let id: i64 = second
        .split('|')
        .next()
        .expect("an id")
        .parse()
        .expect("an id");
    let long_ago = service.app().now() - std::time::Duration::from_secs(86_400);
    let changed = service
        .app()
        .db()
        .execute(earlier, [long_ago.into(), id.into()]);
    assert_eq!(service.block_on(changed).expect("changed"), 1);
    let third = token(&service);
    assert_eq!(
        stored(&service, &[&first, &second, &third]),
        [true, false, true]
    );
}

#[test]
fn tokens_of_others_and_expired_ones_do_not_count() {
    let service = with_two_tokens();
    let bob = service.account(AccountKind::Customer, "bob@example.com");
    let of_bob = service.token(AccountKind::Customer, bob, &["*"]);
    let (first, second) = (token(&service), token(&service));
    let revoked = service.with_token(first.clone()).delete("/api/token");
    assert_eq!(revoked.status, 204);
    let third = token(&service);
    assert_eq!(stored(&service, &[&of_bob, &second, &third]), [true; 3]);
}

#[test]
fn logins_at_once_leave_as_many_tokens_as_the_limit() {
    let service = with_two_tokens();
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let logins: Vec<_> = (0..5)
            .map(|_| scope.spawn(|| login(&service).status))
            .collect();
        let answers = logins.into_iter().map(|it| it.join().expect("an answer"));
        answers.collect()
    });
    assert!(
        answers.iter().all(|status| matches!(status, 201 | 503)),
        "{answers:?}"
    );
    let issued = answers.iter().filter(|status| **status == 201).count();
    let rows = service
        .app()
        .db()
        .rows("SELECT count(*) FROM \"api_tokens\"", []);
    let rows = service.block_on(rows).expect("a count");
    assert_eq!(
        rows[0][0].as_int(),
        Some(issued.min(2) as i64),
        "{answers:?}"
    );
}
