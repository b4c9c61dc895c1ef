//! Tokens of an OpenID Connect issuer.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use formwork::{
    Service,
    auth::{AccountKind, OidcClaims, OidcTokens},
    axum::{self, Json, Router, routing::get},
    http::route::Route,
    prelude::*,
    testing,
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};

use super::{create, shop::service, start};

/// An issuer on a port of its own.
pub struct Issuer {
    address: SocketAddr,
    key: EncodingKey,
    /// How often its keys were read.
    read: Arc<AtomicUsize>,
    _runtime: tokio::runtime::Runtime,
}

/// Keys that were made for these tests, as `openssl genpkey` writes them.
fn ec_key() -> EncodingKey {
    EncodingKey::from_ec_der(include_bytes!("keys/ec.der"))
}

fn other_ec_key() -> EncodingKey {
    EncodingKey::from_ec_der(include_bytes!("keys/other_ec.der"))
}

fn rsa_key() -> EncodingKey {
    EncodingKey::from_rsa_der(include_bytes!("keys/rsa.der"))
}

impl Issuer {
    fn start(key: EncodingKey, algorithm: Algorithm) -> Self {
        let mut public = Jwk::from_encoding_key(&key, algorithm).expect("a public key");
        public.common.key_id = Some("first".to_owned());
        let read = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&read);
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("an address");
        let configuration = json!({
            "issuer": format!("http://{address}/realm"),
            "jwks_uri": format!("http://{address}/keys"),
        });
        let keys = async move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Json(json!({"keys": [public]}))
        };
        let router = Router::new()
            .route(
                "/realm/.well-known/openid-configuration",
                get(Json(configuration)),
            )
            .route("/keys", get(keys));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self {
            address,
            key,
            read,
            _runtime: runtime,
        }
    }

    fn name(&self) -> String {
        format!("http://{}/realm", self.address)
    }

    /// Claims that are right, with these in their place.
    fn claims(&self, other: Value) -> Value {
        let mut claims = json!({
            "iss": self.name(), "aud": ["shop-api", "other"], "sub": "u-1", "exp": now() + 300,
            "email": "eva@example.com", "email_verified": true, "name": "Eva", "scope": "*",
        });
        for (name, value) in other.as_object().expect("claims") {
            claims[name] = value.clone();
        }
        claims
    }

    pub fn token(&self, other: Value) -> String {
        signed(Algorithm::ES256, "first", &self.claims(other), &self.key)
    }

    pub fn tokens(&self) -> OidcTokens {
        OidcTokens::new(self.name(), "shop-api")
    }
}

fn signed(algorithm: Algorithm, key_id: &str, claims: &Value, key: &EncodingKey) -> String {
    let mut header = Header::new(algorithm);
    header.kid = Some(key_id.to_owned());
    encode(&header, claims, key).expect("a token")
}

type Value = formwork::data::value::Json;

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("after 1970").as_secs()
}

pub fn issuer() -> Issuer {
    Issuer::start(ec_key(), Algorithm::ES256)
}

fn routes() -> Vec<Route> {
    let whose = async |ctx: Context| {
        let claims = ctx.claims::<OidcClaims>();
        let subject = claims.map(|claims| claims.subject().to_owned());
        let id = ctx.caller().account().map(|account| account.id);
        Response::json(&json!([subject, id, ctx.is_admin()]))
    };
    let brew = async |_: Context| Ok(Response::no_content());
    vec![
        Route::get("/whose", Allow::Users, whose),
        Route::post("/brew", Allow::Users, brew).abilities(&["things:write"]),
    ]
}

fn started(tokens: OidcTokens) -> testing::Service {
    start(Service::authenticate(service(routes), tokens))
}

fn customers(service: &testing::Service) -> usize {
    let db = service.app().db();
    let rows = db.rows("SELECT \"id\" FROM \"api_customers\"", []);
    service.block_on(rows).expect("customers").len()
}

