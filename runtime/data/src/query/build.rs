//! From a query to SQL.

use sea_query::{
    Alias, Condition, Expr, ExprTrait, Func, IntoColumnRef, Order, OverStatement,
    Query as Statement, QueryStatementBuilder, QueryStatementWriter, SelectStatement,
    Value as Bound, WindowStatement,
};

use super::{
    Query,
    bind::{bound, of_kind, plain_bound, unbound},
};
use crate::{
    database::{Dialect, LIMIT, OFFSET, Sql},
    error::Result,
    model::{Model, Schema},
    relations::{Link, RelationInfo},
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

/// A number of rows; larger ones than any table has are as good as the largest.
pub(super) fn rows_value(rows: u64) -> Value {
    Value::Int(i64::try_from(rows).unwrap_or(i64::MAX))
}

/// The rows of a relation's target that belong to some records.
pub struct Linked<'a> {
    /// The relation.
    pub info: &'a RelationInfo,
    /// The values that link the records.
    pub keys: Vec<Value>,
}

impl Linked<'_> {
    /// Whether what links a row is a JSON array of values.
    pub fn is_grouped(&self) -> bool {
        matches!(self.info.link, Link::Pivot(..)) && !self.info.first
    }

    /// The values, each of the type that the column has which they are compared with.
    fn bound<M: Model>(&self) -> Vec<Bound> {
        let keys = self.keys.iter().cloned();
        match &self.info.link {
            Link::Key(column) => keys
                .map(|key| bound::<M>(column.unwrap_or(M::KEY), key))
                .collect(),
            Link::Foreign(column) => keys.map(|key| bound::<M>(column, key)).collect(),
            // Columns of no model: they hold what the record's own key is.
            Link::Morph(_) | Link::Pivot(..) => {
                let kind = self.info.own_key;
                keys.map(|key| plain_bound(of_kind(kind, key))).collect()
            }
        }
    }
}

impl<M: Model> Query<M> {
    /// SELECT of all columns, in the order of the model.
    pub(super) fn select(&self) -> SelectStatement {
        let mut select = Statement::select();
        let columns = Schema::of::<M>().columns.iter();
        select
            .columns(columns.map(|info| (M::TABLE, info.name)))
            .from(M::TABLE);
        self.constrain(&mut select);
        self.arrange(&mut select);
        select
    }

    /// As [`Query::select`] in an order without ties, with the number of all rows behind the
    /// columns.
    pub(super) fn select_page(&self) -> SelectStatement {
        let mut select = self.select();
        let count = self.select_count();
        select.expr(Expr::SubQuery(
            None,
            Box::new(count.into_sub_query_statement()),
        ));
        select.order_by((M::TABLE, M::KEY), Order::Asc);
        select
    }

    /// SELECT COUNT(*), without limit.
    pub(super) fn select_count(&self) -> SelectStatement {
        let mut select = Statement::select();
        select.expr(Expr::cust("COUNT(*)")).from(M::TABLE);
        self.constrain(&mut select);
        select
    }

    pub(super) fn constrain(&self, select: &mut SelectStatement) {
        if !self.conditions.is_empty() {
            select.cond_where(self.conditions.clone());
        }
    }

    fn arrange(&self, select: &mut SelectStatement) {
        for (expr, order) in &self.order {
            select.order_by_expr(expr.clone(), order.clone());
        }
    }

    /// A SELECT of this query within its limit and offset.
    pub fn bounded(&self, dialect: Dialect, select: &SelectStatement) -> (Sql, Vec<Value>) {
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
            text.push_str(LIMIT);
            values.push(rows_value(limit.unwrap_or(u64::MAX)));
        }
        if let Some(offset) = self.offset {
            text.push_str(OFFSET);
            values.push(rows_value(offset));
        }
        (Sql::from(text), values)
    }

    /// The rows of a relation, with the value that links them behind the columns; with a list of
    /// such values where a row may belong to several records ([`Linked::is_grouped`]).
    ///
    /// # Errors
    /// None today.
    pub fn select_linked(&self, dialect: Dialect, linked: &Linked<'_>) -> Result<SelectStatement> {
        let info = linked.info;
        let mut select = self.select();
        let link = match &info.link {
            Link::Key(column) => Expr::col((M::TABLE, column.unwrap_or(M::KEY))),
            Link::Foreign(column) => Expr::col((M::TABLE, *column)),
            Link::Morph(morph) => {
                let kind = Expr::col((M::TABLE, Alias::new(morph.type_column())));
                select.and_where(kind.eq(morph.word));
                Expr::col((M::TABLE, Alias::new(morph.id_column())))
            }
            Link::Pivot(pivot, morph) => {
                let other = Expr::col((pivot.table, pivot.other));
                let mut on = Condition::all().add(other.equals((M::TABLE, M::KEY)));
                if let Some(morph) = morph {
                    let kind = Expr::col((pivot.table, Alias::new(morph.type_column())));
                    on = on.add(kind.eq(morph.word));
                }
                select.inner_join(pivot.table, on);
                Expr::col((pivot.table, pivot.own))
            }
        };
        select.and_where(link.clone().is_in(linked.bound::<M>()));
        if info.first {
            return Ok(self.first_of_each(select, link));
        }
        if linked.is_grouped() {
            // A row is read once, however many records it belongs to.
            select.expr_as(Func::cust(dialect.json_array()).arg(link), LINK);
            select.group_by_col((M::TABLE, M::KEY));
        } else {
            select.expr_as(link, LINK);
        }
        select.order_by((M::TABLE, M::KEY), Order::Asc);
        Ok(select)
    }

    /// Of the rows with one link, the first in the query's order.
    fn first_of_each(&self, mut rows: SelectStatement, link: Expr) -> SelectStatement {
        let mut window = WindowStatement::new();
        window.add_partition_by(link.clone());
        for (expr, order) in &self.order {
            window.order_by_expr(expr.clone(), order.clone());
        }
        window.order_by((M::TABLE, M::KEY), Order::Asc);
        rows.clear_order_by().expr_as(link, LINK);
        rows.expr_window_as(Func::cust("ROW_NUMBER"), window, RANK);
        let columns = Schema::of::<M>().columns.iter().map(|info| info.name);
        let mut first = Statement::select();
        first
            .columns(columns.chain([LINK]))
            .from_subquery(rows, M::TABLE);
        first.and_where(RANK.into_column_ref().eq(1));
        first
    }
}

/// Names that no column has.
const LINK: &str = "formwork_link";
const RANK: &str = "formwork_rank";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Columns;

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
        let mut query = Query::<Plate>::new();
        query.eq("id", 7_i64).limit(20).offset(40);
        let written = |limit| {
            let (sql, values) = query.limited(Dialect::Sqlite, &query.select(), limit);
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
        let page = &Schema::of::<Plate>().sql.page;
        assert!(page.ends_with(" LIMIT ? + 0 OFFSET ? + 0"), "{page}");
    }
}
