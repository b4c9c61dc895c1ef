//! Registration records of resources and models, and controllers with erased types.

use std::any::{Any, TypeId};

use formwork_data::error::Result;
use futures_util::future::BoxFuture;

use crate::{
    action::{Action, ActionEntry},
    context::Context,
    input::Attribute,
    params::Params,
    response::Response,
    source::Source,
};

/// The registration record of an API resource.
pub struct ApiResource {
    /// The resource key: the path segment of its endpoint.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its description, in a sentence.
    pub description: &'static str,
    /// The controller that answers for the resource.
    pub controller: Box<dyn Controller>,
    /// The enabled actions and their contexts: `actions!["index", "destroy:admin"]`.
    pub actions: &'static [ActionEntry],
}

/// The registration record of a model without routes of its own, which relations name.
pub struct SupportingModel {
    /// The key relations name it by.
    pub key: &'static str,
    /// How its rows are read and shown.
    #[doc(hidden)]
    pub source: Box<dyn Source>,
}

/// A controller whose types are erased. Implemented for every
/// [`RestController`](crate::controller::RestController).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a controller",
    label = "expected a value whose type implements `RestController`",
    note = "a registration record holds the resource's controller: `controller: Box::new(Menus)`"
)]
pub trait Controller: Any + Send + Sync {
    /// `RestController::ACTIONS`.
    fn actions(&self) -> &'static [Action];

    /// `RestController::DOCS`.
    fn docs(&self) -> &'static str;

    /// Size of a page: the default, and the largest.
    fn page_sizes(&self) -> (u32, u32);

    /// `RestController::REQUIRED_ABILITIES`.
    fn required_abilities(&self) -> &'static [&'static str];

    /// `RestController::FORMER_KEYS`.
    fn former_keys(&self) -> &'static [&'static str];

    /// `ResourceRequest::ATTRIBUTES` of its request.
    fn attributes(&self) -> &'static [Attribute];

    /// The names of `ResourceRequest::rules` of its request.
    fn rule_names(&self) -> Vec<&'static str>;

    /// The type behind it.
    fn kind(&self) -> TypeId;

    /// The query string of a request for this action, understood.
    ///
    /// # Errors
    ///
    /// 400 naming a parameter that is unknown or makes no sense.
    #[doc(hidden)]
    fn params(&self, ctx: &Context, action: Action) -> Result<Params>;

    /// How its records are read and shown where another resource includes them.
    #[doc(hidden)]
    fn source(&self) -> Box<dyn Source>;

    /// Looks whether the record of this path segment is in the caller's reach: 404 where it is not.
    #[doc(hidden)]
    fn reach<'a>(&'a self, ctx: &'a Context, id: Option<&'a str>) -> BoxFuture<'a, Result<()>>;

    /// Answers an action; `id` is the path segment of actions on one record.
    #[doc(hidden)]
    fn answer<'a>(
        &'a self,
        ctx: Context,
        action: Action,
        id: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Response>>;
}
