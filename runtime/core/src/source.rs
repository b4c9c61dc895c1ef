//! What relations can lead to: resources and supporting models, their types erased.

use std::{future::Future, marker::PhantomData, pin::Pin, sync::Arc};

use formwork_data::value::LinkKey;
use formwork_data::{
    error::Result,
    model::{self, Model, Schema, described},
    relations::RelationInfo,
    shape::Shape,
    value::Value,
};
use serde::Serialize;

use crate::{
    context::Context,
    filters::{Filters, NamedInfo},
    loaded::{Loaded, Rows},
    loader::{self, Includes},
    repository::{self, Repository, Unscoped},
    transformer::Transformer,
};

/// What is registered under a key, as the target of relations: how its rows are read and shown.
/// Implemented by the runtime, for resources and supporting models.
pub trait Source: Send + Sync {
    /// Looks up the targets of its relations; returns relation and key of those nobody registers.
    fn resolve(
        &mut self,
        lookup: &dyn Fn(&str) -> Option<usize>,
    ) -> Vec<(&'static str, &'static str)>;

    /// Its table.
    fn schema(&self) -> &'static Schema;

    /// What its transformer shows, as it is declared.
    fn shape(&self) -> &Shape;

    /// What a blank record has in a column; `None` where there is no such column.
    fn blank(&self, column: &str) -> Option<Value>;

    /// What a list of its rows may be asked.
    fn queries(&self) -> Queries;

    /// Its relations, with the registry indexes of their targets once they are resolved.
    fn relations(&self) -> &[Resolved];

    /// The column that holds the customer its rows belong to.
    fn owner(&self) -> Option<&'static str>;

    /// What its repository names wrongly, in sentences.
    fn mistakes(&self) -> Vec<String>;

    /// Of the rows with these values in a column (the key's without one), the values of those in
    /// the caller's reach; `None`: nothing narrows it.
    fn reached<'a>(
        &'a self,
        ctx: &'a Context,
        column: Option<&'static str>,
        values: &'a [Value],
    ) -> Reaching<'a>;

    /// The rows that belong to some records.
    fn fetch<'a>(&'a self, ctx: &'a Context, wanted: Wanted<'a>) -> Fetching<'a>;
}

/// What a list may be asked.
#[derive(Debug, Clone)]
pub struct Queries {
    /// Columns that `search` looks into.
    pub search: &'static [&'static str],
    /// Columns, and other names, that can be sorted by; the key always can.
    pub sort: &'static [&'static str],
    /// Columns that `filter[…]` can name; the key always can be.
    pub filter: &'static [&'static str],
    /// Filters with a name of their own.
    pub named: Vec<NamedInfo>,
}

/// What is in reach, on its way.
pub type Reaching<'a> = Pin<Box<dyn Future<Output = Result<Option<Vec<Value>>>> + Send + 'a>>;

/// A relation whose targets are known.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// What the relation is.
    pub info: &'static RelationInfo,
    /// The registry indexes of `info.targets`.
    pub targets: Vec<usize>,
}

/// Which rows of a source are wanted.
pub struct Wanted<'a> {
    pub(crate) info: &'a RelationInfo,
    /// The values that link them, each once.
    pub(crate) keys: Vec<Value>,
    /// Whether only rows in the caller's reach count.
    pub(crate) scoped: bool,
    /// What is to be loaded with them.
    pub(crate) includes: &'a Includes,
}

/// Rows, and the values that link them to records, in the order of the relation.
pub struct Fetched {
    pub(crate) rows: Arc<dyn Rows>,
    pub(crate) links: Vec<(LinkKey, u32)>,
}

/// Rows on their way.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Fetched>> + Send + 'a>>;

/// A resource: its rows are found by its repository and shaped by its transformer.
#[must_use]
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

/// A model that stands for itself: all its rows are seen, with all their visible attributes.
#[must_use]
pub fn of_model<M: Model>() -> Box<dyn Source> {
    of_resource::<Unscoped<M>, Plain<M>>()
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

    fn mistakes(&self) -> Vec<String> {
        repository::mistakes::<R>()
    }

    fn reached<'a>(
        &'a self,
        ctx: &'a Context,
        column: Option<&'static str>,
        values: &'a [Value],
    ) -> Reaching<'a> {
        Box::pin(repository::reached::<R>(ctx, column, values))
    }

    fn fetch<'a>(&'a self, ctx: &'a Context, wanted: Wanted<'a>) -> Fetching<'a> {
        Box::pin(loader::fetch::<R, T>(ctx, wanted))
    }
}
