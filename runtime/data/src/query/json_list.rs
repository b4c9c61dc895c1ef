//! Columns that hold a JSON list.

use sea_query::{Expr, ExprTrait};

use super::bind::plain_bound;
use crate::{
    database::Dialect,
    value::{Json, Value},
};

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
