//! docs/contract.md, "Tokens", and "No token where one is needed: 401", sentence by sentence.

use formwork::{auth::AccountKind, literal::datetime, prelude::Value, testing::Service};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::empty_library;

const RENDERINGS: [&str; 2] = ["application/json", "application/vnd.api+json"];

fn with_accounts() -> Service {
    let service = empty_library();
    service.account(AccountKind::Admin, "chef@example.com");
    service.account(AccountKind::Customer, "alice@example.com");
    service
}

fn login(service: &Service, fields: &Json) -> formwork::testing::Answer {
    let mut body = json!({"password": "formwork", "device_name": "till"});
    for (name, value) in fields.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    service.guest().post("/api/token", body)
}

fn run(service: &Service, sql: String) {
    let db = service.context().db().clone();
    service.block_on(db.execute(sql, [])).expect("a statement");
}

fn one(service: &Service, sql: &'static str) -> Value {
    let rows = service.block_on(service.context().db().rows(sql, []));
    rows.expect("rows")[0][0].clone()
}

/// "A token that is unknown, revoked, expired, or whose account is inactive or gone: 401 on every
/// route, public ones too."
#[test]
fn an_invalid_token_is_401_on_every_route() {
    type Spoil = fn(&Service, &str);
    let spoilt: [(&str, Spoil); 6] = [
        ("of nobody", |service, id| {
            run(
                service,
                format!("UPDATE api_tokens SET id = 77 WHERE id = {id}"),
            );
        }),
        ("of another secret", |service, id| {
            run(
                service,
                format!("UPDATE api_tokens SET secret = 'x' WHERE id = {id}"),
            );
        }),
        ("revoked", |service, id| {
            run(service, format!("DELETE FROM api_tokens WHERE id = {id}"));
        }),
        ("expired", |service, id| {
            let past = datetime("2020-01-01T00:00:00Z");
            let sql = format!("UPDATE api_tokens SET expires_at = ? WHERE id = {id}");
            let db = service.context().db().clone();
            let expired = service.block_on(db.execute(sql, [past.into()]));
            expired.expect("a statement");
        }),
        ("of an inactive account", |service, _| {
            run(service, "UPDATE members SET status = FALSE".to_owned());
        }),
        ("of a deleted account", |service, _| {
            run(service, "DELETE FROM members".to_owned());
        }),
    ];
    for (what, spoil) in spoilt {
        let service = with_accounts();
        let issued = login(&service, &json!({"email": "alice@example.com"}));
        let token = issued.json["token"].as_str().expect("a token").to_owned();
        let client = service.with_token(&token);
        assert_eq!(client.get("/api/loans").status, 200, "{what}");
        spoil(&service, token.split('|').next().expect("an id"));
        for rendering in RENDERINGS {
            let client = client.clone().header("Accept", rendering);
            for (method, path) in [
                ("GET", "/api/books"),
                ("HEAD", "/api/books"),
                ("GET", "/api/books/1"),
                ("GET", "/api/loans"),
                ("POST", "/api/loans"),
                ("GET", "/api/members"),
                ("GET", "/api/token/user"),
                ("DELETE", "/api/token"),
                ("GET", "/api/nothing"),
            ] {
                let answer = client.send(method, path, None);
                let asked = format!("{what}: {method} {path} as {rendering}: {answer}");
                assert_eq!(answer.status, 401, "{asked}");
                assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{asked}");
                if rendering.ends_with("api+json") && method != "HEAD" {
                    assert_eq!(answer.json["errors"][0]["status"], "401", "{asked}");
                }
            }
        }
    }
}

/// The account that a token request's fields name.
#[test]
fn the_fields_of_a_token_request_name_its_account() {
    let service = with_accounts();
    let (chef, alice) = ("chef@example.com", "alice@example.com");
    for (fields, email) in [
        (json!({"is_admin": 1, "username": "chef"}), Ok(chef)),
        (json!({"is_admin": "1", "email": chef}), Ok(chef)),
        (
            json!({"is_admin": true, "username": "chef", "email": chef}),
            Ok(chef),
        ),
        (json!({"username": "chef"}), Ok(chef)),
        (json!({"email": alice}), Ok(alice)),
        (json!({"is_admin": 0, "email": alice}), Ok(alice)),
        // Not the earlier form: there is an e-mail address.
        (json!({"username": "chef", "email": alice}), Ok(alice)),
        (
            json!({"is_admin": 1, "username": "chef", "email": alice}),
            Err("email"),
        ),
        (json!({"is_admin": 1}), Err("username")),
        (json!({"is_admin": 1}), Err("email")),
        (json!({"is_admin": 0, "username": "chef"}), Err("email")),
        (json!({"email": chef}), Err("email")),
        (json!({"email": "alice"}), Err("email")),
        (json!({"username": "chef", "email": ""}), Ok(chef)),
        (json!({"is_admin": 1, "email": alice}), Err("email")),
        (json!({"is_admin": 1, "username": "alice"}), Err("username")),
        (json!({"is_admin": 2, "email": alice}), Err("is_admin")),
    ] {
        let answer = login(&service, &fields);
        match email {
            Ok(email) => {
                assert_eq!(answer.status, 201, "{fields}: {answer}");
                let token = answer.json["token"].as_str().expect("a token");
                let user = service.with_token(token).get("/api/token/user");
                assert_eq!(user.json["user"]["email"], email, "{fields}: {user}");
            }
            Err(field) => {
                assert_eq!(answer.status, 422, "{fields}: {answer}");
                assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
            }
        }
    }
}

