//! SQL of the runtime's own tables: a file for each dialect.

use super::Dialect;

impl Dialect {
    /// The table of migrations. Two branches may make two migrations in one second: the name
    /// distinguishes them.
    ///
    /// A row of MariaDB or MySQL without `applied_at` is of a migration that has not ended; of its
    /// statements `statements_done` are done.
    pub(crate) const fn migrations_table(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgres => {
                "CREATE TABLE IF NOT EXISTS \"formwork_migrations\" (
    version BIGINT NOT NULL,
    name TEXT NOT NULL,
    extension TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    PRIMARY KEY (extension, version, name)
)"
            }
            // A text in a key has a length: of these two, at most 3072 bytes.
            Self::Mysql => {
                "CREATE TABLE IF NOT EXISTS \"formwork_migrations\" (
    version BIGINT NOT NULL,
    name VARCHAR(255) NOT NULL,
    extension VARCHAR(255) NOT NULL,
    applied_at VARCHAR(40),
    statements_done BIGINT NOT NULL,
    PRIMARY KEY (extension, version, name)
)"
            }
        }
    }
}

impl Dialect {
    /// The rows of that table: extension, version, name, when it was applied, and how many statements
    /// are done.
    pub(crate) const fn known_migrations(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgres => {
                "SELECT extension, version, name, applied_at, CAST(0 AS BIGINT) FROM \"formwork_migrations\""
            }
            Self::Mysql => {
                "SELECT extension, version, name, applied_at, statements_done FROM \"formwork_migrations\""
            }
        }
    }

    /// Switches off notices until the end of a transaction: PostgreSQL sends one for a table that exists.
    pub(in crate::database) const fn without_notices(self) -> Option<&'static str> {
        match self {
            Self::Sqlite | Self::Mysql => None,
            Self::Postgres => Some("SET LOCAL client_min_messages TO warning"),
        }
    }

    /// Makes runners wait for each other; SQLite has one writer at a time. An advisory lock of
    /// PostgreSQL would be waited for with a snapshot that is older than what the other runner
    /// commits, where transactions are repeatable reads.
    pub(in crate::database) const fn lock_migrations(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => {
                Some("LOCK TABLE \"formwork_migrations\" IN SHARE ROW EXCLUSIVE MODE")
            }
            // The name is the database's. It is waited for longer than other programs wait.
            Self::Mysql => Some("SELECT GET_LOCK(CONCAT('formwork ', MD5(DATABASE())), 3600)"),
        }
    }
}

/// The texts of `migrations/<dialect>/<version>_<name>.sql` in the crate that names them.
#[doc(hidden)]
#[macro_export]
macro_rules! sql_files {
    ($version:literal, $name:literal) => {
        &[
            $crate::sql_files!("sqlite", $version, $name),
            $crate::sql_files!("postgres", $version, $name),
            $crate::sql_files!("mysql", $version, $name),
        ]
    };
    ($dialect:literal, $version:literal, $name:literal) => {
        (
            $dialect,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/migrations/",
                $dialect,
                "/",
                $version,
                "_",
                $name,
                ".sql"
            )),
        )
    };
}
