//! What relations can lead to: resources and supporting models, their types erased.

use std::{future::Future, pin::Pin, sync::Arc};

use formwork_data::value::LinkKey;
use formwork_data::{
    error::Result, model::Schema, relations::RelationInfo, shape::Shape, value::Value,
};

use crate::{context::Context, includes::Includes, rows::Rows};

/// What is registered under a key, as the target of relations: how its rows are read and shown.
/// Implemented by the runtime, for resources and supporting models.
pub trait Source: Send + Sync {
    /// Looks up the targets of its relations; returns relation and key of those that are not
    /// registered.
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
    /// the caller's reach; `None` where nothing narrows it.
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

/// What is known of a named filter without its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedInfo {
    /// Its name.
    pub name: &'static str,
    /// The column it compares, if it compares one.
    pub column: Option<&'static str>,
    /// What applies where the client does not send it.
    pub default: Option<&'static str>,
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
