//! `/api/token`: docs/contract.md, "Tokens".

use formwork::{
    auth::AccountKind,
    config::Config,
    literal::datetime,
    prelude::*,
    testing::{Answer, Client, Service},
};
use sha2::{Digest, Sha256};

use super::{
    library::extensions,
    support::{Expect, JSON, JSON_API, at_once, check, check_as, column, count, execute},
};

const ALICE: &str = "alice@example.com";

/// The library with an administrator and a customer, with more of the configuration of accounts.
pub fn configured(auth: &str) -> Service {
    let yaml = format!("auth: {{ customers: members{auth} }}");
    let config = Config::from_sources(&yaml, []).expect("a configuration");
    let service = Service::with_config(config, extensions());
    service.account(AccountKind::Admin, "chef@example.com");
    service.account(AccountKind::Customer, ALICE);
    service
}

/// Requests a token with these fields besides a password and the name of a device.
fn login(service: &Service, fields: &Json) -> Answer {
    let mut body = json!({"password": "formwork", "device_name": "till"});
    for (name, value) in fields.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    service.guest().post("/api/token", body)
}

/// Requests a token of Alice's.
fn alice(service: &Service) -> Answer {
    login(service, &json!({"email": ALICE}))
}

fn token(answer: &Answer) -> &str {
    let token = answer.json["token"].as_str();
    token.unwrap_or_else(|| panic!("no token: {answer}"))
}

/// The account of a token.
fn user(service: &Service, answer: &Answer) -> Json {
    let user = service.with_token(token(answer)).get("/api/token/user");
    user.expect(200).json["user"].take()
}

#[test]
fn a_token_is_issued_used_and_revoked_by_its_holder() {
    let service = configured("");
    let issued = alice(&service).expect(201);
    assert_eq!(issued.json["status_code"], 201, "{issued}");
    let alice = service.with_token(token(&issued));
    let lines = r#"
        alice GET    /api/loans                => 200
        alice GET    /api/token/user           => 200 /user/email "alice@example.com"
        alice DELETE /api/token?all=1          => 400 ~ "`all`"
        alice GET    /api/token/user?fields=id => 400
        alice POST   /api/token?x=1 {}         => 400
        alice DELETE /api/token                => 204
        alice GET    /api/loans                => 401
        alice GET    /api/books                => 401
        alice GET    /api/token/user           => 401
        alice DELETE /api/token                => 401
        guest GET    /api/token/user           => 401 www-authenticate: "Bearer"
        guest DELETE /api/token?x=1            => 401
        guest GET    /api/token                => 405 allow: "POST, DELETE"
        guest PUT    /api/token {}             => 405 allow: "POST, DELETE""#;
    check_as(&service, &[("alice", &alice)], lines);
}

/// OpenAPI's encoding of forms repeats the name of a list; others add brackets to it.
#[test]
fn a_form_may_write_its_abilities_in_each_usual_way() {
    let service = configured("");
    let form = service
        .guest()
        .header("Content-Type", "application/x-www-form-urlencoded");
    let both = json!(["books:*", "loans:index"]);
    for (abilities, held) in [
        ("abilities=books.*", json!(["books:*"])),
        ("abilities=books.*&abilities=loans:index", both.clone()),
        ("abilities[]=books.*&abilities[]=loans:index", both.clone()),
        (
            "abilities%5B0%5D=books.*&abilities%5B1%5D=loans:index",
            both,
        ),
    ] {
        let body = format!("is_admin=1&username=chef&password=formwork&device_name=x&{abilities}");
        let answer = form.send("POST", "/api/token", Some(body)).expect(201);
        let user = user(&service, &answer);
        assert_eq!(
            (&user["abilities"], &user["username"]),
            (&held, &json!("chef"))
        );
    }
    let body = "username=chef&password=formwork&device_name=till&abilities=books read";
    let answer = form
        .send("POST", "/api/token", Some(body.to_owned()))
        .expect(422);
    assert!(answer.json["errors"]["abilities.0"].is_array(), "{answer}");
}

#[test]
fn token_errors_are_reported_at_once_and_reveal_no_account() {
    let service = configured("");
    let lines = r#"guest POST /api/token {"is_admin": 2, "abilities": "all"} => 422"#;
    let answer = check(&service, lines);
    for field in ["is_admin", "abilities", "email", "password", "device_name"] {
        assert!(answer.json["errors"][field].is_array(), "{field}: {answer}");
    }
    let wrong = login(&service, &json!({"email": ALICE, "password": "Formwork"})).expect(422);
    assert_eq!(
        wrong.body,
        login(&service, &json!({"email": "mallory@example.com"})).body
    );
}

