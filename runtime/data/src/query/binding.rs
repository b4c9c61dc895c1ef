//! Rows that a relation binds to records with known keys.

use sea_query::{Alias, Condition, Expr, ExprTrait, Query as Statement, SelectStatement};

use super::{
    Query, Selection,
    bind::{bound, plain_bound},
};
use crate::{
    error::{Error, Result},
    model::{Model, Schema, described},
    relations::{Binding, Morph, Pivot},
    value::Value,
};

impl<M: Model> Query<M> {
    /// Only rows that this relation links to a record with one of these keys: `menus` with
    /// `query.linked("locations", [1, 2])?`. The relation leads to one record by a column, or to
    /// several by a table between. Its conditions, order and limit are not considered.
    ///
    /// # Errors
    /// 500 where the model has no such relation, or one of another kind.
    pub fn linked<V: Into<Value>>(
        &mut self,
        relation: &str,
        keys: impl IntoIterator<Item = V>,
    ) -> Result<&mut Self> {
        let (linked, _) = self.bindings(relation, keys)?;
        self.selection.filter(linked);
        Ok(self)
    }

    /// As [`Query::linked`], and rows that the relation links to no record at all.
    ///
    /// # Errors
    /// As [`Query::linked`].
    pub fn linked_or_none<V: Into<Value>>(
        &mut self,
        relation: &str,
        keys: impl IntoIterator<Item = V>,
    ) -> Result<&mut Self> {
        let (linked, none) = self.bindings(relation, keys)?;
        self.selection
            .filter(Condition::any().add(linked).add(none));
        Ok(self)
    }

    /// The conditions that a row is linked to one of these, and that it is linked to none.
    fn bindings<V: Into<Value>>(
        &self,
        relation: &str,
        keys: impl IntoIterator<Item = V>,
    ) -> Result<(Expr, Expr)> {
        let relations = &described::<M>().relations;
        let found = relations.iter().find(|it| it.info.name == relation);
        let binding = found.and_then(|relation| relation.info.binding());
        let binding = binding.ok_or_else(|| {
            let table = M::TABLE;
            Error::internal(format!(
                "the relation `{relation}` of `{table}` has neither a column nor a pivot table"
            ))
        })?;
        let keys = keys.into_iter().map(Into::into).collect();
        Ok(conditions(&self.selection, binding, keys))
    }
}

fn conditions(selection: &Selection, binding: Binding, keys: Vec<Value>) -> (Expr, Expr) {
    let schema = selection.schema();
    match binding {
        Binding::Column(name) => {
            let keys = keys.into_iter().map(|key| bound(schema, name, key));
            let column = selection.column(name);
            (column.clone().is_in(keys), column.is_null())
        }
        Binding::Pivot(pivot, morph) => {
            let links = links(schema, pivot, morph);
            let mut linked = links.clone();
            linked.and_where(is_one_of(Expr::col((pivot.table, pivot.other)), keys));
            (Expr::exists(linked), Expr::exists(links).not())
        }
    }
}

/// The other side's model is not known here, and so is not the type of its key: where keys are texts, as
/// clients write them, the texts of both are compared.
fn is_one_of(column: Expr, keys: Vec<Value>) -> Expr {
    let keys = keys.into_iter().filter(|key| !key.is_null());
    let keys: Vec<Value> = keys.collect();
    if keys.iter().any(|key| matches!(key, Value::Text(_))) {
        let texts = keys.iter().map(|key| key.to_string());
        return Expr::cust_with_exprs("(? || '')", [column]).is_in(texts);
    }
    column.is_in(keys.into_iter().map(plain_bound))
}

/// A row's links, to whichever record.
fn links(schema: &Schema, pivot: Pivot, morph: Option<Morph>) -> SelectStatement {
    let mut links = Statement::select();
    links
        .expr(Expr::cust("1"))
        .from(pivot.table)
        .and_where(Expr::col((pivot.table, pivot.own)).equals((schema.table, schema.key)));
    if let Some(morph) = morph {
        let kind = Expr::col((pivot.table, Alias::new(morph.type_column())));
        links.and_where(kind.eq(morph.word));
    }
    links
}
