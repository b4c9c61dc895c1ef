//! The text of a statement.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The text of a statement, with `?` for its values.
///
/// The text never holds values: everything a client sends is bound.
#[derive(Debug, Clone)]
pub struct Sql(pub SqlStr);

impl Sql {
    /// Checks whether it may change rows. A statement that only reads may be taken for one that
    /// writes: it waits for its permit, and runs all the same.
    pub(super) fn may_write(&self) -> bool {
        let text = self.0.as_str().trim_start().to_ascii_uppercase();
        let writes = ["INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE"];
        let only_reads = text.starts_with("SELECT")
            || text.starts_with("WITH") && !writes.iter().any(|word| text.contains(word));
        !only_reads
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_write_are_known_by_their_first_word() {
        for reads in [
            "SELECT 1",
            "  select deleted FROM menus",
            "WITH a AS (SELECT 1) SELECT b FROM a",
        ] {
            assert!(!Sql::from(reads).may_write(), "{reads}");
        }
        for writes in [
            "INSERT INTO a VALUES (1) RETURNING id",
            "update a SET b = 1",
            "WITH a AS (SELECT 1) DELETE FROM b",
            "/* SELECT */ DELETE FROM b",
            "CREATE TABLE a (b)",
        ] {
            assert!(Sql::from(writes).may_write(), "{writes}");
        }
    }
}
