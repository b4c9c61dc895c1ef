//! The names of the runtime's own tables: the one place that puts `database.table_prefix` in front of
//! them. Statements name them without it, in double quotes.

use std::{borrow::Cow, sync::Arc};

use formwork_vocabulary::table::{INDEXES, RUNTIME};

use super::sql::Sql;

/// The prefix of the runtime's tables and of their indexes; cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OwnTables(Option<Arc<str>>);

impl OwnTables {
    /// With this prefix; an empty one is none.
    pub fn new(prefix: &str) -> Self {
        Self((!prefix.is_empty()).then(|| prefix.into()))
    }

    /// The name that a table has in the database.
    pub fn stored<'t>(&self, table: &'t str) -> Cow<'t, str> {
        match &self.0 {
            Some(prefix) if is_own(table) => format!("{prefix}{table}").into(),
            _ => table.into(),
        }
    }

    /// The name that statements have for a table of the database.
    pub fn spoken(&self, table: String) -> String {
        let prefix = self.0.as_deref().unwrap_or_default();
        match table.strip_prefix(prefix) {
            Some(name) if is_own(name) => name.to_owned(),
            _ => table,
        }
    }

    /// The statement with the names that the database knows.
    pub fn in_sql(&self, sql: Sql) -> Sql {
        match self.in_text(sql.0.as_str()) {
            Cow::Borrowed(_) => sql,
            Cow::Owned(text) => text.into(),
        }
    }

    /// Like [`OwnTables::in_sql`], for a text. Values are bound, so a name in quotes is that of a table
    /// or an index.
    pub fn in_text<'t>(&self, sql: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(sql);
        let Some(prefix) = &self.0 else {
            return text;
        };
        for name in RUNTIME.iter().chain(INDEXES) {
            let quoted = format!("\"{name}\"");
            if text.contains(&quoted) {
                text = text.replace(&quoted, &format!("\"{prefix}{name}\"")).into();
            }
        }
        text
    }
}

fn is_own(name: &str) -> bool {
    RUNTIME.contains(&name) || INDEXES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_double_quotes_get_the_prefix() {
        let own = OwnTables::new("fw_");
        for (sql, expected) in [
            ("SELECT 1 - 1 / 2", "SELECT 1 - 1 / 2"),
            (
                "CREATE INDEX \"api_tokens_account_index\" ON \"api_tokens\" (a)",
                "CREATE INDEX \"fw_api_tokens_account_index\" ON \"fw_api_tokens\" (a)",
            ),
            (
                "SELECT \"admin_users\".\"x\" FROM \"admin_users\", \"api_tokens_more\"",
                "SELECT \"fw_admin_users\".\"x\" FROM \"fw_admin_users\", \"api_tokens_more\"",
            ),
        ] {
            assert_eq!(own.in_text(sql), expected);
            assert_eq!(OwnTables::default().in_text(sql), sql);
        }
        assert_eq!(own.stored("api_tokens"), "fw_api_tokens");
        assert_eq!(own.stored("dishes"), "dishes");
        assert_eq!(own.spoken("fw_api_tokens".to_owned()), "api_tokens");
        assert_eq!(own.spoken("fw_dishes".to_owned()), "fw_dishes");
    }
}
