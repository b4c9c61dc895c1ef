//! The kinds of databases: what each is called, and which SQL it speaks.

use super::dialect::Dialect;
use super::sqlite::Sqlite;
use crate::project::Database;

/// A database as folders, manifests and the runtime's `Migration` name it.
pub fn database_name(database: Database) -> &'static str {
    match database {
        Database::Sqlite => "sqlite",
        Database::Postgres => "postgres",
        Database::Mysql => "mysql",
    }
}

/// The dialect of a database; `None` where it is not written yet.
pub(crate) fn dialect(database: Database) -> Option<&'static dyn Dialect> {
    match database {
        Database::Sqlite => Some(&Sqlite),
        Database::Postgres | Database::Mysql => None,
    }
}
