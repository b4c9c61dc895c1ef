//! Comparisons of columns with what clients write.

use formwork_data::{
    column::{ColumnInfo, Kind},
    database::ESCAPE,
    error::{Error, Result},
    model::Schema,
    query::{Selection, bound},
    value::Value,
};
use sea_query::{Expr, ExprTrait};

use crate::{
    context::Context,
    params::{ColumnFilter, FilterOp, FilterValue},
    request::Domain,
};

/// Values of a list: well below every database's limit of bound values.
const LONGEST_LIST: usize = 1000;

/// Bytes of a pattern: databases limit them.
const LONGEST_PATTERN: usize = 1000;

/// How often `%` may stand in a pattern: a regular expression costs more with each.
const MOST_GAPS: usize = 20;

/// Whether a column holds true or false.
pub(super) fn is_boolean(schema: &Schema, column: &str) -> bool {
    schema
        .column(column)
        .is_some_and(|info| info.kind == Kind::Boolean)
}

/// A named filter over a column: one value, or one of several.
pub(super) fn named(
    query: &mut Selection,
    ctx: &Context,
    column: &'static str,
    value: &FilterValue,
) -> Result<()> {
    let compared = Compared::of(ctx, query.schema(), column)?;
    let one_of = value
        .items()?
        .map(|item| compared.one(value, item))
        .collect::<Result<Vec<_>>>()?;
    if one_of.len() > LONGEST_LIST {
        let parameter = value.parameter();
        let message = format!("A list has at most {LONGEST_LIST} values.");
        return Err(Error::bad_parameter(parameter, message));
    }
    query.is_in(column, one_of.into_iter());
    Ok(())
}

/// `filter[column][op]=value`.
pub(super) fn column(query: &mut Selection, ctx: &Context, filter: &ColumnFilter) -> Result<()> {
    let ColumnFilter {
        parameter,
        column,
        op,
        value,
    } = filter;
    let compared = Compared::of(ctx, query.schema(), column)?;
    let sent = FilterValue::new(parameter, value);
    let schema = query.schema();
    let bound = |value| bound(schema, column, value);
    let one = || compared.one(&sent, sent.text()).map(bound);
    let limit = || compared.limit(&sent, sent.text()).map(bound);
    let place = query.column(column);
    match op {
        FilterOp::Eq => query.filter(place.eq(one()?)),
        FilterOp::Ne => query.filter(place.clone().ne(one()?).or(place.is_null())),
        FilterOp::Lt => query.filter(place.lt(limit()?)),
        FilterOp::Lte => query.filter(place.lte(limit()?)),
        FilterOp::Gt => query.filter(place.gt(limit()?)),
        FilterOp::Gte => query.filter(place.gte(limit()?)),
        FilterOp::In => return named(query, ctx, column, &sent),
        FilterOp::Like => {
            let place = super::search::text(ctx.db().dialect(), schema.table, compared.info);
            query.filter(like(ctx, compared.info, &sent, place)?)
        }
        FilterOp::Null if sent.boolean()? => query.filter(place.is_null()),
        FilterOp::Null => query.filter(place.is_not_null()),
    };
    Ok(())
}

/// Clients may write `%` and `_`; case-insensitive.
fn like(ctx: &Context, info: &ColumnInfo, sent: &FilterValue, place: Expr) -> Result<Expr> {
    if info.kind != Kind::Text {
        return Err(sent.refused("cannot be compared by `like`: the attribute is not text"));
    }
    if sent.text().len() > LONGEST_PATTERN {
        return Err(sent.refused("is too long for a pattern"));
    }
    if sent.text().matches('%').count() > MOST_GAPS {
        return Err(sent.refused(&format!("has more than {MOST_GAPS} times `%`")));
    }
    // Some databases have a default escape character.
    let text = sent.text().replace(ESCAPE, &format!("{ESCAPE}{ESCAPE}"));
    Ok(ctx.db().dialect().matches(place, &text))
}

fn info(schema: &'static Schema, column: &str) -> Result<&'static ColumnInfo> {
    schema.column(column).ok_or_else(|| {
        Error::internal(format!(
            "`{}` has no column `{column}` to filter by",
            schema.table
        ))
    })
}

/// A column, and what rows can hold in it.
struct Compared {
    info: &'static ColumnInfo,
    domain: Domain,
}

impl Compared {
    /// The rules are those of the requested resource; only words and decimals have rules that are
    /// stricter than their column.
    fn of(ctx: &Context, schema: &'static Schema, column: &str) -> Result<Self> {
        let info = info(schema, column)?;
        let domain = match info.kind {
            Kind::Text | Kind::Decimal(_) => domain(ctx, schema, column),
            _ => Domain::default(),
        };
        Ok(Self { info, domain })
    }

    /// A value that a row may have.
    fn one(&self, sent: &FilterValue, text: &str) -> Result<Value> {
        match self.domain.words {
            Some(words) if self.info.kind == Kind::Text && !self.domain.knows(text) => {
                Err(sent.refused(&format!("must be one of: {}", words.join(", "))))
            }
            _ => self.limit(sent, text),
        }
    }

    /// A value to compare rows with by `lt`, `gt` and the like.
    fn limit(&self, sent: &FilterValue, text: &str) -> Result<Value> {
        let value = read(self.info, sent, text)?;
        match value {
            Value::Decimal(number) if !self.domain.fits(number) => {
                Err(sent.refused("has too many digits"))
            }
            value => Ok(value),
        }
    }
}

/// The values that bodies of the resource may hold in a column.
fn domain(ctx: &Context, schema: &Schema, column: &str) -> Domain {
    let entry = ctx.resource().and_then(|at| ctx.registry().get(at));
    let own = entry.filter(|entry| entry.source.schema().table == schema.table);
    let resource = own.and_then(|entry| entry.resource.as_ref());
    resource.map_or_else(Domain::default, |resource| {
        Domain::of(resource.controller.attributes(), column)
    })
}

/// A value of the column's kind.
pub fn read(info: &ColumnInfo, sent: &FilterValue, text: &str) -> Result<Value> {
    info.kind.read(text).map_err(|must| sent.refused(must))
}