#[test]
fn the_sixth_failure_within_a_minute_is_429() {
    let service = configured("");
    let wrong = json!({"email": ALICE, "password": "wrong"});
    for answer in at_once(5, |_| login(&service, &wrong)) {
        answer.expect(422);
    }
    let rejected = alice(&service).expect(429);
    let wait = rejected.header("retry-after").expect("Retry-After");
    let wait: u64 = wait.parse().expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");
    // Another account is not locked.
    login(&service, &json!({"username": "chef"})).expect(201);
}

#[test]
fn a_lifetime_ends() {
    let service = configured(", token_lifetime: 1h");
    let issued = alice(&service);
    let past = "UPDATE api_tokens SET expires_at = ? WHERE expires_at > created_at";
    let then = datetime("1999-01-01T00:00:00Z");
    // The lifetime was stored.
    assert_eq!(execute(&service, past, [then.into()]), 1);
    service
        .with_token(token(&issued))
        .get("/api/books")
        .expect(401);
}

/// "A token that is unknown, revoked, expired, or whose account is inactive or gone: 401 on every
/// route, public ones too."
#[test]
fn an_invalid_token_is_401_on_every_route() {
    let service = configured("");
    let lines = r#"
        caller GET    /api/books      @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller HEAD   /api/books      @Accept=MEDIA => 401 www-authenticate: "Bearer"
        caller GET    /api/books/1    @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller GET    /api/loans      @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller POST   /api/loans      @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller GET    /api/members    @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller GET    /api/token/user @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller DELETE /api/token      @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER
        caller GET    /api/nothing    @Accept=MEDIA => 401 www-authenticate: "Bearer" POINTER"#;
    for change in [
        "UPDATE api_tokens SET id = 77 WHERE id = ID",
        "UPDATE api_tokens SET secret = 'x' WHERE id = ID",
        "DELETE FROM api_tokens WHERE id = ID",
        "UPDATE api_tokens SET expires_at = ? WHERE id = ID",
        "UPDATE members SET status = FALSE",
        "DELETE FROM members",
    ] {
        let issued = alice(&service).expect(201);
        let caller = service.with_token(token(&issued));
        caller.get("/api/loans").expect(200);
        let (id, _) = token(&issued).split_once('|').expect("an id");
        let change = change.replace("ID", id);
        let past = datetime("2020-01-01T00:00:00Z");
        match change.contains('?') {
            true => execute(&service, &change, [past.into()]),
            false => execute(&service, &change, []),
        };
        for (media, pointer) in [
            (JSON, "/status_code 401"),
            (JSON_API, "/errors/0/status \"401\""),
        ] {
            let lines = lines.replace("MEDIA", media).replace("POINTER", pointer);
            check_as(&service, &[("caller", &caller)], &lines);
        }
        execute(&service, "UPDATE members SET status = TRUE", []);
    }
}

/// The account that a token request's fields name.
#[test]
fn the_fields_of_a_token_request_name_its_account() {
    let service = configured("");
    let chef = "chef@example.com";
    // A user name without an e-mail address is an administrator's.
    for (fields, account) in [
        (json!({"is_admin": 1, "username": "chef"}), chef),
        (json!({"is_admin": "1", "email": chef}), chef),
        (
            json!({"is_admin": true, "username": "chef", "email": chef}),
            chef,
        ),
        (json!({"username": "chef"}), chef),
        (json!({"username": "chef", "email": ""}), chef),
        (json!({"email": ALICE}), ALICE),
        (json!({"is_admin": 0, "email": ALICE}), ALICE),
        (json!({"username": "chef", "email": ALICE}), ALICE),
    ] {
        let answer = login(&service, &fields);
        assert_eq!(user(&service, &answer)["email"], account, "{fields}");
    }
    let rejected = [
        (
            json!({"is_admin": 1, "username": "chef", "email": ALICE}),
            "email",
        ),
        (json!({"is_admin": 1}), "username"),
        (json!({"is_admin": 1}), "email"),
        (json!({"is_admin": 0, "username": "chef"}), "email"),
        (json!({"email": chef}), "email"),
        (json!({"email": "alice"}), "email"),
        (json!({"is_admin": 1, "email": ALICE}), "email"),
        (json!({"is_admin": 1, "username": "alice"}), "username"),
        (json!({"is_admin": 2, "email": ALICE}), "is_admin"),
    ];
    let answers = at_once(rejected.len(), |at| login(&service, &rejected[at].0));
    for ((fields, field), answer) in rejected.iter().zip(answers) {
        let is_named = answer.status == 422 && answer.json["errors"][field].is_array();
        assert!(is_named, "{fields}: {answer}");
    }
}

