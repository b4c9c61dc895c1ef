//! Registration records: what an extension says about a resource, and its controller, erased.

use std::{future::Future, pin::Pin};

use formwork_data::{
    error::{Error, Result},
    model::{Key, Model},
};

use crate::{
    action::{Action, ActionConfig, ActionEntry},
    context::Context,
    controller::RestController,
    params::{Params, QueryRules},
    repository,
    request::{Attribute, ResourceRequest},
    response::Response,
    source::{self, Source},
};

/// The registration record of an API resource (specification, section 2.5).
pub struct ApiResource {
    /// The resource key: the path segment of its endpoint.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub description: &'static str,
    /// What serves it.
    pub controller: Box<dyn Controller>,
    /// The enabled actions and their contexts: `actions!["index", "destroy:admin"]`.
    pub actions: &'static [ActionEntry],
}

/// The registration record of a model without routes of its own, which relations name.
pub struct SupportingModel {
    /// The key relations name it by.
    pub key: &'static str,
    /// How its rows are read and shown.
    pub source: Box<dyn Source>,
}

impl SupportingModel {
    /// A model that shows all its visible attributes.
    pub fn of<M: Model>(key: &'static str) -> Self {
        Self {
            key,
            source: source::of_model::<M>(),
        }
    }
}

/// An answer on its way.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Response>> + Send + 'a>>;

/// A look at whether a record is in reach.
pub type Reach<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// A controller whose types are erased. Implemented for every [`RestController`]; nobody else
/// needs to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no controller",
    label = "expected a value whose type implements `RestController`",
    note = "a registration record holds the resource's controller: `controller: Box::new(Menus)`"
)]
pub trait Controller: Send + Sync {
    /// `RestController::ACTIONS`.
    fn actions(&self) -> &'static [ActionConfig];

    /// `RestController::REQUIRED_ABILITIES`.
    fn required_abilities(&self) -> &'static [&'static str];

    /// `ResourceRequest::ATTRIBUTES` of its request.
    fn attributes(&self) -> &'static [Attribute];

    /// How its records are read and shown where another resource includes them.
    fn source(&self) -> Box<dyn Source>;

    /// Looks whether the record of this path segment is in the caller's reach: 404 where it is not.
    fn reach<'a>(&'a self, ctx: &'a Context, id: Option<&'a str>) -> Reach<'a>;

    /// Answers an action; `id` is the path segment of actions on one record.
    fn answer<'a>(&'a self, ctx: Context, action: Action, id: Option<&'a str>) -> Answering<'a>;
}

impl<C: RestController> Controller for C {
    fn actions(&self) -> &'static [ActionConfig] {
        C::ACTIONS
    }

    fn required_abilities(&self) -> &'static [&'static str] {
        C::REQUIRED_ABILITIES
    }

    fn attributes(&self) -> &'static [Attribute] {
        C::Request::ATTRIBUTES
    }

    fn source(&self) -> Box<dyn Source> {
        source::of_resource::<C::Repository, C::Transformer>()
    }

    fn reach<'a>(&'a self, ctx: &'a Context, id: Option<&'a str>) -> Reach<'a> {
        Box::pin(async move {
            let key = key::<C>(id)?;
            let found = repository::find::<C::Repository>(ctx, key.clone()).await?;
            found.map_or_else(|| Err(Error::record_not_found(key)), |_| Ok(()))
        })
    }

    fn answer<'a>(
        &'a self,
        mut ctx: Context,
        action: Action,
        id: Option<&'a str>,
    ) -> Answering<'a> {
        Box::pin(async move {
            let rules = query_rules::<C>(action).of(ctx.resource_key());
            let params = Params::read(
                &ctx.request().query,
                &rules,
                repository::grammar::<C::Repository>,
            )?;
            ctx.set_params(params);
            match action {
                Action::Index => self.index(&ctx).await,
                Action::Create => self.create(&ctx).await,
                Action::Store => self.store(&ctx).await,
                Action::Show => self.show(&ctx, key::<C>(id)?).await,
                Action::Edit => self.edit(&ctx, key::<C>(id)?).await,
                Action::Update => self.update(&ctx, key::<C>(id)?).await,
                Action::Destroy => self.destroy(&ctx, key::<C>(id)?).await,
            }
        })
    }
}

/// An id that cannot be a key of the resource names no record: docs/contract.md, "Routes".
fn key<C: RestController>(id: Option<&str>) -> Result<<C::Model as Model>::Key> {
    let id = id.unwrap_or_default();
    Key::parse(id).ok_or_else(|| Error::record_not_found(id))
}

/// What the query string of this action may hold.
fn query_rules<C: RestController>(action: Action) -> QueryRules {
    match C::ACTIONS.iter().find(|config| config.action() == action) {
        Some(config) if action == Action::Index => QueryRules::page(config.page_sizes()),
        _ => QueryRules::record(),
    }
}
