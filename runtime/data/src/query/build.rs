//! From a query to SQL.

use sea_query::{
    ConditionalStatement, Expr, Order, Query as Statement, QueryStatementBuilder,
    QueryStatementWriter, SelectStatement,
};

use super::{Selection, bind::unbound, selection::direction};
use crate::{
    database::{Dialect, Sql},
    value::Value,
};

/// The text and the values of a statement in a database's SQL.
pub fn statement(dialect: Dialect, statement: &impl QueryStatementWriter) -> (Sql, Vec<Value>) {
    let (text, values) = written(dialect, statement);
    (Sql::from(text), values)
}

fn written(dialect: Dialect, statement: &impl QueryStatementWriter) -> (String, Vec<Value>) {
    let (text, values) = dialect.build(statement);
    (text, values.into_iter().map(unbound).collect())
}

/// A number of rows; larger numbers than any table has count as the largest.
pub(super) fn rows_value(rows: u64) -> Value {
    Value::Int(i64::try_from(rows).unwrap_or(i64::MAX))
}

impl Selection {
    /// SELECT of all columns, in the order of the model.
    pub(super) fn select(&self, dialect: Dialect) -> SelectStatement {
        let mut select = Statement::select();
        let columns = self.schema.columns.iter();
        select
            .columns(columns.map(|info| (self.schema.table, info.name)))
            .from(self.schema.table);
        self.constrain(dialect, &mut select);
        self.arrange(dialect, &mut select);
        select
    }

    /// As [`Query::select`] in an order without ties, with the number of all rows behind the
    /// columns. The key breaks ties, in the direction of the first sort key: so `-created_at` shows
    /// the latest of one moment first.
    pub(super) fn select_page(&self, dialect: Dialect) -> SelectStatement {
        let mut select = self.select(dialect);
        let count = self.select_count(dialect);
        select.expr(Expr::SubQuery(
            None,
            Box::new(count.into_sub_query_statement()),
        ));
        let first = self.order.first().map(|term| &term.order);
        let descending = matches!(first, Some(Order::Desc));
        let key = (self.schema.table, self.schema.key);
        select.order_by(key, direction(descending));
        select
    }

    /// SELECT COUNT(*), without limit.
    pub(super) fn select_count(&self, dialect: Dialect) -> SelectStatement {
        let mut select = Statement::select();
        select.expr(Expr::cust("COUNT(*)")).from(self.schema.table);
        self.constrain(dialect, &mut select);
        select
    }

    pub(super) fn constrain(&self, dialect: Dialect, rows: &mut impl ConditionalStatement) {
        if self.is_narrowed() {
            rows.cond_where(self.conditions(dialect));
        }
    }

    /// A SELECT of this query within its limit and offset.
    pub(super) fn bounded(&self, dialect: Dialect, select: &SelectStatement) -> (Sql, Vec<Value>) {
        self.limited(dialect, select, self.limit)
    }

    /// A SELECT of this query with another limit.
    pub(super) fn limited(
        &self,
        dialect: Dialect,
        select: &SelectStatement,
        limit: Option<u64>,
    ) -> (Sql, Vec<Value>) {
        let (mut text, mut values) = written(dialect, select);
        if limit.is_some() || self.offset.is_some() {
            // Some databases know OFFSET behind a LIMIT only.
            text.push_str(dialect.limit());
            values.push(rows_value(limit.unwrap_or(u64::MAX)));
        }
        if let Some(offset) = self.offset {
            text.push_str(dialect.offset());
            values.push(rows_value(offset));
        }
        if self.for_update {
            text.push_str(dialect.for_update());
        }
        (Sql::from(text), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        column::Columns,
        error::Result,
        model::{Model, Schema},
        query::Query,
    };

    #[derive(Debug, Clone, Default, serde::Serialize)]
    struct Plate {
        id: i64,
    }

    impl Model for Plate {
        type Key = i64;

        const TABLE: &'static str = "plates";
        const KEY: &'static str = "id";

        fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
            to.key("id", &mut self.id)
        }
    }

    #[test]
    fn statements_are_not_planned_by_the_value_of_their_limit() {
        let query = Query::<Plate>::new().eq("id", 7_i64).limit(20).offset(40);
        let written = |limit| {
            let select = query.selection().select(Dialect::Sqlite);
            let (sql, values) = query.selection().limited(Dialect::Sqlite, &select, limit);
            (sql.0.as_str().to_owned(), values)
        };
        let (sql, values) = written(Some(20));
        assert!(sql.ends_with(" LIMIT ? + 0 OFFSET ? + 0"), "{sql}");
        assert_eq!(values, [7, 20, 40].map(Value::Int));
        assert_eq!(written(Some(1)).0, sql, "one statement for every limit");
        assert_eq!(
            written(None).1[1],
            Value::Int(i64::MAX),
            "no OFFSET without one"
        );
        let page = Schema::of::<Plate>().sql.page(Dialect::Sqlite);
        assert!(page.ends_with(" LIMIT ? + 0 OFFSET ? + 0"), "{page}");
    }
}
