//! Targets of relations: resources and supporting models, their types erased.

use std::sync::Arc;

use formwork_data::value::LinkKey;
use formwork_data::{
    error::Result, model::Schema, relations::RelationInfo, shape::Shape, value::Value,
};
use futures_util::future::BoxFuture;

use crate::{context::Context, includes::Includes, rows::Rows};

/// The target of relations: how its rows are read and shown. Implemented by the runtime, for
/// resources and supporting models.
pub trait Source: Send + Sync {
    /// Looks up the targets of its relations; returns relation and key of those that are not
    /// registered.
    fn resolve(
        &mut self,
        lookup: &dyn Fn(&str) -> Option<usize>,
    ) -> Vec<(&'static str, &'static str)>;

    /// Its table.
    fn schema(&self) -> &'static Schema;

    /// The shape that its transformer declares.
    fn shape(&self) -> &Shape;

    /// The value of a column in a blank record; `None` where there is no such column.
    fn blank(&self, column: &str) -> Option<Value>;

    /// The columns and filters that lists of its rows take.
    fn queries(&self) -> Queries;

    /// Its relations, with the registry indexes of their targets once they are resolved.
    fn relations(&self) -> &[Resolved];

    /// The column that holds the customer its rows belong to.
    fn owner(&self) -> Option<&'static str>;

    /// The name of the relation that binds its rows to locations.
    fn location(&self) -> Option<&'static str>;

    /// Wrong names in its repository, in sentences.
    fn mistakes(&self) -> Vec<String>;

    /// Of the rows with these values in a column (the key's without one), the values of those in
    /// the caller's reach; `None` where the caller reaches all rows.
    fn reached<'a>(
        &'a self,
        ctx: &'a Context,
        column: Option<&'static str>,
        values: &'a [Value],
    ) -> BoxFuture<'a, Result<Option<Vec<Value>>>>;

    /// The rows that belong to some records.
    fn fetch<'a>(&'a self, ctx: &'a Context, wanted: Wanted<'a>) -> BoxFuture<'a, Result<Fetched>>;
}

/// The columns and filters that a list takes.
#[derive(Debug, Clone)]
pub struct Queries {
    /// Columns that `search` compares.
    pub search: &'static [&'static str],
    /// Columns, and other names, that can be sorted by; the key always can.
    pub sort: &'static [&'static str],
    /// Columns that `filter[…]` can name; the key always can be.
    pub filter: &'static [&'static str],
    /// Filters with a name of their own.
    pub named: Vec<NamedInfo>,
}

/// A named filter without its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedInfo {
    /// Its name.
    pub name: &'static str,
    /// The column it compares, if it compares one.
    pub column: Option<&'static str>,
    /// The value that applies where the client does not send it.
    pub default: Option<&'static str>,
}

/// A relation whose targets are known.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The relation.
    pub info: &'static RelationInfo,
    /// The registry indexes of `info.targets`.
    pub targets: Vec<usize>,
}

/// Which rows of a source are wanted.
pub struct Wanted<'a> {
    pub(crate) info: &'a RelationInfo,
    /// The values that link them, each once.
    pub(crate) keys: Vec<Value>,
    /// Whether they are seen as a guest sees them.
    pub(crate) as_guest: bool,
    /// The relations to load with them.
    pub(crate) includes: &'a Includes,
}

/// Rows, and the values that link them to records, in the order of the relation.
pub struct Fetched {
    pub(crate) rows: Arc<dyn Rows>,
    pub(crate) links: Vec<(LinkKey, u32)>,
}
