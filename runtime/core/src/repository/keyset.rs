//! Pages by cursor: no rows are counted, and none are skipped.

mod cursor;

use formwork_data::{
    database::{Dialect, Row},
    error::{Error, Result},
    model::{Schema, read},
    query::{raw_comparison, raw_values},
    value::Value,
};
use sea_query::{Condition, Expr, ExprTrait};

use super::{Repository, page::filtered};
use crate::{
    context::Context,
    params::{Direction, KeysetParams, Params, SortKey},
};

/// A page of records, and where its neighbours begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice<M> {
    /// The records of the page, in the requested order.
    pub records: Vec<M>,
    /// The cursor of the page in front, if there may be one.
    pub before: Option<String>,
    /// The cursor of the page behind, if there may be one.
    pub after: Option<String>,
}

/// The page of the records in the caller's reach that lies behind, or in front of, a cursor. One
/// statement.
///
/// # Errors
/// 400 for a cursor of another order, and as [`page`](super::page()); what the database answers.
pub async fn slice<R: Repository>(
    ctx: &Context,
    params: &Params,
    keyset: &KeysetParams,
) -> Result<Slice<R::Model>> {
    let schema = Schema::of::<R::Model>();
    if let Some(key) = no_column(schema, params.sort()) {
        let message = format!("A list that is sorted by `{}` has no cursors.", key.column);
        return Err(Error::bad_parameter(keyset.direction.parameter(), message));
    }
    let mut query = filtered::<R>(ctx, params)?;
    let order = full_order(schema, params.sort());
    let dialect = ctx.db().dialect();
    let secret = ctx.app().tag_key(ctx.db()).await?;
    let from = cursor::read(keyset, &order, secret)?;
    let backwards = keyset.direction == Direction::Before;
    if let Some(values) = &from {
        query = query.filter(beyond((dialect, schema), &order, values, backwards));
    }
    for key in &order {
        query = query.sort(key.column, key.descending != backwards);
    }
    let size = usize::try_from(params.page().size).unwrap_or(usize::MAX);
    // One more row shows whether there are more.
    let query = query.limit(u64::from(params.page().size) + 1);
    let names: Vec<&'static str> = order.iter().map(|key| key.column).collect();
    let mut rows = query.selection().keyset_rows(ctx.db(), &names).await?;
    let more = rows.len() > size;
    rows.truncate(size);
    if backwards {
        rows.reverse();
    }
    let at = |row: Option<&Row>| -> Result<Option<String>> {
        let values = row.map(|row| raw_values(dialect, schema, &names, row));
        Ok(values
            .transpose()?
            .map(|values| cursor::write(&order, &values, secret)))
    };
    let (front, behind) = if backwards {
        (more, from.is_some())
    } else {
        (from.is_some(), more)
    };
    Ok(Slice {
        before: at(rows.first().filter(|_| front))?,
        after: at(rows.last().filter(|_| behind))?,
        records: rows.iter().map(read).collect::<Result<_>>()?,
    })
}

/// A sort key that is computed: no row holds its value, so a cursor cannot point to it.
fn no_column<'s>(schema: &Schema, sort: &'s [SortKey]) -> Option<&'s SortKey> {
    let mut sort = sort.iter();
    sort.find(|key| schema.column(key.column).is_none())
}

/// The order that was asked for, without ties: the key breaks them, in the direction of the first
/// sort key.
fn full_order(schema: &Schema, sort: &[SortKey]) -> Vec<SortKey> {
    let mut order = sort.to_vec();
    if order.iter().all(|key| key.column != schema.key) {
        order.push(SortKey {
            column: schema.key,
            descending: sort.first().is_some_and(|first| first.descending),
        });
    }
    order
}

/// The rows after these values in the order: those with a larger first value; of the same first
/// those with a larger second one; and so on.
fn beyond(
    (dialect, schema): (Dialect, &Schema),
    order: &[SortKey],
    values: &[Value],
    backwards: bool,
) -> Condition {
    let sides = |key: &SortKey, value| raw_comparison(dialect, schema, key.column, value);
    let mut any = Condition::any();
    for (at, (key, value)) in order.iter().zip(values).enumerate() {
        let descending = key.descending != backwards;
        let Some(later) = later(sides(key, value), value, descending) else {
            continue;
        };
        let mut all = Condition::all();
        for (key, value) in order.iter().zip(values).take(at) {
            all = all.add(same(sides(key, value), value));
        }
        any = any.add(all.add(later));
    }
    any
}

fn same((place, bound): (Expr, Expr), value: &Value) -> Expr {
    match value.is_null() {
        true => place.is_null(),
        false => place.eq(bound),
    }
}

/// The rows whose value comes later; null comes first of all. `None`: there are none.
fn later((place, bound): (Expr, Expr), value: &Value, descending: bool) -> Option<Expr> {
    match (value.is_null(), descending) {
        (true, false) => Some(place.is_not_null()),
        (true, true) => None,
        (false, false) => Some(place.gt(bound)),
        (false, true) => Some(place.clone().lt(bound).or(place.is_null())),
    }
}
