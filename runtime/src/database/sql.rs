//! The text of a statement.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The text of a statement, with `?` for its values.
///
/// Values never stand in the text: whatever comes from a client is bound.
#[derive(Debug)]
pub struct Sql(pub(super) SqlStr);

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self(text.into_sql_str())
    }
}

impl From<String> for Sql {
    fn from(text: String) -> Self {
        Self(AssertSqlSafe(text).into_sql_str())
    }
}

impl From<Arc<str>> for Sql {
    fn from(text: Arc<str>) -> Self {
        Self(AssertSqlSafe(text).into_sql_str())
    }
}

impl From<&Arc<str>> for Sql {
    fn from(text: &Arc<str>) -> Self {
        Arc::clone(text).into()
    }
}

/// A name in a statement: `"menus"`.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names in a statement: `"menu_id", "menu_name"`.
pub(crate) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}
