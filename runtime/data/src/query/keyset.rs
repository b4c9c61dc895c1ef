//! Values of rows as the database has them, for pages by cursor.
//!
//! A model's field may have fewer digits than its column, or another form of the same moment. A
//! cursor that was made of it would be compared with another value than the one that the rows are
//! ordered by.

use sea_query::{Expr, Value as Bound};

use super::{
    Selection,
    bind::{column, plain_bound},
};
use crate::{
    column::Kind,
    database::{Db, Dialect, Row},
    error::Result,
    model::Schema,
    value::Value,
};

impl Selection {
    /// The rows, and behind the columns of the model what [`raw_values`] needs of these columns.
    ///
    /// # Errors
    /// The database's error.
    #[doc(hidden)]
    pub async fn keyset_rows(&self, db: &Db, order: &[&'static str]) -> Result<Vec<Row>> {
        let mut select = self.select(db.dialect());
        for name in order {
            if let Some(expr) = beside(db.dialect(), self.schema, name) {
                select.expr(expr);
            }
        }
        let (sql, values) = self.bounded(db.dialect(), &select);
        Ok(db.fetch(sql, values).await?)
    }
}

/// What a row needs beside a column.
fn beside(dialect: Dialect, schema: &Schema, name: &'static str) -> Option<Expr> {
    match schema.column(name)?.kind {
        Kind::Text => dialect.text_position(schema.table, name),
        Kind::Date | Kind::DateTime => dialect.zeros_text(Expr::col((schema.table, name))),
        _ => None,
    }
}

/// The values of the columns of an order, as the database has them.
///
/// # Errors
/// 500 where a column holds a value that cannot be compared, such as bytes.
#[doc(hidden)]
pub fn raw_values(
    dialect: Dialect,
    schema: &Schema,
    order: &[&'static str],
    row: &Row,
) -> Result<Vec<Value>> {
    let mut next = schema.columns.len();
    let mut values = Vec::with_capacity(order.len());
    for name in order {
        let Some(at) = schema.columns.iter().position(|info| info.name == *name) else {
            continue;
        };
        let mut value = match row.value(at)? {
            Value::Native(number) => Value::Decimal(number),
            value => value,
        };
        if beside(dialect, schema, name).is_some() {
            value = match (row.value(next)?, value) {
                (Value::Int(position), _) => Value::Int(position),
                (zeros, Value::Null) => zeros,
                (_, value) => value,
            };
            next += 1;
        }
        values.push(value);
    }
    Ok(values)
}

/// Both sides of the comparison of a column with a value of [`raw_values`].
#[doc(hidden)]
pub fn raw_comparison(
    dialect: Dialect,
    schema: &Schema,
    name: &'static str,
    value: &Value,
) -> (Expr, Expr) {
    let place = column(schema, name);
    let info = schema.column(name);
    let bound = match (info.map_or(Kind::Text, |info| info.kind), value) {
        (Kind::Text, Value::Text(text)) => Expr::val(plain_bound(dialect.text_value(text))),
        (Kind::Text, value) => {
            let place = dialect.text_column(place, value);
            return (place, Expr::val(plain_bound(value.clone())));
        }
        (Kind::Json, Value::Text(text)) => dialect.json_value(text),
        (_, Value::Time(time)) => dialect.time_value(*time),
        (_, Value::Decimal(number)) => Expr::val(Bound::Decimal(Some(*number))),
        (Kind::DateTime, value) if info.is_some_and(|info| info.native) => {
            Dialect::moment(Expr::val(plain_bound(value.clone())))
        }
        (_, value) => Expr::val(plain_bound(value.clone())),
    };
    (place, bound)
}
