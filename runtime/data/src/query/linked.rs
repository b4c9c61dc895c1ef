//! The rows of a relation, with their link values.

use sea_query::{
    Alias, Condition, Expr, ExprTrait, Func, IntoColumnRef, JoinType, Order, OverStatement,
    Query as Statement, SelectStatement, WindowStatement,
};

use super::{
    Selection,
    bind::{bound, of_kind, plain_bound},
};
use crate::{
    database::{Db, Dialect, Row},
    error::Result,
    model::Schema,
    relations::{Link, Morph, Pivot, RelationInfo},
    value::Value,
};

/// Names that no column has.
const LINK: &str = "formwork_link";
const LINKS: &str = "formwork_links";
const RANK: &str = "formwork_rank";

/// The rows of a relation's target that belong to some records.
pub struct Linked<'a> {
    /// The relation.
    pub info: &'a RelationInfo,
    /// The values that link the records.
    pub keys: Vec<Value>,
}

impl Linked<'_> {
    /// Whether the link value of a row is a JSON array of values.
    pub fn is_grouped(&self) -> bool {
        matches!(self.info.link, Link::Pivot(..)) && !self.info.first
    }

    /// The values, each of the type that the column has which they are compared with.
    fn bound(&self, schema: &Schema) -> Vec<Expr> {
        let keys = self.keys.iter().cloned();
        match &self.info.link {
            Link::Key(column) => keys
                .map(|key| bound(schema, column.unwrap_or(schema.key), key))
                .collect(),
            Link::Foreign(column) => keys.map(|key| bound(schema, column, key)).collect(),
            // Columns outside of the model: they hold the record's own key.
            Link::Morph(_) | Link::Pivot(..) => {
                let kind = self.info.own_key;
                keys.map(|key| plain_bound(of_kind(kind, key)).into())
                    .collect()
            }
        }
    }
}

impl Selection {
    /// The rows of a relation, with the value that links them behind the columns; with a list of
    /// such values where a row may belong to several records ([`Linked::is_grouped`]).
    ///
    /// # Errors
    /// The database's error.
    #[doc(hidden)]
    pub async fn linked_rows(&self, db: &Db, linked: &Linked<'_>) -> Result<Vec<Row>> {
        let dialect = db.dialect();
        let (sql, values) = self.bounded(dialect, &self.select_linked(dialect, linked));
        Ok(db.fetch(sql, values).await?)
    }

    fn select_linked(&self, dialect: Dialect, linked: &Linked<'_>) -> SelectStatement {
        let info = linked.info;
        let mut select = self.select(dialect);
        let link = match &info.link {
            Link::Key(column) => Expr::col((self.schema.table, column.unwrap_or(self.schema.key))),
            Link::Foreign(column) => Expr::col((self.schema.table, *column)),
            Link::Morph(morph) => {
                let kind = Expr::col((self.schema.table, Alias::new(morph.type_column())));
                select.and_where(kind.eq(morph.word));
                Expr::col((self.schema.table, Alias::new(morph.id_column())))
            }
            // The model's key may be no primary key.
            Link::Pivot(pivot, morph) if linked.is_grouped() && dialect.groups_by_primary_key() => {
                self.join_groups(&mut select, linked, dialect);
                select.order_by((self.schema.table, self.schema.key), Order::Asc);
                return select;
            }
            Link::Pivot(pivot, morph) => {
                let other = Expr::col((pivot.table, pivot.other));
                let mut on =
                    Condition::all().add(other.equals((self.schema.table, self.schema.key)));
                if let Some(kind) = kind_of(pivot, *morph) {
                    on = on.add(kind);
                }
                select.inner_join(pivot.table, on);
                Expr::col((pivot.table, pivot.own))
            }
        };
        select.and_where(link.clone().is_in(linked.bound(self.schema)));
        if info.first {
            return self.first_of_each(dialect, select, link);
        }
        if linked.is_grouped() {
            // A row is read once, however many records it belongs to.
            select.expr_as(Func::cust(dialect.json_array()).arg(link), LINK);
            select.group_by_col((self.schema.table, self.schema.key));
        } else {
            select.expr_as(link, LINK);
        }
        select.order_by((self.schema.table, self.schema.key), Order::Asc);
        select
    }

    /// Joins the links of the records, which are grouped before.
    fn join_groups(&self, select: &mut SelectStatement, linked: &Linked<'_>, dialect: Dialect) {
        let Link::Pivot(pivot, morph) = linked.info.link else {
            return;
        };
        let own = Expr::col((pivot.table, pivot.own));
        let mut groups = Statement::select();
        groups
            .column((pivot.table, pivot.other))
            .expr_as(Func::cust(dialect.json_array()).arg(own.clone()), LINK)
            .from(pivot.table)
            .and_where(own.is_in(linked.bound(self.schema)))
            .and_where_option(kind_of(&pivot, morph))
            .group_by_col((pivot.table, pivot.other));
        let on = Expr::col((LINKS, pivot.other)).equals((self.schema.table, self.schema.key));
        select
            .join_subquery(JoinType::InnerJoin, groups, LINKS, on)
            .column((LINKS, LINK));
    }

    /// Of the rows with one link, the first in the query's order.
    fn first_of_each(
        &self,
        dialect: Dialect,
        mut rows: SelectStatement,
        link: Expr,
    ) -> SelectStatement {
        let mut window = WindowStatement::new();
        window.add_partition_by(link.clone());
        self.arrange(dialect, &mut window);
        window.order_by((self.schema.table, self.schema.key), Order::Asc);
        rows.clear_order_by().expr_as(link, LINK);
        rows.expr_window_as(Func::cust("ROW_NUMBER"), window, RANK);
        let columns = self.schema.columns.iter().map(|info| info.name);
        let mut first = Statement::select();
        first
            .columns(columns.chain([LINK]))
            .from_subquery(rows, self.schema.table);
        first.and_where(RANK.into_column_ref().eq(1));
        first
    }
}

/// The condition that a link is one of this kind of record, where several kinds share the table.
fn kind_of(pivot: &Pivot, morph: Option<Morph>) -> Option<Expr> {
    let morph = morph?;
    let kind = Expr::col((pivot.table, Alias::new(morph.type_column())));
    Some(kind.eq(morph.word))
}
