//! The context of an action that is called from somewhere else than its own endpoint.

use std::{any::TypeId, borrow::Cow};

use formwork_data::error::Result;

use super::hooks::Hooks;
use crate::{action::Action, context::Context, registry::Entry};

/// The context of an action of this controller. At the endpoint of its resource it is the request's
/// own. In a route of an extension, and where an action that reads answers with another resource, it
/// is about the controller's resource, with the caller's query string and preconditions. In a hook of
/// a change, and in a changing action of another resource, these are about the record that the client
/// named, so they do not count.
///
/// # Errors
///
/// 400 naming a parameter that the action does not take.
pub(super) fn acting<'c, C: Hooks>(
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
    let other = match at_home {
        true => None,
        false => registry.entries().find(|(_, entry)| is_own(entry)),
    };
    let other = other.map(|(index, _)| index);
    let own_route = ctx.request().own_route;
    // A controller that is not registered acts for the one that calls it.
    if !own_route && !ctx.is_in_change() && other.is_none() {
        return Ok(Cow::Borrowed(ctx));
    }
    let reads = action.reads() && ctx.method().is_safe();
    let is_asked = !ctx.is_in_change() && (own_route || reads);
    let resource = other.or(asked);
    let mut acting = match is_asked {
        true => ctx.acting(action, resource),
        false => ctx.acting_unasked(action, resource),
    };
    let params = controller.params(&acting, action)?;
    acting.set_params(params);
    Ok(Cow::Owned(acting))
}
