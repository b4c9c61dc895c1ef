//! Keys of an issuer that rotates them.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::{Router, response::Json, routing::get};
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use super::*;

/// An issuer with the keys of `set`.
struct Issuer {
    name: String,
    set: Arc<RwLock<Value>>,
    read: Arc<AtomicUsize>,
}

impl Issuer {
    async fn start(ids: &[&str]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        let name = format!("http://{}", listener.local_addr().expect("an address"));
        let set = Arc::new(RwLock::new(keys(ids)));
        let read = Arc::new(AtomicUsize::new(0));
        let configuration = json!({"issuer": name, "jwks_uri": format!("{name}/keys")});
        let (shown, counted) = (Arc::clone(&set), Arc::clone(&read));
        let answer = async move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Json(shown.read().expect("keys").clone())
        };
        let path = "/.well-known/openid-configuration";
        let router = Router::new().route(path, get(Json(configuration)));
        let router = router.route("/keys", get(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { name, set, read }
    }

    fn rotate(&self, ids: &[&str]) {
        *self.set.write().expect("keys") = keys(ids);
    }

    fn read(&self) -> usize {
        self.read.load(Ordering::Relaxed)
    }
}

fn keys(ids: &[&str]) -> Value {
    let key = |id: &&str| json!({"kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": id});
    json!({"keys": ids.iter().map(key).collect::<Vec<_>>()})
}

fn header(id: Option<&str>) -> Header {
    let mut header = Header::new(Algorithm::EdDSA);
    header.kid = id.map(str::to_owned);
    header
}

async fn find(keys: &Keys, issuer: &Issuer, id: Option<&str>) -> Result<String, NoKey> {
    let key = keys.find(&issuer.name, &header(id)).await?;
    Ok(key.common.key_id.expect("an id"))
}

/// Asserts the key that is found for an id: `None` if there is none.
async fn assert_found(keys: &Keys, issuer: &Issuer, id: Option<&str>, expected: Option<&str>) {
    let found = find(keys, issuer, id).await;
    let expected = expected.map(str::to_owned).ok_or(NoKey::Unknown);
    assert_eq!(found, expected, "{id:?}");
}

/// Returns keys that are read again whenever one is missing, and whenever one is used.
fn rereading(fresh: Duration) -> Keys {
    let rest = Duration::ZERO;
    Keys {
        fresh,
        rest,
        ..Keys::default()
    }
}

#[tokio::test]
async fn a_new_key_is_read_when_it_is_needed() {
    let issuer = Issuer::start(&["a"]).await;
    let keys = rereading(Keys::default().fresh);
    // Without an id it is the only key.
    for id in [Some("a"), None] {
        assert_found(&keys, &issuer, id, Some("a")).await;
    }
    assert_eq!(issuer.read(), 1);
    issuer.rotate(&["a", "b"]);
    assert_found(&keys, &issuer, Some("b"), Some("b")).await;
    assert_eq!(issuer.read(), 2);
    assert_found(&keys, &issuer, None, None).await;
}

#[tokio::test]
async fn invented_keys_do_not_make_requests_to_the_issuer() {
    let issuer = Issuer::start(&["a"]).await;
    let keys = Keys::default();
    for id in ["x", "y", "z"] {
        assert_found(&keys, &issuer, Some(id), None).await;
    }
    assert_eq!(issuer.read(), 1);
}

#[tokio::test]
async fn a_withdrawn_key_ends_with_its_time() {
    let issuer = Issuer::start(&["a"]).await;
    let keys = rereading(Duration::ZERO);
    assert_found(&keys, &issuer, Some("a"), Some("a")).await;
    issuer.rotate(&["b"]);
    assert_found(&keys, &issuer, Some("a"), None).await;
}

#[tokio::test]
async fn keys_stay_while_the_issuer_does_not_answer() {
    let issuer = Issuer::start(&["a"]).await;
    let keys = rereading(Duration::ZERO);
    assert_found(&keys, &issuer, Some("a"), Some("a")).await;
    *issuer.set.write().expect("keys") = json!("broken");
    assert_found(&keys, &issuer, Some("a"), Some("a")).await;
    let never_read = find(&Keys::default(), &issuer, Some("a")).await;
    assert_eq!(never_read, Err(NoKey::Unreachable));
}

#[tokio::test]
async fn the_configuration_of_another_issuer_is_refused() {
    let issuer = Issuer::start(&["a"]).await;
    let other = format!("{}/", issuer.name);
    let found = Keys::default().find(&other, &header(Some("a"))).await;
    assert!(matches!(found, Err(NoKey::Unreachable)));
}
