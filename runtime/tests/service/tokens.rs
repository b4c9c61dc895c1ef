//! `/api/token`: docs/contract.md, "Tokens".

use formwork::{auth::AccountKind, testing::Service};
use serde_json::{Value as Json, json};

use super::{configured, empty_library};

fn login(service: &Service, mut fields: Json) -> formwork::testing::Answer {
    fields["device_name"] = json!("till");
    service.guest().post("/api/token", fields)
}

fn with_accounts() -> Service {
    let service = empty_library();
    service.account(AccountKind::Admin, "admin@example.com");
    service.account(AccountKind::Customer, "alice@example.com");
    service
}

#[test]
fn json_and_form_bodies_get_tokens() {
    let service = with_accounts();
    let answer = login(
        &service,
        json!({"email": "alice@example.com", "password": "formwork"}),
    );
    assert_eq!(
        (answer.status, &answer.json["status_code"]),
        (201, &json!(201)),
        "{answer}"
    );
    let form = "is_admin=1&username=admin&password=formwork&device_name=till&abilities[]=books.*";
    let form_client = service
        .guest()
        .header("Content-Type", "application/x-www-form-urlencoded");
    let answer = form_client.send("POST", "/api/token", Some(form.to_owned()));
    assert_eq!(answer.status, 201, "{answer}");
    let token = answer.json["token"].as_str().expect("token");
    let (id, secret) = token.split_once('|').expect("bar");
    assert!(id.parse::<i64>().is_ok() && secret.len() == 40, "{token}");

    let admin = service.with_token(token);
    let user = admin.get("/api/token/user");
    assert_eq!(
        (user.status, &user.json["user"]["username"]),
        (200, &json!("admin")),
        "{user}"
    );
    assert_eq!(user.json["user"]["abilities"], json!(["books:*"]));
    let answer = admin.post("/api/books", json!({"title": "Salt", "price": 1}));
    assert_eq!(answer.status, 201, "{answer}");
    assert_eq!(
        admin.get("/api/members").status,
        403,
        "another resource's ability"
    );
}

/// OpenAPI's encoding of forms repeats the name of a list; others add brackets to it.
#[test]
fn a_form_may_write_its_abilities_in_each_usual_way() {
    let service = with_accounts();
    let guest = service
        .guest()
        .header("Content-Type", "application/x-www-form-urlencoded");
    let both = ["books:*", "loans:index"];
    for (written, held) in [
        ("abilities=books.*", &both[..1]),
        ("abilities=books.*&abilities=loans:index", &both),
        ("abilities[]=books.*&abilities[]=loans:index", &both),
        (
            "abilities%5B0%5D=books.*&abilities%5B1%5D=loans:index",
            &both,
        ),
    ] {
        let form = format!("username=admin&password=formwork&device_name=till&{written}");
        let answer = guest.send("POST", "/api/token", Some(form));
        assert_eq!(answer.status, 201, "{written}: {answer}");
        let token = answer.json["token"].as_str().expect("a token");
        let user = service.with_token(token).get("/api/token/user");
        assert_eq!(user.json["user"]["abilities"], json!(held), "{written}");
    }
    let form = "username=admin&password=formwork&device_name=till&abilities=books read";
    let answer = guest.send("POST", "/api/token", Some(form.to_owned()));
    assert_eq!(answer.status, 422, "{answer}");
    assert!(answer.json["errors"]["abilities.0"].is_array(), "{answer}");
}

#[test]
fn a_token_is_revoked_by_its_holder() {
    let service = with_accounts();
    let answer = login(
        &service,
        json!({"email": "alice@example.com", "password": "formwork"}),
    );
    let alice = service.with_token(answer.json["token"].as_str().expect("token"));
    assert_eq!(alice.get("/api/loans").status, 200);
    let asked = alice.delete("/api/token?all=1");
    assert_eq!(asked.status, 400, "{asked}");
    assert!(asked.body.contains("`all`"), "{asked}");
    assert_eq!(alice.get("/api/token/user?fields=id").status, 400);
    assert_eq!(alice.post("/api/token?x=1", json!({})).status, 400);
    let answer = alice.delete("/api/token");
    assert_eq!((answer.status, answer.body.as_str()), (204, ""));
    for path in ["/api/loans", "/api/books", "/api/token/user"] {
        assert_eq!(alice.get(path).status, 401, "{path}");
    }
    assert_eq!(alice.delete("/api/token").status, 401);
}

#[test]
fn a_guest_has_no_token_to_show_or_revoke() {
    let service = empty_library();
    let answer = service.guest().get("/api/token/user");
    assert_eq!(answer.status, 401, "{answer}");
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    assert_eq!(service.guest().delete("/api/token?x=1").status, 401);
    assert_eq!(service.guest().get("/api/token").status, 405);
}

#[test]
fn token_errors_are_reported_at_once_and_reveal_no_account() {
    let service = with_accounts();
    let answer = service
        .guest()
        .post("/api/token", json!({"is_admin": 2, "abilities": "all"}));
    assert_eq!(answer.status, 422, "{answer}");
    for field in ["is_admin", "abilities", "email", "password", "device_name"] {
        assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
    }
    let wrong = login(
        &service,
        json!({"email": "alice@example.com", "password": "Formwork"}),
    );
    let unknown = login(
        &service,
        json!({"email": "mallory@example.com", "password": "formwork"}),
    );
    assert_eq!(wrong.status, 422, "{wrong}");
    assert_eq!(wrong.body, unknown.body);
}

#[test]
fn the_sixth_failure_within_a_minute_is_429() {
    let service = with_accounts();
    let wrong = json!({"email": "alice@example.com", "password": "wrong"});
    for _ in 0..5 {
        assert_eq!(login(&service, wrong.clone()).status, 422);
    }
    let answer = login(
        &service,
        json!({"email": "alice@example.com", "password": "formwork"}),
    );
    assert_eq!(answer.status, 429, "{answer}");
    let wait: u64 = answer
        .header("retry-after")
        .expect("Retry-After")
        .parse()
        .expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");
    let other = login(
        &service,
        json!({"username": "admin", "password": "formwork"}),
    );
    assert_eq!(other.status, 201, "another account is not locked: {other}");
}

#[test]
fn a_lifetime_ends_and_a_proxy_is_trusted_only_where_configured() {
    let yaml = "auth: { customers: members, token_lifetime: 1h, authorization_header: HTTP_AUTHORIZATION }";
    let service = configured(yaml);
    service.account(AccountKind::Customer, "alice@example.com");
    let answer = login(
        &service,
        json!({"email": "alice@example.com", "password": "formwork"}),
    );
    let token = answer.json["token"].as_str().expect("token");
    let line = format!("Bearer {token}");
    let proxied = service.guest().header("HTTP_AUTHORIZATION", &line);
    assert_eq!(proxied.get("/api/loans").status, 200);
    let db = service.context().db().clone();
    let past = "UPDATE api_tokens SET expires_at = ? WHERE expires_at > created_at";
    let then = formwork::literal::datetime("1999-01-01T00:00:00Z");
    assert_eq!(
        service
            .block_on(db.execute(past, [then.into()]))
            .expect("the lifetime was stored"),
        1
    );
    assert_eq!(service.with_token(token).get("/api/books").status, 401);

    let strict = empty_library();
    let proxied = strict.guest().header("HTTP_AUTHORIZATION", "Bearer 1|x");
    assert_eq!(
        proxied.get("/api/books").status,
        200,
        "the header is none of its business"
    );
}
