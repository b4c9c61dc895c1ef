//! Repositories: how the records of a resource are found and changed.

mod caller;
mod check;
mod keyset;
mod location;
mod page;
mod reach;
mod sync;

pub use caller::RepositoryExt;
pub(crate) use check::mistakes;
pub use formwork_data::model::change::{delete, insert, update, update_all};
pub use keyset::{Slice, slice};
pub(crate) use location::{check_created, check_location};
pub use page::{Page, page};
pub(crate) use reach::reached;
pub use sync::sync_relations;
pub(crate) use sync::{check_lists, sync_in_reach};

use std::future::Future;

use crate::{
    context::Context,
    filters::Filters,
    params::{Grammar, SortKey},
};
use formwork_data::{
    error::{Error, Result},
    model::Model,
    query::Query,
};

/// Finds and changes the records of one model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a repository",
    label = "expected a type that implements `Repository`",
    note = "write `impl Repository for {Self} {{ type Model = …; }}`"
)]
pub trait Repository: Send + Sync + 'static {
    /// The model it is bound to.
    type Model: Model;

    /// Columns that `search` looks into, as answers show their values. Floats and JSON are searched as the
    /// database writes them.
    const SEARCH: &'static [&'static str] = &[];

    /// Columns that can be sorted by, and other names [`Repository::order`] knows; the key always
    /// can.
    const SORT: &'static [&'static str] = &[];

    /// Columns that `filter[…]` can name; the key always can be.
    const FILTER: &'static [&'static str] = &[];

    /// The column that holds a record's customer: a customer sees and changes only its own records.
    const OWNER: Option<&'static str> = None;

    /// The relation that binds records to locations. An administrator with assigned locations
    /// reaches only the records of these locations.
    const LOCATION: Option<LocationScope> = None;

    /// Names the filters.
    fn filters(to: &mut Filters<Self::Model>) {
        let _ = to;
    }

    /// Orders a list by a name of `SORT` that is no column.
    ///
    /// # Errors
    ///
    /// The implementation's error. The provided method answers 500: the name is no column.
    fn order(
        query: &mut Query<Self::Model>,
        key: SortKey,
        ctx: &Context,
    ) -> impl Future<Output = Result<()>> + Send {
        let _ = (query, ctx);
        let table = Self::Model::TABLE;
        let message = format!("`{}` is not a column of `{table}`", key.column);
        std::future::ready(Err(Error::internal(message)))
    }

    /// Narrows [`RepositoryExt::visible`], and with it every query of the resource: lists, single
    /// records and includes.
    ///
    /// # Errors
    /// The implementation's error.
    fn extend_query(query: &mut Query<Self::Model>, ctx: &Context) -> Result<()> {
        let _ = (query, ctx);
        Ok(())
    }
}

/// A repository without restrictions.
pub(crate) struct Unscoped<M>(std::marker::PhantomData<fn() -> M>);

impl<M: Model> Repository for Unscoped<M> {
    type Model = M;
}

/// A relation that binds records to locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocationScope {
    /// The relation's name.
    pub relation: &'static str,
    /// Whether records without a location are included as well.
    pub or_none: bool,
}

/// Binds records to the locations of a relation.
pub const fn location(relation: &'static str) -> LocationScope {
    LocationScope {
        relation,
        or_none: false,
    }
}

impl LocationScope {
    /// Records without a location are included as well.
    #[must_use]
    pub const fn or_none(self) -> Self {
        Self {
            or_none: true,
            ..self
        }
    }
}

/// The grammar of this repository.
pub fn grammar<R: Repository>() -> Grammar {
    let mut filters = Filters::default();
    R::filters(&mut filters);
    Grammar {
        key: <R::Model as Model>::KEY,
        sort: R::SORT,
        filter: R::FILTER,
        named: filters.names().collect(),
        search: !R::SEARCH.is_empty(),
        type_attribute: None,
    }
}
