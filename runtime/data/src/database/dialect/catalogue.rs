//! Statements that read a database's tables.

use super::Dialect;
use crate::database::quoted;

impl Dialect {
    /// The names of all tables.
    pub(in crate::database) const fn tables(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"
            }
            Self::Postgres => {
                "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
            }
            Self::Mysql => {
                "SELECT TABLE_NAME FROM information_schema.TABLES \
                 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'"
            }
        }
    }

    /// The columns of a table but computed ones, a row for each: name and type. The parameter is the
    /// table's name.
    pub(in crate::database) const fn column_types(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT name, upper(type) FROM pragma_table_info(?)",
            Self::Postgres => {
                "SELECT column_name::text, upper(data_type::text) FROM information_schema.columns \
                 WHERE table_schema = current_schema() AND table_name = ? \
                 AND is_generated = 'NEVER' ORDER BY ordinal_position"
            }
            Self::Mysql => {
                "SELECT COLUMN_NAME, UPPER(COLUMN_TYPE) FROM information_schema.COLUMNS \
                 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? \
                 AND COALESCE(GENERATION_EXPRESSION, '') = '' ORDER BY ORDINAL_POSITION"
            }
        }
    }

    /// The columns of a table with their types and sizes, a row for each, where a refused value is not
    /// told by its column. The parameter is the table's name.
    pub(in crate::database) const fn full_types(self) -> Option<&'static str> {
        match self {
            Self::Sqlite | Self::Mysql => None,
            Self::Postgres => Some(
                "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute \
                 WHERE attrelid = to_regclass(quote_ident(?)) AND attnum > 0 AND NOT attisdropped",
            ),
        }
    }

    /// Lets a column that counts go on above its largest value, where the database does not by itself;
    /// `{table}` and `{column}` are quoted names, the parameters the same names without quotes. A column
    /// that does not count stays as it is.
    pub(crate) const fn continue_counting(self) -> Option<&'static str> {
        match self {
            Self::Sqlite | Self::Mysql => None,
            Self::Postgres => Some(
                "SELECT setval(pg_get_serial_sequence(quote_ident(?), ?)::regclass, \
                 (SELECT max({column}) FROM {table}))",
            ),
        }
    }

    /// The end of an INSERT that names the number of its row: the column of the key goes on counting
    /// above it. SQLite and MariaDB do so by themselves. A column that does not count stays as it is.
    pub(crate) fn counting_above(self, key: &str) -> Option<String> {
        if self != Self::Postgres {
            return None;
        }
        let (column, text) = (quoted(key), key.replace('\'', "''"));
        Some(format!(
            "RETURNING (SELECT setval(sequence, {column}) FROM \
             (SELECT pg_get_serial_sequence(tableoid::regclass::text, '{text}')::regclass AS sequence) AS counted \
             WHERE {column} > COALESCE(pg_sequence_last_value(sequence), 0) \
             AND has_sequence_privilege(sequence, 'UPDATE'))"
        ))
    }

    /// Rows where there is a table; its parameter is the table's name.
    pub(in crate::database) const fn has_table(self) -> &'static str {
        match self {
            Self::Sqlite => "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
            Self::Postgres => "SELECT 1 WHERE to_regclass(quote_ident(?)) IS NOT NULL",
            Self::Mysql => {
                "SELECT 1 FROM information_schema.TABLES \
                 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?"
            }
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
            Self::Mysql => {
                "SELECT COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME \
                 FROM information_schema.KEY_COLUMN_USAGE \
                 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? \
                 AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY ORDINAL_POSITION"
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
            // Computed columns are not written.
            Self::Mysql => {
                "SELECT c.COLUMN_NAME, \
                 CASE WHEN c.NUMERIC_PRECISION IS NULL THEN UPPER(c.DATA_TYPE) ELSE 'INTEGER' END, \
                 c.IS_NULLABLE = 'YES', c.COLUMN_DEFAULT IS NOT NULL AND c.COLUMN_DEFAULT <> 'NULL', \
                 k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME \
                 FROM information_schema.COLUMNS c \
                 LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = DATABASE() \
                 AND k.TABLE_NAME = ? AND k.COLUMN_NAME = c.COLUMN_NAME \
                 AND k.REFERENCED_TABLE_NAME IS NOT NULL \
                 WHERE c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME = ? AND c.COLUMN_KEY <> 'PRI' \
                 AND COALESCE(c.GENERATION_EXPRESSION, '') = '' ORDER BY c.ORDINAL_POSITION"
            }
        }
    }
}
