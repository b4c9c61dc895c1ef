//! Items of JSON lists.

use sea_query::{Expr, Value as Bound};

use super::Dialect;
use crate::value::Json;

impl Dialect {
    /// Whether a column, which holds a JSON list, has an item: `item` as a value, and as JSON.
    pub(crate) fn has_item(self, column: Expr, item: Expr, json: Json) -> Expr {
        match self {
            Self::Sqlite => {
                let sql = "EXISTS (SELECT 1 FROM json_each(?) AS item \
                           WHERE item.type IN (?, ?) AND item.value = ?)";
                let [one, other] = types(&json).map(Expr::val);
                Expr::cust_with_exprs(sql, [column, one, other, item])
            }
            Self::Postgres => {
                let sql = "(jsonb_typeof(?) = 'array' AND ? @> ?)";
                let json = Bound::Json(Some(Box::new(json)));
                Expr::cust_with_exprs(sql, [column.clone(), column, json.into()])
            }
            Self::Mysql => {
                let item = Expr::val(json.to_string());
                let [a, b, c, d] = std::array::from_fn(|_| column.clone());
                Expr::cust_with_exprs(MYSQL, [a, b, item.clone(), c, d, column, item])
            }
        }
    }
}

/// `JSON_CONTAINS` finds an item of a list within the list as well, so each item is looked at: the
/// lists that may have it are few.
const MYSQL: &str = "(JSON_TYPE(?) = 'ARRAY' AND JSON_CONTAINS(?, ?) AND EXISTS (\
    SELECT 1 FROM JSON_TABLE(?, '$[*]' COLUMNS (nth FOR ORDINALITY)) AS items \
    WHERE JSON_TYPE(JSON_EXTRACT(?, CONCAT('$[', nth - 1, ']'))) <> 'ARRAY' \
    AND JSON_CONTAINS(?, ?, CONCAT('$[', nth - 1, ']'))))";

/// The words of SQLite for the type of such an item: to it, `true` is 1.
fn types(item: &Json) -> [&'static str; 2] {
    match item {
        Json::String(_) => ["text"; 2],
        Json::Bool(_) => ["true", "false"],
        _ => ["integer", "real"],
    }
}
