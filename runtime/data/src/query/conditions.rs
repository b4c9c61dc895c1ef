//! The conditions and the order of a query.

use sea_query::{Condition, Expr, ExprTrait, IntoCondition, Order};

use super::{
    Query,
    bind::{bound, column, plain_bound},
};
use crate::{model::Model, value::Value};

impl<M: Model> Query<M> {
    /// Only rows where the column holds this value; null means that it holds none.
    pub fn eq(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        if value.is_null() {
            return self.is_null(name);
        }
        self.filter(column::<M>(name).eq(bound::<M>(name, value)))
    }

    /// Only rows where the column holds another value, or none.
    pub fn ne(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        if value.is_null() {
            return self.filter(column::<M>(name).is_not_null());
        }
        let differs = column::<M>(name).ne(bound::<M>(name, value));
        self.filter(differs.or(column::<M>(name).is_null()))
    }

    /// Only rows where the column holds one of these values.
    pub fn is_in<V: Into<Value>>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> &mut Self {
        let values = values
            .into_iter()
            .map(|value| bound::<M>(name, value.into()));
        self.filter(column::<M>(name).is_in(values.collect::<Vec<_>>()))
    }

    /// Only rows where the column holds nothing.
    pub fn is_null(&mut self, name: &'static str) -> &mut Self {
        self.filter(column::<M>(name).is_null())
    }

    /// Only rows for which this holds.
    pub fn filter(&mut self, condition: impl IntoCondition) -> &mut Self {
        let conditions = std::mem::replace(&mut self.conditions, Condition::all());
        self.conditions = conditions.add(condition.into_condition());
        self
    }

    /// Only rows for which this SQL holds; `?` stands for each value.
    pub fn filter_sql<V: Into<Value>>(
        &mut self,
        sql: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> &mut Self {
        let values = values.into_iter().map(|value| plain_bound(value.into()));
        self.filter(Expr::cust_with_values(sql, values.collect::<Vec<_>>()))
    }

    /// Orders by a column, `-column` for descending. Repeated, it breaks ties.
    pub fn order_by(&mut self, name: &'static str) -> &mut Self {
        let (name, order) = direction(name);
        self.order_by_expr(column::<M>(name), order)
    }

    /// Orders by an expression.
    pub fn order_by_expr(&mut self, expr: Expr, order: Order) -> &mut Self {
        self.order.push((expr, order));
        self
    }

    /// Orders by this SQL; `?` stands for each value.
    pub fn order_sql<V: Into<Value>>(
        &mut self,
        sql: &'static str,
        values: impl IntoIterator<Item = V>,
        descending: bool,
    ) -> &mut Self {
        let values = values.into_iter().map(|value| plain_bound(value.into()));
        let order = if descending { Order::Desc } else { Order::Asc };
        let expr = Expr::cust_with_values(sql, values.collect::<Vec<_>>());
        self.order_by_expr(expr, order)
    }
}

/// `-name` is descending.
fn direction(name: &'static str) -> (&'static str, Order) {
    match name.strip_prefix('-') {
        Some(name) => (name, Order::Desc),
        None => (name, Order::Asc),
    }
}
