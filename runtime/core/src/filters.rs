//! Filters of lists: named ones, and comparisons with columns.

mod compare;
mod search;

pub use crate::params::FilterValue;
pub use compare::read as read_value;

use crate::{context::Context, params::Params};

pub use crate::source::NamedInfo;
use formwork_data::{
    error::{Error, Result},
    model::Model,
    query::{Query, QueryInPlace, Selection},
};

/// A custom filter: it narrows a query.
pub type CustomFilter<M> = fn(&mut Query<M>, &FilterValue, &Context) -> Result<()>;

/// Collects the named filters of a repository: query parameters of its list beside the general
/// `filter[attribute][op]`, each with an effect and perhaps a default.
pub struct Filters<M> {
    list: Vec<Filter<M>>,
}

/// A filter with a name of its own.
pub struct Filter<M> {
    name: &'static str,
    effect: Effect<M>,
    default: Option<&'static str>,
}

enum Effect<M> {
    Column(&'static str),
    Custom(CustomFilter<M>),
}

impl<M> Default for Filters<M> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<M> Filters<M> {
    /// A filter that compares a column: `enabled=true`, a comma list for one of several values,
    /// `all` for no comparison.
    pub fn column(&mut self, name: &'static str, column: &'static str) -> &mut Filter<M> {
        self.add(name, Effect::Column(column))
    }

    /// A filter that calls a function with its value.
    pub fn custom(&mut self, name: &'static str, filter: CustomFilter<M>) -> &mut Filter<M> {
        self.add(name, Effect::Custom(filter))
    }

    /// The columns that filters compare.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.list.iter().filter_map(|filter| match filter.effect {
            Effect::Column(column) => Some(column),
            Effect::Custom(_) => None,
        })
    }

    /// The filters, in order.
    pub(crate) fn infos(&self) -> impl Iterator<Item = NamedInfo> {
        self.list.iter().map(|filter| NamedInfo {
            name: filter.name,
            column: match filter.effect {
                Effect::Column(column) => Some(column),
                Effect::Custom(_) => None,
            },
            default: filter.default,
        })
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.list.iter().map(|filter| filter.name)
    }

    fn add(&mut self, name: &'static str, effect: Effect<M>) -> &mut Filter<M> {
        let at = self.list.len();
        self.list.push(Filter {
            name,
            effect,
            default: None,
        });
        &mut self.list[at]
    }
}

impl<M> Filter<M> {
    /// The value that applies where the client does not send the filter. Another value is for
    /// administrators only, where the filter compares a column of true and false.
    pub fn default(&mut self, value: &'static str) -> &mut Self {
        self.default = Some(value);
        self
    }
}

impl<M: Model> Filters<M> {
    /// Narrows a query by the sent filters, and by the defaults of the others.
    pub(crate) fn apply(&self, query: &mut Query<M>, ctx: &Context, params: &Params) -> Result<()> {
        for filter in &self.list {
            let value = match (FilterValue::sent(params, filter.name), filter.default) {
                (Some(sent), _) => sent,
                (None, Some(default)) => FilterValue::new(filter.name, default),
                (None, None) => continue,
            };
            filter.apply(query, &value, ctx)?;
        }
        Ok(())
    }
}

impl<M: Model> Filter<M> {
    fn apply(&self, query: &mut Query<M>, value: &FilterValue, ctx: &Context) -> Result<()> {
        match self.effect {
            Effect::Custom(filter) => filter(query, value, ctx),
            Effect::Column(column) => {
                value.only_members(&[])?;
                let boolean = compare::is_boolean(query.selection().schema(), column);
                if boolean && !self.permits(value, ctx)? {
                    let message = "Only administrators may ask for this value.";
                    return Err(Error::bad_parameter(value.parameter(), message));
                }
                if !value.is_all() {
                    compare::named(query.selection_mut(), ctx, column, value)?;
                }
                Ok(())
            }
        }
    }

    /// Rows that are hidden by default, such as disabled ones, are shown to administrators only.
    fn permits(&self, value: &FilterValue, ctx: &Context) -> Result<bool> {
        let Some(default) = self.default.filter(|default| *default != "all") else {
            return Ok(true);
        };
        let default = FilterValue::new(self.name, default).boolean()?;
        Ok(ctx.is_admin() || (!value.is_all() && value.boolean()? == default))
    }
}

/// Narrows a query by `filter[…]`.
pub(crate) fn compare_columns(query: &mut Selection, ctx: &Context, params: &Params) -> Result<()> {
    params
        .filters()
        .iter()
        .try_for_each(|filter| compare::column(query, ctx, filter))
}

/// Narrows a query to rows where every word occurs in one of the columns.
pub(crate) fn search(
    query: &mut Selection,
    ctx: &Context,
    columns: &[&'static str],
    words: &[String],
) {
    if !words.is_empty() {
        let dialect = ctx.db().dialect();
        query.filter(search::condition(dialect, query.schema(), columns, words));
    }
}
