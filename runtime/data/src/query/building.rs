//! The methods that build a query.

use sea_query::{Expr, ExprTrait, IntoCondition, Order};

use super::{Query, Selection, bind::plain_bound, selection::direction};
use crate::value::Value;

/// Makes each method twice: on a query by value, and on a borrowed query, which is changed in
/// place.
macro_rules! building {
    ($(
        $(#[doc = $doc:literal])+
        fn $name:ident$(<$value:ident: $bound:path>)?($($argument:ident: $kind:ty),*) |$selection:ident| $change:expr;
    )+) => {
        impl<M> Query<M> {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $name$(<$value: $bound>)?(mut self, $($argument: $kind),*) -> Self {
                    let $selection = &mut self.selection;
                    $change;
                    self
                }
            )+
        }

        /// The methods that build a query, for one that is changed in place: in a filter, or in
        /// `extend_query`.
        ///
        /// ```text
        /// fn extend_query(query: &mut Query<Menu>, ctx: &Context) -> Result<()> {
        ///     query.eq("menu_status", true);
        ///     Ok(())
        /// }
        /// ```
        pub trait QueryInPlace {
            /// The query without the type of its records.
            #[doc(hidden)]
            fn selection_mut(&mut self) -> &mut Selection;

            $(
                $(#[doc = $doc])+
                fn $name$(<$value: $bound>)?(&mut self, $($argument: $kind),*) -> &mut Self {
                    let $selection = self.selection_mut();
                    $change;
                    self
                }
            )+
        }
    };
}

building! {
    /// Only rows where the column holds this value; null matches null.
    fn eq(name: &'static str, value: impl Into<Value>) |it| it.eq(name, value.into());

    /// Only rows where the column holds another value, or none.
    fn ne(name: &'static str, value: impl Into<Value>) |it| it.ne(name, value.into());

    /// Only rows where the column holds one of these values.
    fn is_in<V: Into<Value>>(name: &'static str, values: impl IntoIterator<Item = V>) |it|
        it.is_in(name, values.into_iter().map(Into::into));

    /// Only rows where the column is null.
    fn is_null(name: &'static str) |it| it.filter(it.column(name).is_null());

    /// Only rows whose column, a JSON list, has this text, number or boolean as an item.
    fn json_contains(name: &'static str, item: impl Into<Value>) |it|
        it.json_contains(name, item.into(), false);

    /// Only rows whose column, a JSON list, has this text, number or boolean as an item, or is null.
    fn json_contains_or_null(name: &'static str, item: impl Into<Value>) |it|
        it.json_contains(name, item.into(), true);

    /// Only rows for which this holds.
    fn filter(condition: impl IntoCondition) |it| it.filter(condition);

    /// Only rows for which this SQL holds; with `?` for each value.
    fn filter_sql<V: Into<Value>>(sql: &'static str, values: impl IntoIterator<Item = V>) |it|
        it.filter(custom(sql, values));

    /// Orders by a column, `-column` for descending. Repeated, it breaks ties.
    fn order_by(name: &'static str) |it| it.order_all(&[name]);

    /// Orders by columns, `-column` for descending.
    fn order_all(names: &[&'static str]) |it| it.order_all(names);

    /// Orders by a column whose direction is known.
    fn sort(name: &'static str, descending: bool) |it| it.sort(name, descending);

    /// Orders rows as these keys are, those with other keys behind them: for an order that is
    /// computed in Rust, of a few rows. The keys are part of the statement's text.
    fn order_by_keys(keys: impl IntoIterator<Item = i64>) |it| it.sort_by_keys(keys);

    /// Orders by an expression.
    fn order_by_expr(expr: Expr, order: Order) |it| it.sort_by(expr, order);

    /// Orders by this SQL; with `?` for each value.
    fn order_sql<V: Into<Value>>(
        sql: &'static str,
        values: impl IntoIterator<Item = V>,
        descending: bool
    ) |it| it.sort_by(custom(sql, values), direction(descending));

    /// At most this many rows.
    fn limit(limit: u64) |it| it.limit = Some(limit);

    /// Without the first rows.
    fn offset(offset: u64) |it| it.offset = Some(offset);

    /// The transaction is going to change the records: until its end, other changes and queries of
    /// this kind wait for them. On SQLite they wait for the whole transaction anyway.
    fn for_update() |it| it.for_update = true;
}

impl<M> QueryInPlace for Query<M> {
    fn selection_mut(&mut self) -> &mut Selection {
        &mut self.selection
    }
}

fn custom(sql: &'static str, values: impl IntoIterator<Item = impl Into<Value>>) -> Expr {
    let values = values.into_iter().map(|value| plain_bound(value.into()));
    Expr::cust_with_values(sql, values.collect::<Vec<_>>())
}
