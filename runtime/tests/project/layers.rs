//! Tower layers of the project around the whole service.

use std::{
    pin::Pin,
    task::{Context as Polling, Poll},
};

use formwork::{
    axum::{
        extract::Request,
        http::{HeaderValue, StatusCode, header},
        middleware::{self, Next},
        response::{IntoResponse, Response as Answer},
    },
    http::route::Route,
    prelude::*,
    tower::{Layer, Service},
};

use super::{
    accept_documents, create,
    shop::{Journal, Tenant, plain, service},
    start,
};

/// Refuses requests with this header, by an error of the service.
async fn gate(request: Request, next: Next) -> Result<Answer> {
    if request.headers().contains_key("x-banned") {
        return Err(Error::forbidden("You are banned."));
    }
    Ok(next.run(request).await)
}

async fn tenant(mut request: Request, next: Next) -> Answer {
    request.extensions_mut().insert(Tenant("north"));
    next.run(request).await
}

/// Adds a word to a header of the answer.
fn word(
    word: &'static str,
) -> impl Fn(Request, Next) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Clone {
    move |request, next| Box::pin(async move { with_word(next.run(request).await, word) })
}

fn with_word(mut answer: Answer, word: &'static str) -> Answer {
    let value = HeaderValue::from_static(word);
    answer.headers_mut().append("x-order", value);
    answer
}

#[test]
fn a_layer_hands_a_value_to_handlers_and_hooks() {
    fn routes() -> Vec<Route> {
        let told = async |ctx: Context| Response::json(&ctx.extension::<Tenant>().map(|it| it.0));
        vec![Route::get("/tenant", Allow::All, told)]
    }
    let layered = service(routes).layer(middleware::from_fn(tenant));
    let service = start(layered.state(Journal::default()));
    assert_eq!(service.guest().get("/api/tenant").body, "\"north\"");
    let stored = create(&service.admin(), "/api/things", json!({"name": "cake"}));
    assert_eq!(stored.json["data"]["note"], "north", "{stored}");
}

/// Adds the word `own` to a header of the answer: a service of tower's, without its helpers.
#[derive(Clone)]
struct Own<S>(S);

impl<S> Service<Request> for Own<S>
where
    S: Service<Request, Response = Answer> + Send,
    S::Future: Send + 'static,
{
    type Response = Answer;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Answer, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Polling<'_>) -> Poll<std::result::Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let answer = self.0.call(request);
        Box::pin(async { Ok(with_word(answer.await?, "own")) })
    }
}

#[derive(Clone)]
struct OwnLayer;

impl<S> Layer<S> for OwnLayer {
    type Service = Own<S>;

    fn layer(&self, inner: S) -> Own<S> {
        Own(inner)
    }
}

#[test]
fn a_layer_may_be_written_by_the_traits_of_tower() {
    let service = start(plain().layer(OwnLayer));
    let answer = service.guest().get("/health/live");
    assert_eq!(answer.header("x-order"), Some("own"), "{answer}");
}

#[test]
fn a_later_layer_is_around_the_earlier_ones() {
    let inner = plain().layer(middleware::from_fn(word("inner")));
    let service = start(inner.layer(middleware::from_fn(word("outer"))));
    let paths = "/api/things /health/live /nowhere /admin/login /api/openapi.json";
    for path in paths.split(' ') {
        let answer = service.guest().get(path);
        let order = answer.headers.get_all("x-order").iter();
        let order: Vec<_> = order.filter_map(|it| it.to_str().ok()).collect();
        assert_eq!(order, ["inner", "outer"], "{path}");
        let ids = answer.headers.get_all("x-request-id");
        assert_eq!(ids.iter().count(), 1, "{path}");
    }
}

#[test]
fn a_layer_refuses_in_both_renderings() {
    let service = start(plain().layer(middleware::from_fn(gate)));
    let banned = service.admin().header("X-Banned", "1");
    for path in ["/api/things", "/admin", "/nowhere"] {
        let refused = banned.get(path);
        assert_eq!(refused.status, 403, "{refused}");
        assert_eq!(refused.json["message"], "You are banned.", "{refused}");
        assert!(refused.header("x-request-id").is_some());
        assert_eq!(refused.header("x-content-type-options"), Some("nosniff"));
    }
    let document = accept_documents(&banned).get("/api/things");
    assert_eq!(document.json["errors"][0]["status"], "403", "{document}");
    let big = banned.post("/api/things", json!({"name": "x".repeat(512 * 1024)}));
    assert_eq!(big.status, 403, "its body was not read: {big}");
    assert_eq!(service.admin().get("/api/things").status, 200);
}

#[test]
fn a_layer_may_answer_by_itself_and_change_headers() {
    async fn teapot(request: Request, next: Next) -> Answer {
        if request.uri().path() == "/tea" {
            return (StatusCode::IM_A_TEAPOT, "short and stout").into_response();
        }
        let mut answer = next.run(request).await;
        let policy = HeaderValue::from_static("default-src 'self'");
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        answer
    }
    let service = start(plain().layer(middleware::from_fn(teapot)));
    let tea = service.guest().get("/tea");
    assert_eq!((tea.status, tea.body.as_str()), (418, "short and stout"));
    assert!(tea.header("x-request-id").is_some());
    let list = service.admin().get("/api/things");
    let policy = list.header("content-security-policy");
    assert_eq!(policy, Some("default-src 'self'"));
}
