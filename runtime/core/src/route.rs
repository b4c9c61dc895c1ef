//! Routes of an extension's own, behind the checks that resources have.

use std::{fmt, future::Future, time::Duration};

use axum::{Router, extract::Request, handler::Handler, http::Method};
use formwork_data::{error::Result, value::Json};
use futures_util::future::BoxFuture;

use crate::{action::Allow, context::Context, input::Attribute, response::Response};

/// The handler of a route: `async fn pay(ctx: Context) -> Result<Response>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot answer a route",
    label = "expected `async fn(Context) -> Result<Response>`",
    note = "it takes the context by value, and its future has to be `Send`"
)]
pub trait RouteHandler: Send + Sync + 'static {
    /// Answers a request that passed the checks.
    fn handle(&self, ctx: Context) -> BoxFuture<'static, Result<Response>>;
}

impl<H, F> RouteHandler for H
where
    H: Fn(Context) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Response>> + Send + 'static,
{
    fn handle(&self, ctx: Context) -> BoxFuture<'static, Result<Response>> {
        Box::pin(self(ctx))
    }
}

/// How a route answers.
pub(crate) enum Target {
    /// A handler that gets the body in `ctx.input()`.
    Fields(Box<dyn RouteHandler>),
    /// A handler of axum, which reads the body itself.
    Handler(Box<dyn Fn(Request) -> BoxFuture<'static, axum::response::Response> + Send + Sync>),
    /// A router of axum, below the path.
    Nested(Router),
}

/// A route of an extension's own, below the API's prefix: what `Extension::routes` returns.
///
/// A request passes the same checks as one for a resource, in the same order: token, context,
/// abilities. [`Route::handler`] takes any handler of axum. The handlers of [`Route::get`] and the
/// like get the body, a JSON object, in `ctx.input()`. The parts of the path are in
/// `ctx.path_value("id")`.
pub struct Route {
    method: Method,
    path: &'static str,
    allow: Allow,
    resource: Option<&'static str>,
    abilities: &'static [&'static str],
    permission: Option<&'static str>,
    target: Target,
    pub(crate) body_limit: Option<usize>,
    pub(crate) time_limit: Option<Duration>,
    accepts: &'static [&'static str],
    rules: &'static [Attribute],
    parameters: &'static [&'static str],
    description: Description,
}

impl Route {
    /// `GET` of a path such as `/orders/{id}/invoice`; `HEAD` answers too.
    pub fn get(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::fields(Method::GET, path, allow, handler)
    }

    /// `POST` to a path such as `/orders/{id}/pay`.
    pub fn post(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::fields(Method::POST, path, allow, handler)
    }

    /// `PUT` of a path such as `/orders/{id}/address`: it replaces the address.
    pub fn put(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::fields(Method::PUT, path, allow, handler)
    }

    /// `PATCH` of a path such as `/orders/{id}/address`: it changes a part of the address.
    pub fn patch(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::fields(Method::PATCH, path, allow, handler)
    }

    /// `DELETE` of a path such as `/orders/{id}/coupon`: it removes the coupon.
    pub fn delete(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::fields(Method::DELETE, path, allow, handler)
    }

    /// A route that any handler of axum answers: with its extractors, `Context` among them, and its
    /// answers of any media type, streamed or not.
    ///
    /// ```
    /// # mod formwork {
    /// #     pub use axum;
    /// #     pub mod http { pub use formwork_core::route; }
    /// #     pub mod prelude {
    /// #         pub use formwork_core::{action::Allow, context::Context};
    /// #         pub use formwork_data::Result;
    /// #     }
    /// # }
    /// use formwork::{
    ///     axum::{body::Bytes, http::{HeaderMap, Method}},
    ///     http::route::Route,
    ///     prelude::*,
    /// };
    ///
    /// async fn receive(ctx: Context, headers: HeaderMap, body: Bytes) -> Result<String> {
    ///     Ok(format!("{} bytes", body.len()))
    /// }
    ///
    /// # fn routes() -> Vec<Route> {
    /// vec![Route::handler(Method::POST, "/webhooks/payments", Allow::All, receive)]
    /// # }
    /// ```
    pub fn handler<H, T>(method: Method, path: &'static str, allow: Allow, handler: H) -> Self
    where
        H: Handler<T, ()> + Sync,
        T: 'static,
    {
        let answer = move |request| -> BoxFuture<'static, axum::response::Response> {
            Box::pin(handler.clone().call(request, ()))
        };
        Self::new(method, path, allow, Target::Handler(Box::new(answer)))
    }

    /// A router of axum below this path. Its callers are checked as those of other routes; the
    /// description leaves it out.
    pub fn nest(path: &'static str, allow: Allow, router: Router) -> Self {
        // The name in lists of routes: a router answers to the methods of its own routes.
        let any = Method::from_bytes(b"ANY").unwrap_or_default();
        Self::new(any, path, allow, Target::Nested(router))
    }

    fn fields(
        method: Method,
        path: &'static str,
        allow: Allow,
        handler: impl RouteHandler,
    ) -> Self {
        Self::new(method, path, allow, Target::Fields(Box::new(handler)))
    }

    fn new(method: Method, path: &'static str, allow: Allow, target: Target) -> Self {
        Self {
            method,
            path,
            allow,
            resource: None,
            abilities: &[],
            permission: None,
            target,
            body_limit: None,
            time_limit: None,
            accepts: &[],
            rules: &[],
            parameters: &[],
            description: Description::default(),
        }
    }

