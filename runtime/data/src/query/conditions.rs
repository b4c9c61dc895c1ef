//! The conditions and the order of a query.

use sea_query::{Expr, ExprTrait, IntoCondition, Order};

use super::{Query, bind::plain_bound};
use crate::value::Value;

impl<M> Query<M> {
    /// Only rows where the column holds this value; null means that it holds none.
    pub fn eq(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        self.selection.eq(name, value.into());
        self
    }

    /// Only rows where the column holds another value, or none.
    pub fn ne(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        self.selection.ne(name, value.into());
        self
    }

    /// Only rows where the column holds one of these values.
    pub fn is_in<V: Into<Value>>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = V>,
    ) -> &mut Self {
        let values = values.into_iter().map(Into::into);
        self.selection.is_in(name, values);
        self
    }

    /// Only rows where the column holds nothing.
    pub fn is_null(&mut self, name: &'static str) -> &mut Self {
        self.filter(self.selection.column(name).is_null())
    }

    /// Only rows for which this holds.
    pub fn filter(&mut self, condition: impl IntoCondition) -> &mut Self {
        self.selection.filter(condition);
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
        self.selection.order_all(&[name]);
        self
    }

    /// Orders by an expression.
    pub fn order_by_expr(&mut self, expr: Expr, order: Order) -> &mut Self {
        self.selection.order.push((expr, order));
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
