//! A query without the type of its records: all but reading them is done here, once for all models.

use sea_query::{Condition, Expr, ExprTrait, IntoCondition, Order};

use super::bind::{bound, column};
use crate::{model::Schema, value::Value};

/// Conditions, order and limit of a query over a table.
#[derive(Debug, Clone)]
pub struct Selection {
    pub(super) schema: &'static Schema,
    pub(super) conditions: Condition,
    pub(super) order: Vec<(Expr, Order)>,
    pub(super) limit: Option<u64>,
    pub(super) offset: Option<u64>,
    /// Whether the transaction is going to change the rows.
    pub(super) for_update: bool,
}

impl Selection {
    pub(super) fn of(schema: &'static Schema) -> Self {
        Self {
            schema,
            conditions: Condition::all(),
            order: Vec::new(),
            limit: None,
            offset: None,
            for_update: false,
        }
    }

    /// The table.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// A column of the table.
    pub fn column(&self, name: &'static str) -> Expr {
        column(self.schema, name)
    }

    /// Whether it selects all rows without an order, for which there is static SQL.
    pub fn is_plain(&self) -> bool {
        self.conditions.is_empty() && self.order.is_empty()
    }

    /// At most this many rows.
    pub fn limit(&mut self, limit: u64) {
        self.limit = Some(limit);
    }

    /// Only rows for which this holds.
    pub fn filter(&mut self, condition: impl IntoCondition) {
        let conditions = std::mem::replace(&mut self.conditions, Condition::all());
        self.conditions = conditions.add(condition.into_condition());
    }

    /// Only rows where the column holds this value; null matches null.
    pub fn eq(&mut self, name: &'static str, value: Value) {
        let column = self.column(name);
        if value.is_null() {
            self.filter(column.is_null());
        } else {
            self.filter(column.eq(bound(self.schema, name, value)));
        }
    }

    pub(super) fn ne(&mut self, name: &'static str, value: Value) {
        let column = self.column(name);
        if value.is_null() {
            return self.filter(column.is_not_null());
        }
        let differs = column.clone().ne(bound(self.schema, name, value));
        self.filter(differs.or(column.is_null()));
    }

    /// Only rows where the column holds one of these values.
    pub fn is_in(&mut self, name: &'static str, values: impl Iterator<Item = Value>) {
        let values = values.map(|value| bound(self.schema, name, value));
        let values: Vec<_> = values.collect();
        self.filter(self.column(name).is_in(values));
    }

    /// Orders by a column. Repeated, it breaks ties.
    pub fn sort(&mut self, name: &'static str, descending: bool) {
        self.order.push((self.column(name), direction(descending)));
    }

    /// Orders by columns, `-column` for descending.
    pub fn order_all(&mut self, names: &[&'static str]) {
        for name in names {
            match name.strip_prefix('-') {
                Some(name) => self.sort(name, true),
                None => self.sort(name, false),
            }
        }
    }
}

pub(super) fn direction(descending: bool) -> Order {
    if descending { Order::Desc } else { Order::Asc }
}
