//! Administrators who are assigned to locations reach the rows of those.

use formwork_data::{
    error::{Error, Result},
    model::{Model, described},
    query::{Query, QueryInPlace},
    record::ModelExt,
    relations::Binding,
};
use formwork_vocabulary::inflect::words;

use super::Repository;
use crate::context::Context;

/// Keeps the rows of the caller's locations.
pub(super) fn narrow<R: Repository>(query: &mut Query<R::Model>, ctx: &Context) -> Result<()> {
    let (Some(scope), [_, ..]) = (R::LOCATION, ctx.locations()) else {
        return Ok(());
    };
    let own = ctx.locations().iter().copied();
    match scope.or_none {
        true => query.linked_or_none(scope.relation, own)?,
        false => query.linked(scope.relation, own)?,
    };
    Ok(())
}

/// Keeps the assigned locations, if the rows are locations themselves.
pub(super) fn narrow_locations<M: Model>(query: &mut Query<M>, ctx: &Context) {
    if !ctx.locations().is_empty() && ctx.registry().are_locations(M::TABLE) {
        query.is_in(M::KEY, ctx.locations().iter().copied());
    }
}

/// Rejects a new location of an administrator who is bound to others.
///
/// # Errors
/// 403.
pub(crate) fn check_created<M: Model>(ctx: &Context) -> Result<()> {
    if ctx.locations().is_empty() || !ctx.registry().are_locations(M::TABLE) {
        return Ok(());
    }
    Err(Error::forbidden(
        "You are assigned to other locations, and may not create one.",
    ))
}

/// Refuses a change that takes a record out of the caller's locations. One statement, and only for
/// callers with locations.
///
/// # Errors
/// 422 on the field that names the location.
pub async fn check_location<R: Repository>(ctx: &Context, record: &R::Model) -> Result<()> {
    let mut query = R::Model::unscoped();
    narrow::<R>(&mut query, ctx)?;
    let Some(scope) = R::LOCATION.filter(|_| !query.is_plain()) else {
        return Ok(());
    };
    if query.eq(R::Model::KEY, record.key()).count(ctx).await? > 0 {
        return Ok(());
    }
    let relations = &described::<R::Model>().relations;
    let relation = relations.iter().find(|it| it.info.name == scope.relation);
    let field = match relation.and_then(|relation| relation.info.binding()) {
        Some(Binding::Column(column)) => column,
        _ => scope.relation,
    };
    let label = words(field);
    let message = format!("The {label} field must name one of your locations.");
    Err(Error::validation(field, message))
}
