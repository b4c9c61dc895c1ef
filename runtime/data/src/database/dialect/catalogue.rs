//! Statements that read a database's tables.

use super::Dialect;

impl Dialect {
    /// Rows where there is a table; its parameter is the table's name.
    pub(in crate::database) const fn has_table(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
            Self::Postgres => "SELECT 1 WHERE to_regclass(quote_ident(?)) IS NOT NULL",
        }
    }

    /// The foreign keys of a table, a row for each column: it, the table that it leads to, and the
    /// column there. The parameter is the table's name.
    pub(in crate::database) const fn foreign_keys(self) -> &'static str {
        match self {
            // A key without a named target leads to the primary key.
            Self::Sqlite => {
                "SELECT \"from\", \"table\", coalesce(\"to\", 'rowid') FROM pragma_foreign_key_list(?)"
            }
            Self::Postgres => {
                "SELECT own.attname::text, parent.relname::text, target.attname::text \
                 FROM pg_constraint c \
                 CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (own, target) \
                 JOIN pg_attribute own ON own.attrelid = c.conrelid AND own.attnum = k.own \
                 JOIN pg_class parent ON parent.oid = c.confrelid \
                 JOIN pg_attribute target ON target.attrelid = c.confrelid AND target.attnum = k.target \
                 WHERE c.contype = 'f' AND c.conrelid = to_regclass(quote_ident(?))"
            }
        }
    }

    /// The columns of a table but its key, a row for each: name, type, whether it may be null,
    /// whether it has a default, and the table and the column that it leads to. Both parameters are
    /// the table's name.
    pub(in crate::database) const fn columns(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "SELECT c.\"name\", c.\"type\", c.\"notnull\" = 0, c.\"dflt_value\" IS NOT NULL, \
                 f.\"table\", f.\"to\" FROM pragma_table_info(?) c \
                 LEFT JOIN pragma_foreign_key_list(?) f ON f.\"from\" = c.\"name\" WHERE c.\"pk\" = 0"
            }
            Self::Postgres => {
                "SELECT a.attname::text, \
                 CASE WHEN t.typcategory = 'N' THEN 'INTEGER' ELSE upper(t.typname::text) END, \
                 NOT a.attnotnull, a.atthasdef, parent.relname::text, target.attname::text \
                 FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
                 LEFT JOIN pg_constraint f ON f.contype = 'f' AND f.conrelid = a.attrelid \
                 AND f.conkey[1] = a.attnum \
                 LEFT JOIN pg_class parent ON parent.oid = f.confrelid \
                 LEFT JOIN pg_attribute target ON target.attrelid = f.confrelid \
                 AND target.attnum = f.confkey[1] \
                 WHERE a.attrelid = to_regclass(quote_ident(?)) AND a.attnum > 0 AND NOT a.attisdropped \
                 AND a.attnum <> ALL (coalesce((SELECT k.conkey FROM pg_constraint k \
                 WHERE k.contype = 'p' AND k.conrelid = to_regclass(quote_ident(?))), '{}')) \
                 ORDER BY a.attnum"
            }
        }
    }
}
