//! Values of rows in comparisons, as the database has them.

use sea_query::{Alias, Expr, ExprTrait, Func, Value as Bound};

use super::Dialect;
use crate::value::{Json, Time, Value};

/// The position of an enum's word, or the bits of a set; null for other types.
const POSITION: &str = "CASE WHEN (SELECT DATA_TYPE FROM information_schema.COLUMNS \
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME = ?) IN ('enum', 'set') \
    THEN CAST(? AS SIGNED) END";

impl Dialect {
    /// The number that texts of a column are ordered by, if the column is an enum: on MariaDB and
    /// MySQL it is the position of its word.
    pub(crate) fn text_position(self, table: &'static str, name: &'static str) -> Option<Expr> {
        let names = [table, name].map(Expr::val).into_iter();
        let parts = names.chain([Expr::col((table, name)).add(0)]);
        (self == Self::Mysql).then(|| Expr::cust_with_exprs(POSITION, parts))
    }

    /// The text of a day or a moment, if the driver reads one of zeros as null.
    pub(crate) fn zeros_text(self, column: Expr) -> Option<Expr> {
        let text = Func::cast_as(column, Alias::new("char"));
        (self == Self::Mysql).then(|| text.into())
    }

    /// A column of texts for a comparison with this value: with a number it is an enum.
    pub(crate) fn text_column(self, column: Expr, value: &Value) -> Expr {
        match (self, value) {
            (Self::Mysql, Value::Int(_)) => column.add(0),
            _ => column,
        }
    }

    /// A text that has the type of the column that it is compared with.
    pub(crate) fn text_value(self, text: &str) -> Value {
        match self {
            Self::Postgres => Value::Label(text.to_owned()),
            Self::Sqlite | Self::Mysql => Value::Text(text.to_owned()),
        }
    }

    /// A text of JSON for a comparison.
    pub(crate) fn json_value(self, text: &str) -> Expr {
        let value = Expr::val(text);
        match self {
            Self::Postgres => Func::cast_as(value, Alias::new("jsonb")).into(),
            Self::Sqlite | Self::Mysql => value,
        }
    }

    /// A time with its fraction: as a value of its own it would be in whole seconds.
    pub(crate) fn time_value(self, time: Time) -> Expr {
        let text = Expr::val(time.format("%H:%M:%S%.6f").to_string());
        let kind = match self {
            Self::Sqlite => return text,
            Self::Postgres => "time",
            Self::Mysql => "time(6)",
        };
        Func::cast_as(text, Alias::new(kind)).into()
    }

    /// Whether rows are grouped by their primary key alone, not by another key of theirs.
    pub(crate) const fn groups_by_primary_key(self) -> bool {
        matches!(self, Self::Postgres)
    }
}

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