#[test]
fn a_device_s_name_and_abilities_have_their_form() {
    let service = configured("");
    let with = |name: &str, value: &Json| login(&service, &json!({"email": ALICE, name: value}));
    for name in ["x".repeat(255), "ü".repeat(255), "a".to_owned()] {
        with("device_name", &json!(name)).expect(201);
    }
    for (abilities, held) in [
        (json!(null), json!(["*"])),
        (json!([]), json!([])),
        (
            json!(["books.read", "Loans:x-1_2"]),
            json!(["books:read", "Loans:x-1_2"]),
        ),
    ] {
        let answer = with("abilities", &abilities);
        assert_eq!(user(&service, &answer)["abilities"], held, "{abilities}");
    }
    assert_eq!(user(&service, &alice(&service))["abilities"], json!(["*"]));
    let long = "x".repeat(256);
    let names = json!([long, "", "  ", null, 5, []]);
    for name in names.as_array().expect("names") {
        let answer = with("device_name", name).expect(422);
        assert!(
            answer.json["errors"]["device_name"].is_array(),
            "{name} {answer}"
        );
    }
    for ability in ["", "a b", "menus/read", "ä", "a,b", "a\u{0}", &long] {
        let answer = with("abilities", &json!(["books:*", ability])).expect(422);
        assert!(answer.json["errors"]["abilities.1"].is_array(), "{answer}");
    }
}

#[test]
fn a_field_with_u_0000_in_it_is_rejected() {
    let service = configured("");
    for media in [JSON, JSON_API] {
        for field in ["device_name", "username", "email", "password"] {
            let lines = r#"
                guest POST /api/token @Accept=MEDIA {"FIELD": "a\u0000b@c"} => 422 ~ "The NAME field must not contain U+0000.""#;
            let lines = lines.replace("MEDIA", media);
            let name = field.replace('_', " ");
            check(
                &service,
                &lines.replace("FIELD", field).replace("NAME", &name),
            );
        }
    }
    assert_eq!(count(&service, "api_tokens"), 0);
}

#[test]
fn a_request_with_two_tokens_is_rejected() {
    let service = configured("");
    let chef = login(&service, &json!({"username": "chef"}));
    let [alice, chef] = [&alice(&service), &chef].map(|it| format!("Bearer {}", token(it)));
    for second in [&alice, &chef, "Basic YTpi"] {
        let first = service.guest().header("Authorization", &alice);
        let twice: Client<'_> = first.header("Authorization", second);
        twice.get("/api/token/user").expect(401);
        twice.get("/api/loans").expect(401);
    }
}

/// "The secret: 40 letters and digits …; stored: its SHA-256, name, abilities."
#[test]
fn only_the_hash_of_a_token_is_stored() {
    let service = configured("");
    let fields = json!({"email": ALICE, "abilities": ["books:read"]});
    let answer = login(&service, &fields);
    let (id, secret) = token(&answer).split_once('|').expect("two parts");
    assert!(id.parse::<i64>().is_ok() && secret.len() == 40, "{secret}");
    assert!(
        secret.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "{secret}"
    );
    let hash = Sha256::digest(secret);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let stored = |name: &str| column(&service, &format!("SELECT {name} FROM api_tokens")).remove(0);
    assert_eq!(stored("secret").as_str(), Some(&*hash));
    assert_eq!(stored("name").as_str(), Some("till"));
    assert!(stored("abilities").to_string().contains("books:read"));
    // No lifetime is the default.
    assert!(stored("expires_at").is_null());
    assert_ne!(login(&service, &fields).json["token"], answer.json["token"]);
}

/// "New passwords: Argon2id; bcrypt hashes (`$2y$`) verify, and are upgraded at the next login."
#[test]
fn older_hashes_are_accepted_and_upgraded() {
    let service = configured("");
    let is_new = || {
        let hash = column(&service, "SELECT password FROM members").remove(0);
        hash.as_str()
            .is_some_and(|hash| hash.starts_with("$argon2id$"))
    };
    assert!(is_new());
    let old = bcrypt::hash("formwork", 4).expect("a hash");
    let old = old.replacen("$2b$", "$2y$", 1);
    execute(&service, "UPDATE members SET password = ?", [old.into()]);
    // A wrong login changes nothing.
    login(&service, &json!({"email": ALICE, "password": "Formwork"})).expect(422);
    assert!(!is_new());
    alice(&service).expect(201);
    assert!(is_new());
    // It is the same password.
    alice(&service).expect(201);
}
