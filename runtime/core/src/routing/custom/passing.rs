//! The checks of a route, and the context of a request that passes.

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use formwork_data::error::Result;

use crate::{
    action::Action,
    auth::Caller,
    context::Context,
    route::Route,
    routing::{admission::Asked, endpoint::no_route},
    state::ServiceState,
};

/// Lets a caller pass to a route, which changes nothing if it `reads`; returns the caller that it
/// serves.
pub(super) fn check(
    app: &ServiceState,
    route: &Route,
    caller: Caller,
    reads: bool,
) -> Result<Caller> {
    caller.check(route.allow())?;
    let Some(account) = caller.account() else {
        return Ok(caller);
    };
    let required = app.registry().required_abilities(route);
    account.abilities.check_route(required, reads)?;
    let permission = app.registry().required_permission(route, reads);
    caller.permitted(permission.as_deref(), route.allow())
}

/// A request for the route at this place of the registry.
pub(super) fn route_request(app: &ServiceState, at: usize, route: &Route) -> Asked {
    let resource = route.resource_key();
    Asked {
        action: None,
        resource: resource.and_then(|key| app.registry().index(key)),
        route: Some(at),
    }
}

/// The context with the parts of the path that have names, and with the query string in the words of
/// the route's resource. Where it has other words, the default action that reads it refuses it.
pub(super) async fn with_path(ctx: Context, parts: &mut Parts) -> Result<Context> {
    // A part that is not text matches no record.
    let values = RawPathParams::from_request_parts(parts, &())
        .await
        .map_err(|_| no_route())?;
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut ctx = ctx.with_path_values(values.iter().map(owned).collect());
    let entry = ctx.resource().and_then(|at| ctx.registry().get(at));
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let params = resource.map(|resource| resource.controller.params(&ctx, Action::Index));
    if let Some(Ok(params)) = params {
        ctx.set_params(params);
    }
    Ok(ctx)
}
