//! The service under test, and its requests.

use std::{cell::RefCell, sync::Arc};

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode, Uri},
};
use formwork::{
    App,
    auth::{Abilities, AccountKind, Granted, NewAccount, NewToken, set_permissions},
    config::Config,
    prelude::*,
};
use http_body_util::BodyExt;
use proptest::{prelude::*, test_runner::TestCaseError};
use tokio::runtime::Runtime;
use tower::ServiceExt;

use super::museum;

/// A service in memory, for all cases of a thread.
struct Target {
    runtime: Runtime,
    router: Router,
    token: String,
}

thread_local! {
    static TARGET: RefCell<Option<Target>> = const { RefCell::new(None) };
}

impl Target {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (router, token) = runtime.block_on(start());
        Self {
            runtime,
            router,
            token,
        }
    }

    fn answer(&self, request: Request<Body>) -> (StatusCode, String) {
        self.runtime.block_on(async {
            let answer = self
                .router
                .clone()
                .oneshot(request)
                .await
                .expect("an answer");
            let status = answer.status();
            let body = answer
                .into_body()
                .collect()
                .await
                .expect("a body")
                .to_bytes();
            (status, String::from_utf8_lossy(&body).into_owned())
        })
    }
}

async fn start() -> (Router, String) {
    let yaml = "database: { url: \"sqlite::memory:\", pool: { max: 1 } }\n\
                api: { rate_limit: 0 }\nlog: { level: \"off\" }";
    let config = Config::from_sources(yaml, []).expect("configuration");
    let service = formwork::service(vec![Box::new(museum::Museum)]);
    let app = service.start(config).await.expect("starts");
    formwork::data::migration::run(app.db(), app.migrations())
        .await
        .expect("migrates");
    let token = token(&app).await;
    let ctx = app.context();
    for title in ["Amphora", "Bust"] {
        let mut thing = museum::Thing {
            title: title.to_owned(),
            open: true,
            ..museum::Thing::default()
        };
        thing.insert(&ctx).await.expect("a thing");
    }
    (app.router(), token)
}

async fn token(app: &Arc<App>) -> String {
    let account = NewAccount {
        kind: AccountKind::Admin,
        email: "admin@example.com".to_owned(),
        username: None,
        name: None,
        password: "formwork".to_owned(),
    };
    let inserted = account.insert(app.db(), app.auth().customers(), app.now());
    let account = inserted.await.expect("an account");
    let granted = set_permissions(app.db(), account, &Granted::Everything);
    granted.await.expect("a super user");
    let token = NewToken {
        kind: AccountKind::Admin,
        account,
        name: "test".to_owned(),
        abilities: Abilities::all(),
        expires_at: None,
    };
    token.insert(app.db(), app.now()).await.expect("a token")
}

/// A request that a client may send.
#[derive(Debug, Clone)]
pub struct Sent {
    pub method: &'static str,
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    pub admin: bool,
}

/// Sends it; `None` where HTTP itself does not know such a request.
pub fn status(sent: &Sent) -> Option<(StatusCode, String)> {
    sent.path.parse::<Uri>().ok()?;
    TARGET.with_borrow_mut(|target| {
        let target = target.get_or_insert_with(Target::new);
        let mut request = Request::builder().method(sent.method).uri(&sent.path);
        if sent.admin {
            request = request.header("Authorization", format!("Bearer {}", target.token));
        }
        for (name, value) in &sent.headers {
            // Bytes beyond ASCII are allowed in a header (RFC 9110, section 5.5).
            request = request.header(*name, value.as_bytes());
        }
        let request = request.body(Body::from(sent.body.clone())).ok()?;
        Some(target.answer(request))
    })
}

pub fn survives(sent: &Sent) -> Result<(), TestCaseError> {
    if let Some((status, body)) = status(sent) {
        prop_assert!(!status.is_server_error(), "{status} {body}");
    }
    Ok(())
}