    /// The resource it is about: a token needs its abilities, and `ctx.params()` is the query string
    /// in the words of its list.
    #[must_use]
    pub fn resource(self, key: &'static str) -> Self {
        Self {
            resource: Some(key),
            ..self
        }
    }

    /// Abilities of which a token needs any one, in the place of those of the resource: `orders:pay`.
    #[must_use]
    pub fn abilities(self, abilities: &'static [&'static str]) -> Self {
        Self { abilities, ..self }
    }

    /// The permission that an administrator needs, in the place of that of the resource (`orders.read` for
    /// `GET`, `orders.write` otherwise): `orders.refund`. Without either, only super users among the
    /// administrators may call the route. If everyone may call it, an administrator without the
    /// permission is a guest.
    #[must_use]
    pub fn permission(self, code: &'static str) -> Self {
        Self {
            permission: Some(code),
            ..self
        }
    }

    /// The largest body, in bytes, in the place of `api.body_limit`; a larger one is 413.
    #[must_use]
    pub fn body_limit(self, bytes: usize) -> Self {
        Self {
            body_limit: Some(bytes),
            ..self
        }
    }

    /// The time until the answer begins, the reading of the body included, in the place of
    /// `api.request_timeout`; after it the answer is 503.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        Self {
            time_limit: Some(limit),
            ..self
        }
    }

    /// The media types of its body, such as `multipart/form-data` or `image/*`; another one is 415
    /// before the body is read.
    #[must_use]
    pub fn accepts(self, media_types: &'static [&'static str]) -> Self {
        Self {
            accepts: media_types,
            ..self
        }
    }

    /// The rules of its body: a request that breaks rules is a 422 that names all of them.
    /// Otherwise `ctx.input()` has the members that the rules name; in a handler of axum,
    /// `Validated<T>` reads them. The rule
    /// `unique` needs a resource.
    #[must_use]
    pub fn rules(self, rules: &'static [Attribute]) -> Self {
        Self { rules, ..self }
    }

    /// Its own query parameters, beside those of a default action that the handler calls.
    #[must_use]
    pub fn parameters(self, names: &'static [&'static str]) -> Self {
        Self {
            parameters: names,
            ..self
        }
    }

    /// Its summary in the OpenAPI description, in a few words.
    #[must_use]
    pub fn summary(mut self, summary: &'static str) -> Self {
        self.description.summary = Some(summary);
        self
    }

    /// Its description in OpenAPI, in Markdown.
    #[must_use]
    pub fn description(mut self, description: &'static str) -> Self {
        self.description.text = Some(description);
        self
    }

    /// The JSON Schema of its body in OpenAPI, where no rules describe it.
    #[must_use]
    pub fn body_schema(mut self, schema: Json) -> Self {
        self.description.body = Some(schema);
        self
    }

    /// Media type and JSON Schema of its answer in OpenAPI.
    #[must_use]
    pub fn answers(mut self, media_type: &'static str, schema: Json) -> Self {
        self.description.answer = Some((media_type, schema));
        self
    }

    /// Its method; `ANY` of a nested router.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Its path below the API's prefix.
    pub fn path(&self) -> &'static str {
        self.path
    }

    /// The callers that may pass.
    pub fn allow(&self) -> Allow {
        self.allow
    }

    /// The key of the resource it is about.
    pub fn resource_key(&self) -> Option<&'static str> {
        self.resource
    }

    /// The abilities it names itself.
    pub fn required_abilities(&self) -> &'static [&'static str] {
        self.abilities
    }

    /// The permission it names itself.
    pub fn required_permission(&self) -> Option<&'static str> {
        self.permission
    }

    /// The media types of its body; none: those of a record, or any of a handler of axum.
    pub fn media_types(&self) -> &'static [&'static str] {
        self.accepts
    }

    /// The rules of its body.
    pub fn attributes(&self) -> &'static [Attribute] {
        self.rules
    }

    /// Its own query parameters.
    pub fn own_parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    /// The documentation that the route was given.
    pub fn described(&self) -> &Description {
        &self.description
    }

    /// Whether it is a router below its path.
    pub fn is_nested(&self) -> bool {
        matches!(self.target, Target::Nested(_))
    }

    /// Whether a handler of axum answers.
    pub fn is_handler(&self) -> bool {
        matches!(self.target, Target::Handler(_))
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// Whether it answers to this method.
    pub(crate) fn answers_to(&self, method: &Method) -> bool {
        self.method == *method || (self.method == Method::GET && *method == Method::HEAD)
    }

    /// Its path with the names of its parts left out: two routes with the same result have one
    /// path.
    pub(crate) fn shape(&self) -> String {
        let part = |part: &'static str| if part.starts_with('{') { "{}" } else { part };
        self.path.split('/').map(part).collect::<Vec<_>>().join("/")
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// The documentation of a route, for the OpenAPI description.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// The title of the operation in the description: a few words.
    pub summary: Option<&'static str>,
    /// The description of the operation, in Markdown.
    pub text: Option<&'static str>,
    /// The JSON Schema of the body.
    pub body: Option<Json>,
    /// Media type and JSON Schema of the answer.
    pub answer: Option<(&'static str, Json)>,
}
