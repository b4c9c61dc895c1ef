//! The context of an action that is called from somewhere else than its own endpoint.

use std::{any::TypeId, borrow::Cow};

use formwork_data::error::Result;

use crate::{
    action::Action, context::Context, controller::RestController, registry::Entry,
    resource::Controller,
};

/// The context of an action of this controller. At the endpoint of its resource it is the request's
/// own. In a route of an extension, and in an action of another resource, it is about the
/// controller's resource, with the caller's parameters.
///
/// # Errors
///
/// 400 naming a parameter that the action does not take.
pub(super) fn acting<'c, C: RestController>(
    controller: &C,
    ctx: &'c Context,
    action: Action,
) -> Result<Cow<'c, Context>> {
    let is_own = |entry: &Entry| {
        let resource = entry.resource.as_ref();
        resource.is_some_and(|resource| resource.controller.kind() == TypeId::of::<C>())
    };
    let registry = ctx.registry();
    let asked = ctx.resource();
    let at_home = asked.and_then(|at| registry.get(at)).is_some_and(is_own);
    let own_route = ctx.request().own_route;
    if at_home && !own_route {
        return Ok(Cow::Borrowed(ctx));
    }
    let found = registry.entries().find(|(_, entry)| is_own(entry));
    let resource = match (at_home, found) {
        (false, Some((index, _))) => Some(index),
        // A controller that is not registered acts for the one that calls it.
        (false, None) if !own_route => return Ok(Cow::Borrowed(ctx)),
        _ => asked,
    };
    let mut acting = ctx.acting(action, resource);
    let params = controller.params(&acting, action)?;
    acting.set_params(params);
    Ok(Cow::Owned(acting))
}
