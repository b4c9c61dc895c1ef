//! The source that a repository and a transformer make.

use std::marker::PhantomData;

use formwork_data::{
    error::Result,
    model::{self, Model, Schema, described},
    shape::Shape,
    value::Value,
};
use futures_util::future::BoxFuture;
use serde::Serialize;

use super::fetch::fetch;
use crate::{
    context::Context,
    filters::Filters,
    loaded::Loaded,
    repository::{self, Repository, Unscoped},
    resource::SupportingModel,
    source::{Fetched, Queries, Resolved, Source, Wanted},
    transformer::Transformer,
};

/// A resource: its rows are found by its repository and shaped by its transformer.
pub fn of_resource<R, T>() -> Box<dyn Source>
where
    R: Repository,
    T: Transformer<Model = R::Model>,
{
    Box::new(SourceOf::<R, T> {
        relations: Vec::new(),
        shape: Shape::declared(T::shape),
        types: PhantomData,
    })
}

impl SupportingModel {
    /// A model that shows all its visible attributes.
    pub fn of<M: Model>(key: &'static str) -> Self {
        Self {
            key,
            source: of_resource::<Unscoped<M>, Plain<M>>(),
        }
    }
}

/// Shows a record as it is.
struct Plain<M>(PhantomData<fn() -> M>);

impl<M: Model> Transformer for Plain<M> {
    type Model = M;

    fn transform<'a>(record: &'a Loaded<M>, _ctx: &'a Context) -> impl Serialize + 'a {
        record.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<M>();
    }
}

struct SourceOf<R, T> {
    relations: Vec<Resolved>,
    shape: Shape,
    types: PhantomData<fn() -> (R, T)>,
}

impl<R, T> Source for SourceOf<R, T>
where
    R: Repository,
    T: Transformer<Model = R::Model>,
{
    fn resolve(
        &mut self,
        lookup: &dyn Fn(&str) -> Option<usize>,
    ) -> Vec<(&'static str, &'static str)> {
        let mut unknown = Vec::new();
        self.relations.clear();
        for relation in &described::<R::Model>().relations {
            let info = &relation.info;
            let mut targets = Vec::with_capacity(info.targets.len());
            for target in &info.targets {
                match lookup(target.key) {
                    Some(index) => targets.push(index),
                    None => unknown.push((info.name, target.key)),
                }
            }
            self.relations.push(Resolved { info, targets });
        }
        unknown
    }

    fn schema(&self) -> &'static Schema {
        Schema::of::<R::Model>()
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn blank(&self, column: &str) -> Option<Value> {
        model::value_of(&R::Model::defaults(), column)
    }

    fn queries(&self) -> Queries {
        let mut filters = Filters::default();
        R::filters(&mut filters);
        Queries {
            search: R::SEARCH,
            sort: R::SORT,
            filter: R::FILTER,
            named: filters.infos().collect(),
        }
    }

    fn relations(&self) -> &[Resolved] {
        &self.relations
    }

    fn owner(&self) -> Option<&'static str> {
        R::OWNER
    }

    fn location(&self) -> Option<&'static str> {
        R::LOCATION.map(|scope| scope.relation)
    }

    fn mistakes(&self) -> Vec<String> {
        repository::mistakes::<R>()
    }

    fn reached<'a>(
        &'a self,
        ctx: &'a Context,
        column: Option<&'static str>,
        values: &'a [Value],
    ) -> BoxFuture<'a, Result<Option<Vec<Value>>>> {
        Box::pin(repository::reached::<R>(ctx, column, values))
    }

    fn fetch<'a>(&'a self, ctx: &'a Context, wanted: Wanted<'a>) -> BoxFuture<'a, Result<Fetched>> {
        Box::pin(fetch::<R, T>(ctx, wanted))
    }
}