#[test]
fn an_account_is_found_by_its_verified_address_and_its_scope_are_abilities() {
    let issuer = issuer();
    let service = started(issuer.tokens());
    let id = service.account(AccountKind::Customer, "eva@example.com");
    let eva = service.with_token(issuer.token(json!({})));
    assert_eq!(eva.get("/api/whose").json, json!(["u-1", id, false]));
    // Linked from now on, whatever address the issuer names.
    let moved = issuer.token(json!({"email": "new@example.com", "email_verified": false}));
    assert_eq!(service.with_token(moved).get("/api/whose").json[1], id);
    let stored = create(&eva, "/api/things", json!({"name": "cake"}));
    assert_eq!(stored.json["data"]["customer_id"], id, "{stored}");
    for (scope, status) in [
        ("things.write openid", 204),
        ("things:read", 403),
        ("", 403),
    ] {
        let eva = service.with_token(issuer.token(json!({"scope": scope})));
        let brewed = eva.post("/api/brew", json!({}));
        assert_eq!(brewed.status, status, "{scope}: {brewed}");
    }
    let own = service.customer().get("/api/whose");
    assert_eq!(own.json[0], json!(null), "a token of the service: {own}");
    assert_eq!(issuer.read.load(Ordering::Relaxed), 1, "keys are kept");
}

#[test]
fn administrators_are_found_and_never_made() {
    let issuer = issuer();
    let service = started(issuer.tokens().administrators().grant(|stored, _| stored));
    let token = issuer.token(json!({}));
    let refused = service.with_token(&token).get("/api/whose");
    assert_eq!(refused.status, 401, "{refused}");
    let id = service.account(AccountKind::Admin, "eva@example.com");
    let told = service.with_token(&token).get("/api/whose");
    assert_eq!(told.json, json!(["u-1", id, true]), "{told}");
}

#[test]
fn tokens_that_are_not_valid_are_refused() {
    let issuer = issuer();
    let service = started(issuer.tokens().create_customers());
    let right = issuer.claims(json!({}));
    let public = Jwk::from_encoding_key(&issuer.key, Algorithm::ES256).expect("a key");
    let shared = serde_json::to_vec(&public).expect("a text");
    let (unknown, invalid) = (
        "No account of this service has this token.",
        "No valid API token provided.",
    );
    let es256 = |key_id, key: &EncodingKey| signed(Algorithm::ES256, key_id, &right, key);
    let symmetric = EncodingKey::from_secret(&shared);
    for (token, reason) in [
        (
            issuer.token(json!({"exp": now() - 120})),
            "The token has expired.",
        ),
        (
            issuer.token(json!({"aud": "other"})),
            "The token is for another audience.",
        ),
        (issuer.token(json!({"nbf": now() + 600})), invalid),
        (issuer.token(json!({"iss": "http://else.example"})), invalid),
        (es256("first", &other_ec_key()), invalid),
        (es256("second", &issuer.key), invalid),
        (
            signed(Algorithm::HS256, "first", &right, &symmetric),
            invalid,
        ),
        (issuer.token(json!({"email_verified": false})), unknown),
        (issuer.token(json!({"email": null})), unknown),
        (issuer.token(json!({"email": "eva@example.com\0"})), unknown),
        (issuer.token(json!({"sub": ""})), invalid),
        (issuer.token(json!({"sub": null})), invalid),
        (issuer.token(json!({"sub": "é".repeat(256)})), invalid),
        (issuer.token(json!({"sub": "u\0"})), invalid),
        ("a.b.c".to_owned(), invalid),
    ] {
        let answer = service.with_token(&token).get("/api/things");
        assert_eq!(answer.status, 401, "{token}: {answer}");
        assert_eq!(answer.json["message"], reason, "{token}");
    }
    let mut unsigned = issuer.token(json!({}));
    let header = "eyJhbGciOiJub25lIiwia2lkIjoiZmlyc3QifQ";
    let rest = unsigned.find('.').expect("a header");
    unsigned.replace_range(..rest, header);
    unsigned.truncate(unsigned.rfind('.').expect("a signature") + 1);
    assert_eq!(service.with_token(&unsigned).get("/api/things").status, 401);
    assert_eq!(customers(&service), 0);
}

