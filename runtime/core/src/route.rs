//! Routes of an extension's own, behind the checks that resources have (docs/guide/custom-routes.md).

use std::{collections::BTreeMap, fmt, future::Future, pin::Pin};

use axum::http::Method;
use formwork_data::error::Result;

use crate::{action::Allow, context::Context, response::Response};

/// An answer on its way.
pub type Handling = Pin<Box<dyn Future<Output = Result<Response>> + Send>>;

/// The handler of a route: `async fn pay(ctx: Context) -> Result<Response>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot answer a route",
    label = "expected `async fn(Context) -> Result<Response>`",
    note = "it takes the context by value, and its future has to be `Send`"
)]
pub trait RouteHandler: Send + Sync + 'static {
    /// Answers a request that passed the checks.
    fn handle(&self, ctx: Context) -> Handling;
}

impl<H, F> RouteHandler for H
where
    H: Fn(Context) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Response>> + Send + 'static,
{
    fn handle(&self, ctx: Context) -> Handling {
        Box::pin(self(ctx))
    }
}

/// A route of an extension's own, below the API's prefix: what `Extension::routes` returns.
///
/// A request passes the same checks as one for a resource, in the same order: token, context,
/// abilities. Its body, a JSON object, is in `ctx.input()`; the parts of its path in
/// `ctx.path_value("id")`.
pub struct Route {
    method: Method,
    path: &'static str,
    allow: Allow,
    resource: Option<&'static str>,
    abilities: &'static [&'static str],
    handler: Box<dyn RouteHandler>,
}

impl Route {
    /// `GET` of a path such as `/orders/{id}/invoice`; `HEAD` answers too.
    pub fn get(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::new(Method::GET, path, allow, handler)
    }

    /// `POST` to a path such as `/orders/{id}/pay`.
    pub fn post(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::new(Method::POST, path, allow, handler)
    }

    /// `PUT`.
    pub fn put(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::new(Method::PUT, path, allow, handler)
    }

    /// `PATCH`.
    pub fn patch(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::new(Method::PATCH, path, allow, handler)
    }

    /// `DELETE`.
    pub fn delete(path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self::new(Method::DELETE, path, allow, handler)
    }

    fn new(method: Method, path: &'static str, allow: Allow, handler: impl RouteHandler) -> Self {
        Self {
            method,
            path,
            allow,
            resource: None,
            abilities: &[],
            handler: Box::new(handler),
        }
    }

    /// The resource it is about: a token needs its abilities, and the default actions, called from
    /// the handler, answer as they do for it.
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

    /// Its method.
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

    /// Answers a request that passed the checks.
    pub(crate) fn handle(&self, ctx: Context) -> Handling {
        self.handler.handle(ctx)
    }

    /// Whether it answers to this method.
    pub(crate) fn answers(&self, method: &Method) -> bool {
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

/// Mistakes of routes among each other and with those of the service, in sentences.
pub(crate) fn mistakes(routes: &[Route], keys: &[&str], reserved: &[&str]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut known: BTreeMap<String, Vec<&Route>> = BTreeMap::new();
    for route in routes {
        if !is_path(route.path) {
            mistakes.push(format!(
                "the route {route:?} has no path: it begins with `/`, and its segments are letters, \
                 digits, `-`, `_` and `.`, or a name in braces, each name once"
            ));
        }
        if is_taken(&route.shape(), keys, reserved) {
            mistakes.push(format!(
                "the route {route:?} has a path that is reserved for the service"
            ));
        }
        if let Some(key) = route.resource.filter(|key| !keys.contains(key)) {
            mistakes.push(format!(
                "the route {route:?} names `{key}`, which is not a resource"
            ));
        }
        let same = known.entry(route.shape()).or_default();
        if same.iter().any(|other| other.method == route.method) {
            mistakes.push(format!("the route {route:?} is declared twice"));
        } else if same.iter().any(|other| other.path != route.path) {
            mistakes.push(format!(
                "the route {route:?} names the parameters of its path differently from another route"
            ));
        }
        same.push(route);
    }
    mistakes
}

fn is_path(path: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let mut names = Vec::new();
    let mut segment = |segment: &str| {
        let name = segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let text = name.unwrap_or(segment);
        let twice = name.is_some_and(|name| names.contains(&name.to_owned()));
        names.extend(name.map(str::to_owned));
        !text.is_empty() && !twice && text.bytes().all(legal)
    };
    path.strip_prefix('/')
        .is_some_and(|rest| rest.split('/').all(&mut segment))
}

/// The paths of tokens.
pub(crate) const TOKENS: [&str; 2] = ["/token", "/token/user"];

/// Whether a resource or the service itself answers at this path, or may do so.
fn is_taken(shape: &str, keys: &[&str], reserved: &[&str]) -> bool {
    let takes = |path: &&str| shape == *path || (path.ends_with('/') && shape.starts_with(*path));
    if reserved.iter().any(takes) {
        return true;
    }
    let mut parts = shape.split('/').skip(1);
    let (first, rest) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>());
    keys.contains(&first) && matches!(rest[..], [] | ["create"] | ["{}"] | ["{}", "edit"])
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn nothing(_ctx: Context) -> Result<Response> {
        Ok(Response::no_content())
    }

    fn told(routes: &[(&'static str, &'static str)]) -> Vec<String> {
        let route = |(method, path): &(&str, &'static str)| match *method {
            "GET" => Route::get(path, Allow::All, nothing),
            _ => Route::post(path, Allow::All, nothing),
        };
        let routes: Vec<Route> = routes.iter().map(route).collect();
        mistakes(&routes, &["orders"], &["/token", "/pages/"])
    }

    #[test]
    fn routes_that_stand_beside_the_service_s_are_fine() {
        let fine = [
            ("POST", "/orders/{id}/pay"),
            ("GET", "/orders/{id}/pay"),
            ("GET", "/orders/{id}/lines/{line}"),
            ("GET", "/opening-hours.ics"),
            ("GET", "/orders/{id}/edit/more"),
            ("GET", "/token/more"),
            ("GET", "/pages"),
        ];
        assert_eq!(told(&fine), Vec::<String>::new());
    }

    #[test]
    fn every_mistake_is_told() {
        for path in [
            "", "orders", "/", "/a//b", "/a b", "/{}", "/{*rest}", "/{a}/{a}", "/a{b}",
        ] {
            assert!(told(&[("GET", path)])[0].contains("has no path"), "{path}");
        }
        for path in [
            "/token",
            "/pages/{page}/more",
            "/orders",
            "/orders/{key}",
            "/orders/create",
        ] {
            assert!(told(&[("GET", path)])[0].contains("reserved"), "{path}");
        }
        let twice = told(&[("GET", "/a/{b}"), ("GET", "/a/{c}")]);
        assert!(twice[0].contains("is declared twice"), "{twice:?}");
        let otherwise = told(&[("GET", "/a/{b}"), ("POST", "/a/{c}")]);
        assert!(otherwise[0].contains("differently"), "{otherwise:?}");
        let route = Route::get("/a", Allow::All, nothing).resource("menus");
        assert!(mistakes(&[route], &["orders"], &[])[0].contains("not a resource"));
    }
}
