//! The text of a statement.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The text of a statement, with `?` for its values.
///
/// The text never holds values: everything a client sends is bound.
#[derive(Debug)]
pub struct Sql(pub SqlStr);

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
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names in a statement: `"menu_id", "menu_name"`.
pub fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// A condition for rows with one of so many keys, each a parameter.
pub fn among(column: &str, count: usize) -> String {
    // Not every database accepts an empty list; no value is in a list of NULL.
    let places = if count == 0 {
        "NULL".to_owned()
    } else {
        vec!["?"; count].join(", ")
    };
    format!("{column} IN ({places})")
}

/// In a pattern, it makes the next character literal: `LIKE ? ESCAPE '!'`.
pub const ESCAPE: char = '!';

/// A pattern for `LIKE` with [`ESCAPE`]: it matches texts that contain this one.
pub fn containing(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | ESCAPE) {
            pattern.push(ESCAPE);
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