#[test]
fn a_device_s_name_and_abilities_have_their_form() {
    let service = with_accounts();
    let ask = |fields: Json| {
        let mut all = json!({"email": "alice@example.com"});
        for (name, value) in fields.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        login(&service, &all)
    };
    for name in ["x".repeat(255), "ü".repeat(255), "a".to_owned()] {
        assert_eq!(ask(json!({"device_name": name})).status, 201, "{name}");
    }
    for name in [
        json!("x".repeat(256)),
        json!(""),
        json!("  "),
        json!(null),
        json!(5),
        json!([]),
    ] {
        let answer = ask(json!({"device_name": name}));
        assert_eq!(answer.status, 422, "{name}: {answer}");
        assert!(answer.json["errors"]["device_name"].is_array(), "{answer}");
    }
    for (sent, held) in [
        (json!({}), json!(["*"])),
        (json!({"abilities": null}), json!(["*"])),
        (json!({"abilities": []}), json!([])),
        (
            json!({"abilities": ["books.read", "Loans:x-1_2"]}),
            json!(["books:read", "Loans:x-1_2"]),
        ),
    ] {
        let answer = ask(sent.clone());
        let token = answer.json["token"].as_str().expect("a token");
        let user = service.with_token(token).get("/api/token/user");
        assert_eq!(user.json["user"]["abilities"], held, "{sent}: {user}");
    }
    for wrong in [
        "",
        "a b",
        "menus/read",
        "ä",
        "a,b",
        "a\u{0}",
        &"x".repeat(256),
    ] {
        let answer = ask(json!({"abilities": ["books:*", wrong]}));
        assert_eq!(answer.status, 422, "{wrong}: {answer}");
        assert!(answer.json["errors"]["abilities.1"].is_array(), "{answer}");
    }
}

/// "The secret: 40 letters and digits …; stored: its SHA-256, name, abilities."
#[test]
fn a_field_with_u_0000_in_it_is_refused() {
    let service = with_accounts();
    for rendering in RENDERINGS {
        for field in ["device_name", "username", "email", "password"] {
            let mut body = json!({"email": "alice@example.com", "password": "formwork", "device_name": "till"});
            body[field] = json!("a\u{0}b@c");
            let guest = service.guest().header("Accept", rendering);
            let answer = guest.post("/api/token", body);
            let (name, said) = (field.replace('_', " "), answer.body.clone());
            assert_eq!(answer.status, 422, "{field} {answer}");
            let message = format!("The {name} field must not contain U+0000.");
            assert!(said.contains(&message), "{said}");
        }
    }
    assert_eq!(
        one(&service, "SELECT count(*) FROM api_tokens"),
        Value::from(0_i64)
    );
}

#[test]
fn a_request_with_two_tokens_is_refused() {
    let service = with_accounts();
    let token = |login: Json| {
        let issued = login_token(&service, &login);
        format!("Bearer {issued}")
    };
    let alice = token(json!({"email": "alice@example.com"}));
    let chef = token(json!({"is_admin": 1, "email": "chef@example.com"}));
    for second in [&alice, &chef, "Basic YTpi"] {
        let twice = service.guest().header("Authorization", &alice);
        let twice = twice.header("Authorization", second);
        for path in ["/api/token/user", "/api/loans"] {
            let answer = twice.get(path);
            assert_eq!(answer.status, 401, "{second} {answer}");
        }
    }
}

fn login_token(service: &Service, fields: &Json) -> String {
    let issued = login(service, fields);
    issued.json["token"].as_str().expect("a token").to_owned()
}

#[test]
fn only_the_hash_of_a_token_is_stored() {
    let service = with_accounts();
    let fields = json!({"email": "alice@example.com", "abilities": ["books:read"]});
    let answer = login(&service, &fields);
    let token = answer.json["token"].as_str().expect("a token");
    let (id, secret) = token.split_once('|').expect("two parts");
    assert!(id.parse::<i64>().is_ok(), "{token}");
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    assert!(secret.len() == 40 && secret.bytes().all(plain), "{token}");
    let hash: String = Sha256::digest(secret)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        one(&service, "SELECT secret FROM api_tokens").as_str(),
        Some(hash.as_str())
    );
    assert_eq!(
        one(&service, "SELECT name FROM api_tokens").as_str(),
        Some("till")
    );
    let abilities = one(&service, "SELECT abilities FROM api_tokens");
    assert!(
        abilities
            .as_str()
            .is_some_and(|it| it.contains("books:read"))
    );
    assert!(
        one(&service, "SELECT expires_at FROM api_tokens").is_null(),
        "none by default"
    );
    let again = login(&service, &fields);
    assert_ne!(again.json["token"], answer.json["token"]);
}

/// "New passwords: Argon2id; bcrypt hashes (`$2y$`) verify, and are upgraded at the next login."
#[test]
fn older_hashes_are_accepted_and_upgraded() {
    let service = with_accounts();
    let stored = "SELECT password FROM members";
    let is_new = |service: &Service| {
        let hash = one(service, stored);
        hash.as_str()
            .is_some_and(|hash| hash.starts_with("$argon2id$"))
    };
    assert!(is_new(&service));
    let old = bcrypt::hash("formwork", 4)
        .expect("a hash")
        .replacen("$2b$", "$2y$", 1);
    run(&service, format!("UPDATE members SET password = '{old}'"));
    let wrong = json!({"email": "alice@example.com", "password": "Formwork"});
    assert_eq!(login(&service, &wrong).status, 422);
    assert!(!is_new(&service), "a wrong login changes nothing");
    let right = json!({"email": "alice@example.com"});
    assert_eq!(login(&service, &right).status, 201);
    assert!(is_new(&service));
    assert_eq!(
        login(&service, &right).status,
        201,
        "it is the same password"
    );
}
