//! Administrators who are assigned to locations reach the rows of those (docs/contract.md, "Who may do
//! what").

use formwork_data::{
    error::{Error, Result},
    model::{Model, described},
    query::{Query, QueryInPlace},
    relations::{Link, Morph, OwnColumns, Pivot, RelationInfo},
};
use formwork_vocabulary::inflect::words;
use sea_query::{Condition, Expr, ExprTrait, Query as Statement, SelectStatement};

use super::{LocationScope, Repository};
use crate::context::Context;

/// How the rows of a model are bound to locations.
pub(super) enum Binding {
    /// By a column with the location's key.
    Column(&'static str),
    /// By the rows of a table between.
    Pivot(Pivot, Option<Morph>),
}

/// The binding of a relation; `None` where it cannot bind. Only its link counts: conditions narrow
/// the shown rows of the other side, not the binding.
pub(super) fn binding(info: &RelationInfo) -> Option<Binding> {
    match (&info.link, info.own) {
        (Link::Key(None), OwnColumns::One(column)) => Some(Binding::Column(column)),
        (Link::Pivot(pivot, morph), _) => Some(Binding::Pivot(*pivot, *morph)),
        _ => None,
    }
}

/// Keeps the rows of the caller's locations.
pub(super) fn narrow<R: Repository>(query: &mut Query<R::Model>, ctx: &Context) -> Result<()> {
    let (Some(scope), [_, ..]) = (R::LOCATION, ctx.locations()) else {
        return Ok(());
    };
    let own = || ctx.locations().iter().copied();
    let (mine, none) = match bound::<R::Model>(scope)? {
        Binding::Column(name) => {
            let place = query.selection().column(name);
            (place.clone().is_in(own()), place.is_null())
        }
        Binding::Pivot(pivot, morph) => {
            let links = links::<R::Model>(pivot, morph);
            let mut mine = links.clone();
            mine.and_where(Expr::col((pivot.table, pivot.other)).is_in(own()));
            (Expr::exists(mine), Expr::exists(links).not())
        }
    };
    query.filter(if scope.or_none {
        Condition::any().add(mine).add(none)
    } else {
        Condition::all().add(mine)
    });
    Ok(())
}

/// Refuses a record that its change has taken out of the caller's locations. One statement, for
/// those who have locations only.
///
/// # Errors
/// 422 on the field that names the location.
pub async fn check_location<R: Repository>(ctx: &Context, record: &R::Model) -> Result<()> {
    let mut query = Query::new();
    narrow::<R>(&mut query, ctx)?;
    let Some(scope) = R::LOCATION.filter(|_| !query.is_plain()) else {
        return Ok(());
    };
    if query.eq(R::Model::KEY, record.key()).count(ctx).await? > 0 {
        return Ok(());
    }
    let field = match bound::<R::Model>(scope)? {
        Binding::Column(column) => column,
        Binding::Pivot(..) => scope.relation,
    };
    let label = words(field);
    let message = format!("The {label} field must name one of your locations.");
    Err(Error::validation(field, message))
}

fn bound<M: Model>(scope: LocationScope) -> Result<Binding> {
    let relations = &described::<M>().relations;
    let relation = relations
        .iter()
        .find(|relation| relation.info.name == scope.relation);
    relation
        .and_then(|relation| binding(&relation.info))
        .ok_or_else(|| {
            let (table, relation) = (M::TABLE, scope.relation);
            Error::internal(format!("`{relation}` does not bind `{table}` to locations"))
        })
}

/// A row's links to locations, whichever they are.
fn links<M: Model>(pivot: Pivot, morph: Option<Morph>) -> SelectStatement {
    let mut links = Statement::select();
    links
        .expr(Expr::cust("1"))
        .from(pivot.table)
        .and_where(Expr::col((pivot.table, pivot.own)).equals((M::TABLE, M::KEY)));
    if let Some(morph) = morph {
        let kind = Expr::col((pivot.table, sea_query::Alias::new(morph.type_column())));
        links.and_where(kind.eq(morph.word));
    }
    links
}