/// RFC 7515, section 4.1.11: a recipient rejects a critical extension that it does not implement, even
/// one that the signature covers.
#[test]
fn a_critical_extension_of_the_header_is_rejected() {
    let issuer = issuer();
    let service = started(issuer.tokens().create_customers());
    let mut header = Header::new(Algorithm::ES256);
    header.kid = Some("first".to_owned());
    for (critical, status) in [
        (Some(vec!["exp".to_owned()]), 401),
        (Some(Vec::new()), 401),
        (None, 200),
    ] {
        header.crit = critical;
        let token = encode(&header, &issuer.claims(json!({})), &issuer.key).expect("a token");
        let answer = service.with_token(token).get("/api/whose");
        assert_eq!(answer.status, status, "{:?}: {answer}", header.crit);
    }
}

#[test]
fn a_subject_may_have_255_characters() {
    let issuer = issuer();
    let service = started(issuer.tokens().create_customers());
    let subject = "é".repeat(255);
    let token = issuer.token(json!({"sub": subject}));
    let first = service.with_token(token).get("/api/whose");
    assert_eq!(first.json[0], json!(subject), "{first}");
}

#[test]
fn a_customer_is_made_once_at_first_sight() {
    let issuer = issuer();
    let service = started(issuer.tokens().create_customers());
    let token = issuer.token(json!({}));
    let answers: Vec<Value> = std::thread::scope(|scope| {
        let ask = || service.with_token(&token).get("/api/whose").json;
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        let answers = asking.into_iter().map(|asking| asking.join());
        answers.map(|answer| answer.expect("an answer")).collect()
    });
    let is_same = |answer: &Value| *answer == answers[0];
    assert!(answers.iter().all(is_same), "{answers:?}");
    assert_eq!(answers[0][0], "u-1");
    assert_eq!(customers(&service), 1);
    let login = json!({"email": "eva@example.com", "password": "", "device_name": "x"});
    let refused = service.guest().post("/api/token", login);
    assert_eq!(refused.status, 422, "no password fits: {refused}");
}

#[test]
fn a_token_without_scope_has_the_abilities_that_the_project_says() {
    let issuer = issuer();
    let token = issuer.token(json!({"scope": null}));
    for (tokens, status) in [
        (issuer.tokens(), 403),
        (issuer.tokens().without_scope(&["things:write"]), 204),
    ] {
        let service = started(tokens.create_customers());
        let brewed = service.with_token(&token).post("/api/brew", json!({}));
        assert_eq!(brewed.status, status, "{brewed}");
    }
}

#[test]
fn rsa_keys_are_read() {
    let issuer = Issuer::start(rsa_key(), Algorithm::RS256);
    let service = started(issuer.tokens().create_customers());
    let claims = issuer.claims(json!({}));
    let token = signed(Algorithm::RS256, "first", &claims, &issuer.key);
    assert_eq!(service.with_token(token).get("/api/whose").json[0], "u-1");
    let other = signed(Algorithm::RS512, "first", &claims, &issuer.key);
    assert_eq!(service.with_token(other).get("/api/whose").status, 401);
}

#[test]
fn without_its_issuer_a_service_goes_on_for_its_own_tokens() {
    let issuer = issuer();
    let gone = Issuer {
        address: free(),
        ..issuer
    };
    let service = started(gone.tokens());
    let token = gone.token(json!({}));
    let refused = service.with_token(token).get("/api/whose");
    assert_eq!(refused.status, 503, "{refused}");
    assert_eq!(service.customer().get("/api/whose").status, 200);
}

/// An address that was free a moment ago.
fn free() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}
