//! A query without the type of its records: all but reading them is done here, once for all models.

use sea_query::{Condition, Expr, ExprTrait, IntoCondition, Order, OrderedStatement, Values};

use super::bind::{bound, column, fitted, plain_bound, unbound};
use crate::{
    database::Dialect,
    model::Schema,
    value::{Json, Value},
};

/// A term of an order.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub expr: Expr,
    pub order: Order,
    /// Whether it may be null.
    pub nullable: bool,
}

/// Conditions, order and limit of a query over a table.
#[derive(Debug, Clone)]
pub struct Selection {
    pub(super) schema: &'static Schema,
    conditions: Condition,
    /// Conditions whose SQL differs between databases.
    items: Vec<HasItem>,
    pub(super) order: Vec<Term>,
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
            items: Vec::new(),
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
        !self.is_narrowed() && self.order.is_empty()
    }

    /// Whether it may leave out rows.
    pub(super) fn is_narrowed(&self) -> bool {
        !self.conditions.is_empty() || !self.items.is_empty()
    }

    /// All that its rows fulfil, in the SQL of this database.
    pub(super) fn conditions(&self, dialect: Dialect) -> Condition {
        let items = self.items.iter().map(|item| item.condition(dialect));
        items.fold(self.conditions.clone(), Condition::add)
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
        // No row holds a text that is no value of the column.
        if !unbound(fitted(self.schema, name, value.clone())).is_null() {
            let value = bound(self.schema, name, value);
            self.filter(column.clone().ne(value).or(column.is_null()));
        }
    }

    /// Only rows where the column holds one of these values.
    pub fn is_in(&mut self, name: &'static str, values: impl Iterator<Item = Value>) {
        let values = values.map(|value| bound(self.schema, name, value));
        let values: Vec<_> = values.collect();
        self.filter(self.column(name).is_in(values));
    }

    /// Only rows whose column, a JSON list, has this item; with `or_null` also those without a list.
    pub(super) fn json_contains(&mut self, name: &'static str, item: Value, or_null: bool) {
        let column = self.column(name);
        self.items.push(HasItem {
            column,
            item,
            or_null,
        });
    }

    /// Orders by a column. Repeated, it breaks ties.
    pub fn sort(&mut self, name: &'static str, descending: bool) {
        let column = self.schema.column(name);
        self.order.push(Term {
            expr: self.column(name),
            order: direction(descending),
            nullable: column.is_none_or(|column| column.nullable),
        });
    }

    /// Orders rows as these keys are, those with other keys behind them.
    pub(super) fn sort_by_keys(&mut self, keys: impl IntoIterator<Item = i64>) {
        let keys: Vec<_> = keys.into_iter().map(Into::into).collect();
        if !keys.is_empty() {
            self.order.push(Term {
                expr: self.column(self.schema.key),
                order: Order::Field(Values(keys)),
                nullable: false,
            });
        }
    }

    /// Orders by an expression.
    pub(super) fn sort_by(&mut self, expr: Expr, order: Order) {
        self.order.push(Term {
            expr,
            order,
            nullable: true,
        });
    }

    /// Writes the order into a statement. Null is smaller than every value, on every database.
    pub(super) fn arrange(&self, dialect: Dialect, statement: &mut impl OrderedStatement) {
        for term in &self.order {
            let (expr, order) = (term.expr.clone(), term.order.clone());
            match dialect.nulls(&order).filter(|_| term.nullable) {
                Some(nulls) => statement.order_by_expr_with_nulls(expr, order, nulls),
                None => statement.order_by_expr(expr, order),
            };
        }
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

/// The condition that a column, which holds a JSON list, has this item. Each database has a
/// function of its own for it, so it is written when the statement is.
#[derive(Debug, Clone)]
pub(super) struct HasItem {
    pub column: Expr,
    pub item: Value,
    /// Whether rows without a list are meant too.
    pub or_null: bool,
}

impl HasItem {
    pub fn condition(&self, dialect: Dialect) -> Expr {
        let column = self.column.clone();
        let has = has_item(dialect, column.clone(), &self.item);
        match self.or_null {
            true => column.is_null().or(has),
            false => has,
        }
    }
}

fn has_item(dialect: Dialect, column: Expr, item: &Value) -> Expr {
    let json = serde_json::to_value(item).unwrap_or_default();
    // PostgreSQL's JSON has no NUL, and no item is null.
    if json == Json::Null || json.as_str().is_some_and(|text| text.contains('\0')) {
        return Expr::cust("1 = 0");
    }
    dialect.has_item(column, plain_bound(item.clone()).into(), json)
}
