//! The kinds of databases: what each is called, and which SQL it speaks.

use super::dialect::Dialect;
use super::mysql::Mysql;
use super::postgres::Postgres;
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

/// The database of this name.
pub fn database_named(name: &str) -> Option<Database> {
    let all = [Database::Sqlite, Database::Postgres, Database::Mysql];
    all.into_iter().find(|one| database_name(*one) == name)
}

/// The dialect of a database.
pub(crate) fn dialect(database: Database) -> &'static dyn Dialect {
    match database {
        Database::Sqlite => &Sqlite,
        Database::Postgres => &Postgres,
        Database::Mysql => &Mysql,
    }
}
