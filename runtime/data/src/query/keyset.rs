//! Values of rows as the database has them, for pages by cursor.
//!
//! A model's field may have fewer digits than its column, or another form of the same moment. A
//! cursor that was made of it would be compared with another value than the one that the rows are
//! ordered by.

use sea_query::{Alias, Expr, ExprTrait, Func, Value as Bound};

use super::{
    Selection,
    bind::{column, plain_bound},
};
use crate::{
    column::Kind,
    database::{Db, Dialect, Row},
    error::Result,
    model::Schema,
    value::{Time, Value},
};

impl Selection {
    /// The rows, and behind the columns of the model what [`raw_value`] needs of these columns.
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

/// The position of an enum's word, or the bits of a set; null for other types.
const POSITION: &str = "CASE WHEN (SELECT DATA_TYPE FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?) IN ('enum', 'set') \
    THEN CAST(? AS SIGNED) END";

/// What a row needs beside a column. On MariaDB and MySQL an enum is ordered by the position of its
/// word, and drivers read a date of zeros as null.
fn beside(dialect: Dialect, schema: &Schema, name: &'static str) -> Option<Expr> {
    let place = Expr::col((schema.table, name));
    match (dialect, schema.column(name)?.kind) {
        (Dialect::Mysql, Kind::Text) => {
            let names = [schema.table, name].map(Expr::val);
            let parts = names.into_iter().chain([place.add(0)]);
            Some(Expr::cust_with_exprs(POSITION, parts))
        }
        (Dialect::Mysql, Kind::Date | Kind::DateTime) => {
            Some(Func::cast_as(place, Alias::new("char")).into())
        }
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
    let kind = schema.column(name).map_or(Kind::Text, |info| info.kind);
    let bound = match (dialect, kind, value) {
        (Dialect::Mysql, Kind::Text, Value::Int(position)) => {
            return (place.add(0), Expr::val(*position));
        }
        (Dialect::Postgres, Kind::Text, Value::Text(text)) => {
            Expr::val(plain_bound(Value::Label(text.clone())))
        }
        (Dialect::Postgres, Kind::Json, Value::Text(text)) => {
            Func::cast_as(Expr::val(text.clone()), Alias::new("jsonb")).into()
        }
        (Dialect::Postgres, _, Value::Time(time)) => time_bound(*time, "time"),
        (_, _, Value::Time(time)) => time_bound(*time, "time(6)"),
        (_, _, Value::Decimal(number)) => Expr::val(Bound::Decimal(Some(*number))),
        (Dialect::Sqlite, Kind::DateTime, value)
            if schema.column(name).is_some_and(|info| info.native) =>
        {
            Dialect::moment(Expr::val(plain_bound(value.clone())))
        }
        (_, _, value) => Expr::val(plain_bound(value.clone())),
    };
    (place, bound)
}

/// A time with its fraction: as a value of its own it would be in whole seconds.
fn time_bound(time: Time, kind: &'static str) -> Expr {
    let text = time.format("%H:%M:%S%.6f").to_string();
    Func::cast_as(Expr::val(text), Alias::new(kind)).into()
}
