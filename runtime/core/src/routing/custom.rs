//! Routes of extensions: the same checks, in the same order, before their own handlers.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    body::Body,
    extract::{FromRequestParts, RawPathParams, Request},
    http::{Method, request::Parts},
};
use bytes::Bytes;
use formwork_data::error::Result;

use super::{
    admission::{Admitted, Asked},
    body,
    change::{honest, to_its_end},
    endpoint::{no_route, not_allowed},
    once::once,
};
use crate::{
    etag, input::Input, registry::Registry, response::Response, route::Route, state::ServiceState,
};

/// The routes at one path: their places in the registry.
pub(super) struct Custom {
    routes: Vec<usize>,
}

/// The paths of all routes of extensions.
pub(super) fn customs(registry: &Registry, prefix: &str) -> Vec<(String, Custom)> {
    let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, route) in registry.routes().iter().enumerate() {
        found.entry(route.path()).or_default().push(at);
    }
    let path = |(path, routes)| (format!("{prefix}{path}"), Custom { routes });
    found.into_iter().map(path).collect()
}

impl Custom {
    /// Answers a request at this path, in the order of docs/contract.md, "Who may do what".
    pub async fn answer(
        self: Arc<Self>,
        app: Arc<ServiceState>,
        request: Request,
        admitted: Admitted,
    ) -> Result<Response> {
        let (mut parts, body) = request.into_parts();
        let route = self.route(app.registry(), &parts.method)?;
        admitted.caller.check(route.allow())?;
        if let Some(account) = admitted.caller.account() {
            let reads = *route.method() == Method::GET;
            account
                .abilities
                .check_route(required(&app, route), reads)?;
        }
        let resource = route.resource_key();
        let resource = resource.and_then(|key| app.registry().index(key));
        let asked = Asked {
            action: None,
            resource,
            own_route: Some(&[]),
        };
        let ctx = admitted.context(&app, &mut parts, asked)?;
        let values = path_values(&mut parts).await?;
        let limit = app.config().api.body_limit;
        let body = body::read(&parts.headers, body, limit).await?;
        let input = Input::new(members(&parts, body.clone(), limit).await?);
        let ctx = ctx.with_path_values(values).with_input(input);
        let work = {
            let (ctx, handling) = (ctx.clone(), route.handle(ctx.clone()));
            async move { handling.await.map_err(|error| ctx.input().locate(error)) }
        };
        let work = honest(ctx.db().clone(), work);
        let response = match parts.method {
            Method::GET | Method::HEAD => work.await?,
            Method::POST => once(&ctx, &parts, &body, work).await?,
            _ => to_its_end(&ctx, work).await?,
        };
        Ok(etag::revalidated(&parts, response))
    }

    fn route<'a>(&self, registry: &'a Registry, method: &Method) -> Result<&'a Route> {
        let routes = || {
            self.routes
                .iter()
                .filter_map(|at| registry.routes().get(*at))
        };
        routes().find(|route| route.answers(method)).ok_or_else(|| {
            let head = routes().any(|route| *route.method() == Method::GET);
            let head = head.then_some(&Method::HEAD);
            not_allowed(method, routes().map(Route::method).chain(head))
        })
    }
}

/// The abilities it names itself, or those of its resource.
fn required(app: &ServiceState, route: &Route) -> &'static [&'static str] {
    if !route.required_abilities().is_empty() {
        return route.required_abilities();
    }
    let entry = route
        .resource_key()
        .and_then(|key| app.registry().find(key));
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    resource.map_or(&[], |resource| resource.controller.required_abilities())
}

/// The parts of the path that have names.
async fn path_values(parts: &mut Parts) -> Result<Vec<(String, String)>> {
    // A part that is not text matches no record.
    let values = RawPathParams::from_request_parts(parts, &())
        .await
        .map_err(|_| no_route())?;
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    Ok(values.iter().map(owned).collect())
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
