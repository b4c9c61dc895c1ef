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

    /// As [`OwnTables::in_sql`]. Texts in single quotes and comments stay as they are.
    pub fn in_text<'t>(&self, sql: &'t str) -> Cow<'t, str> {
        let Some(prefix) = &self.0 else {
            return sql.into();
        };
        let (mut named, mut rest) = (String::with_capacity(sql.len() + 32), sql);
        while let Some(at) = rest.find(['"', '\'', '-', '/']) {
            let (before, from) = rest.split_at(at);
            let (piece, after) = from.split_at(length(from));
            named.push_str(before);
            let name = piece.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            match name.filter(|name| is_own(name)) {
                Some(name) => named.extend(["\"", prefix, name, "\""]),
                None => named.push_str(piece),
            }
            rest = after;
        }
        named.push_str(rest);
        match named.len() == sql.len() {
            true => sql.into(),
            false => named.into(),
        }
    }
}

fn is_own(name: &str) -> bool {
    RUNTIME.contains(&name) || INDEXES.contains(&name)
}

/// The length of the name, text or comment that a statement goes on with; else 1.
fn length(sql: &str) -> usize {
    let until = |start: usize, end: &str| {
        let found = sql[start..].find(end);
        found.map_or(sql.len(), |at| start + at + end.len())
    };
    match sql.as_bytes() {
        [b'-', b'-', ..] => until(2, "\n"),
        [b'/', b'*', ..] => until(2, "*/"),
        [b'"', ..] => until(1, "\""),
        [b'\'', ..] => until(1, "'"),
        _ => 1,
    }
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
                "UPDATE \"api_tokens\" SET \"name\" = 'it''s \"api_tokens\"'",
                "UPDATE \"fw_api_tokens\" SET \"name\" = 'it''s \"api_tokens\"'",
            ),
            (
                "-- the user's \"admin_users\"\nCREATE INDEX \"api_tokens_account_index\" /* ' */ ON \"api_tokens\" (a)",
                "-- the user's \"admin_users\"\nCREATE INDEX \"fw_api_tokens_account_index\" /* ' */ ON \"fw_api_tokens\" (a)",
            ),
            (
                "SELECT \"admin_users\".\"x\" FROM \"admin_users\", \"api_tokens_more\"",
                "SELECT \"fw_admin_users\".\"x\" FROM \"fw_admin_users\", \"api_tokens_more\"",
            ),
            ("SELECT '", "SELECT '"),
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
