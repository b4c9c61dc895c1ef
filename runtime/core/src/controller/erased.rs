//! Every [`RestController`] as a [`Controller`] whose types are erased.

use std::{any::TypeId, borrow::Cow, future::ready};

use formwork_data::{
    error::{Error, Result},
    model::{Key, Model},
};
use futures_util::future::BoxFuture;

use super::RestController;
use crate::{
    action::{self, Action},
    context::Context,
    input::Attribute,
    loader,
    params::{Pairs, Params, QueryRules},
    repository::{self, RepositoryExt},
    request::{CustomRules, ResourceRequest},
    resource::Controller,
    response::Response,
    source::Source,
};

impl<C: RestController> Controller for C {
    fn actions(&self) -> &'static [Action] {
        C::ACTIONS
    }

    fn docs(&self) -> &'static str {
        C::DOCS
    }

    fn page_sizes(&self) -> (u32, u32) {
        sizes::<C>()
    }

    fn required_abilities(&self) -> &'static [&'static str] {
        C::REQUIRED_ABILITIES
    }

    fn former_keys(&self) -> &'static [&'static str] {
        C::FORMER_KEYS
    }

    fn attributes(&self) -> &'static [Attribute] {
        C::Request::ATTRIBUTES
    }

    fn rule_names(&self) -> Vec<&'static str> {
        let mut rules = CustomRules::default();
        C::Request::rules(&mut rules);
        rules.names()
    }

    fn kind(&self) -> TypeId {
        TypeId::of::<C>()
    }

    fn params(&self, ctx: &Context, action: Action) -> Result<Params> {
        let rules = query_rules::<C>(action).of(ctx.resource_key());
        let query = own_parameters_removed(ctx);
        Params::read(&query, &rules, repository::grammar::<C::Repository>)
    }

    fn source(&self) -> Box<dyn Source> {
        loader::of_resource::<C::Repository, C::Transformer>()
    }

    fn reach<'a>(&'a self, ctx: &'a Context, id: Option<&'a str>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let key = key::<C>(id)?;
            let found = C::Repository::visible(ctx)?.find(ctx, key.clone()).await?;
            found.map_or_else(|| Err(Error::record_not_found(key)), |_| Ok(()))
        })
    }

    fn answer<'a>(
        &'a self,
        mut ctx: Context,
        action: Action,
        id: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Response>> {
        match self.params(&ctx, action) {
            Ok(params) => ctx.set_params(params),
            Err(error) => return Box::pin(ready(Err(error))),
        }
        // A box for each action: one box for all would have the size of the largest, a change.
        match action {
            Action::Index => Box::pin(async move { self.index(&ctx).await }),
            Action::Create => Box::pin(async move { self.create(&ctx).await }),
            Action::Store => Box::pin(async move { self.store(&ctx).await }),
            Action::Show => Box::pin(async move { self.show(&ctx, key::<C>(id)?).await }),
            Action::Edit => Box::pin(async move { self.edit(&ctx, key::<C>(id)?).await }),
            Action::Update => Box::pin(async move { self.update(&ctx, key::<C>(id)?).await }),
            Action::Destroy => Box::pin(async move { self.destroy(&ctx, key::<C>(id)?).await }),
        }
    }
}

/// An id that cannot be a key of the resource names no record: 404.
fn key<C: RestController>(id: Option<&str>) -> Result<<C::Model as Model>::Key> {
    let id = id.unwrap_or_default();
    Key::parse(id).ok_or_else(|| Error::record_not_found(id))
}

/// The query string without the parameters that the route of an extension reads itself.
fn own_parameters_removed(ctx: &Context) -> Cow<'_, str> {
    let query = &ctx.request().query;
    let own = ctx.route().map_or(&[][..], |route| route.own_parameters());
    if own.is_empty() {
        return Cow::Borrowed(query);
    }
    let pairs = Pairs::read(query).0.into_iter();
    let others = pairs.filter(|pair| !own.contains(&pair.name.as_str()));
    let others: Vec<&str> = others.map(|pair| pair.raw).collect();
    Cow::Owned(others.join("&"))
}

/// The rules of this action's query string.
fn query_rules<C: RestController>(action: Action) -> QueryRules {
    match action {
        Action::Index => QueryRules::page(sizes::<C>()),
        _ => QueryRules::record(),
    }
}

/// Size of a page: the default, and the largest.
fn sizes<C: RestController>() -> (u32, u32) {
    const { action::page_sizes(C::PAGE_LIMIT, C::MAX_PAGE_LIMIT) }
}
