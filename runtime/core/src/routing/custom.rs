//! Routes of extensions: the same checks, in the same order, before their own handlers.

mod handled;
mod kept;
mod passing;

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Method, request::Parts},
    response::{IntoResponse, Response as Answer},
};
use bytes::Bytes;
use formwork_data::error::Result;

use super::{
    admission::{Admitted, admitted},
    body, change,
    endpoint::{no_route, not_allowed},
    time_limit::RequestTime,
};
use crate::{
    etag,
    input::Input,
    registry::Registry,
    request::check_own,
    response::Response,
    route::{Route, RouteHandler, Target},
    state::ServiceState,
};
use passing::{check, route_request, with_path};

/// The routes at one path: their places in the registry.
struct Custom {
    routes: Vec<usize>,
}

/// Adds the routes of extensions.
pub(super) fn routes(mut router: Router, app: &Arc<ServiceState>, prefix: &str) -> Router {
    for (path, custom) in customs(app.registry(), prefix) {
        let custom = Arc::new(custom);
        let answer =
            move |app, request, admitted| Arc::clone(&custom).answer(app, request, admitted);
        router = router.route(&path, admitted(app, answer));
    }
    for (at, route) in app.registry().routes().iter().enumerate() {
        if let Target::Nested(nested) = route.target() {
            let path = format!("{prefix}{}", route.path());
            router = router.nest(&path, handled::checked(nested.clone(), app, at));
        }
    }
    router
}

/// The paths of all routes of extensions that are no routers.
fn customs(registry: &Registry, prefix: &str) -> Vec<(String, Custom)> {
    let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let routes = registry.routes().iter().enumerate();
    for (at, route) in routes.filter(|(_, route)| !route.is_nested()) {
        found.entry(route.path()).or_default().push(at);
    }
    let path = |(path, routes)| (format!("{prefix}{path}"), Custom { routes });
    found.into_iter().map(path).collect()
}

impl Custom {
    /// Answers a request at this path. Method, context, abilities and permission are checked, in
    /// this order, before the body is read.
    async fn answer(
        self: Arc<Self>,
        app: Arc<ServiceState>,
        request: Request,
        mut admitted: Admitted,
    ) -> Result<Answer> {
        let (at, route) = self.route(app.registry(), request.method())?;
        let reads = *route.method() == Method::GET;
        admitted.caller = check(&app, route, admitted.caller, reads)?;
        let time = request.extensions().get::<RequestTime>().cloned();
        let answer = async {
            let answered = match route.target() {
                // In boxes: the surrounding future is moved, and should be small.
                Target::Handler(handler) => {
                    let route = (at, route);
                    Box::pin(handled::answer(&app, route, handler, request, admitted)).await
                }
                Target::Fields(handler) => {
                    let handler = &**handler;
                    let fields = BodyRoute { at, route, handler };
                    let answer = Box::pin(fields.answer(&app, request, admitted)).await;
                    answer.map(IntoResponse::into_response)
                }
                Target::Nested(_) => Err(no_route()),
            };
            answered.into_response()
        };
        Ok(RequestTime::limit(time, route.time_limit, answer).await)
    }

    fn route<'a>(&self, registry: &'a Registry, method: &Method) -> Result<(usize, &'a Route)> {
        let routes = || {
            let places = self.routes.iter();
            places.filter_map(|at| Some((*at, registry.routes().get(*at)?)))
        };
        let mut answering = routes().filter(|(_, route)| route.answers_to(method));
        answering.next().ok_or_else(|| {
            let head = routes().any(|(_, route)| *route.method() == Method::GET);
            let head = head.then_some(&Method::HEAD);
            not_allowed(
                method,
                routes().map(|(_, route)| route.method()).chain(head),
            )
        })
    }
}

/// A route whose handler gets the body in its context.
struct BodyRoute<'a> {
    at: usize,
    route: &'a Route,
    handler: &'a dyn RouteHandler,
}

impl BodyRoute<'_> {
    async fn answer(
        self,
        app: &Arc<ServiceState>,
        request: Request,
        admitted: Admitted,
    ) -> Result<Response> {
        let (mut parts, body) = request.into_parts();
        let asked = route_request(app, self.at, self.route);
        let ctx = admitted.context(app, &mut parts, asked)?;
        let ctx = with_path(ctx, &mut parts).await?;
        body::check_accepted(&parts.headers, &body, self.route.media_types())?;
        let limit = self.route.body_limit;
        let limit = limit.unwrap_or(app.config().api.body_limit);
        let body = body::read(&parts.headers, body, limit).await?;
        let input = Input::new(members(&parts, body.clone(), limit).await?);
        let ctx = match self.route.attributes() {
            [] => ctx.with_input(input),
            rules => {
                let checked = check_own(&ctx, rules, &input).await;
                ctx.with_input(checked.map_err(|error| input.locate(error))?)
            }
        };
        let work = {
            let (ctx, handling) = (ctx.clone(), self.handler.handle(ctx.clone()));
            Box::pin(async move { handling.await.map_err(|error| ctx.input().locate(error)) })
        };
        let response = match parts.method {
            Method::GET | Method::HEAD => work.await?,
            Method::POST => change::once(&ctx, &parts.uri, &body, work).await?,
            _ => change::run(&ctx, work).await?,
        };
        Ok(etag::revalidated(&parts.method, &parts.headers, response))
    }
}

/// The members of the body; no body has none.
async fn members(
    parts: &Parts,
    body: Bytes,
    limit: usize,
) -> Result<serde_json::Map<String, serde_json::Value>> {
    if matches!(parts.method, Method::GET | Method::HEAD) {
        return Ok(serde_json::Map::new());
    }
    body::json_object(&parts.headers, Body::from(body), limit).await
}
