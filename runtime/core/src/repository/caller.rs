//! The queries of a caller: the rows that it sees, and the rows that it may change.

use formwork_data::{error::Result, query::Query, record::ModelExt};

use super::{Repository, location};
use crate::context::Context;

/// Starts the queries that a caller may make. Every [`Repository`] has these methods; the prelude
/// brings them into scope.
///
/// A repository cannot override them: [`Repository::OWNER`], [`Repository::LOCATION`] and
/// [`Repository::extend_query`] narrow both.
pub trait RepositoryExt: Repository + Sized {
    /// Starts the query over the rows that the caller sees: a customer's own rows if they are owned,
    /// the rows of an administrator's locations if they are bound to locations, and of these the rows
    /// that [`Repository::extend_query`] leaves. Use it wherever a response shows rows.
    ///
    /// # Errors
    /// The error of `extend_query`.
    fn visible(ctx: &Context) -> Result<Query<Self::Model>> {
        let mut query = Self::Model::unscoped();
        if let (Some(owner), Some(customer)) = (Self::OWNER, ctx.customer_id()) {
            query = query.eq(owner, customer);
        }
        location::narrow::<Self>(&mut query, ctx)?;
        Self::extend_query(&mut query, ctx)?;
        Ok(query)
    }

    /// Starts the query over the rows that the caller may change: the rows that it sees, and of the
    /// locations themselves only those that the administrator is assigned to.
    ///
    /// # Errors
    /// The error of `extend_query`.
    fn changeable(ctx: &Context) -> Result<Query<Self::Model>> {
        let mut query = Self::visible(ctx)?;
        location::narrow_locations(&mut query, ctx);
        Ok(query)
    }
}

impl<R: Repository> RepositoryExt for R {}
