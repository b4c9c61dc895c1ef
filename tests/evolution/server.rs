//! Databases on servers: PostgreSQL in a schema of its own, MariaDB in a database of its own.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use formwork::data::database::DatabaseOptions;
use formwork_cli::project::Database as Kind;
use formwork_tests::skipped;
use sqlx::{AssertSqlSafe, Connection as _, MySqlConnection, PgConnection, Row as _};

/// A connection to a database of its own.
pub struct Server {
    name: String,
    connection: Connection,
}

enum Connection {
    Postgres(PgConnection),
    Mysql(MySqlConnection),
}

fn url(kind: Kind) -> Option<String> {
    std::env::var(variable(kind)).ok()
}

fn variable(kind: Kind) -> &'static str {
    match kind {
        Kind::Mysql => "FORMWORK_TEST_MYSQL_URL",
        _ => "FORMWORK_TEST_POSTGRES_URL",
    }
}

/// The kinds of servers that the environment names; says once which it does not.
pub fn servers() -> Vec<Kind> {
    static SAID: Once = Once::new();
    let kinds = [Kind::Postgres, Kind::Mysql];
    SAID.call_once(|| {
        for kind in kinds.iter().filter(|kind| url(**kind).is_none()) {
            skipped(&format!("{} is not set", variable(*kind)));
        }
    });
    let named = kinds.into_iter().filter(|kind| url(*kind).is_some());
    named.collect()
}

impl Server {
    pub async fn new(kind: Kind) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("evolution_{}_{number}", std::process::id());
        let url = url(kind).expect("a server");
        let (connection, create) = match kind {
            Kind::Mysql => (
                Connection::Mysql(MySqlConnection::connect(&url).await.expect("MariaDB")),
                [format!("CREATE DATABASE {name}"), format!("USE {name}")],
            ),
            _ => (
                Connection::Postgres(PgConnection::connect(&url).await.expect("PostgreSQL")),
                [
                    format!("CREATE SCHEMA {name}"),
                    format!("SET search_path = {name}"),
                ],
            ),
        };
        let mut server = Self { name, connection };
        for sql in create {
            server.execute(&sql).await.expect("a database of its own");
        }
        server
    }

    /// What the runtime connects with.
    pub fn options(&self) -> DatabaseOptions {
        match self.connection {
            Connection::Postgres(_) => DatabaseOptions {
                search_path: Some(self.name.clone()),
                ..DatabaseOptions::new(url(Kind::Postgres).expect("a server"))
            },
            Connection::Mysql(_) => {
                let server = url(Kind::Mysql).expect("a server");
                let (server, _) = server.rsplit_once('/').expect("an address");
                DatabaseOptions::new(format!("{server}/{}", self.name))
            }
        }
    }

    pub async fn execute(&mut self, sql: &str) -> sqlx::Result<()> {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql));
        match &mut self.connection {
            Connection::Postgres(connection) => sql.execute(connection).await.map(drop),
            Connection::Mysql(connection) => sql.execute(connection).await.map(drop),
        }
    }

    /// Rows of texts.
    pub async fn query(&mut self, sql: &str) -> sqlx::Result<Vec<Vec<String>>> {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql));
        match &mut self.connection {
            Connection::Postgres(connection) => {
                let rows = sql.fetch_all(connection).await?;
                let texts =
                    |row: &sqlx::postgres::PgRow| (0..row.len()).map(|i| row.try_get(i)).collect();
                rows.iter().map(texts).collect()
            }
            Connection::Mysql(connection) => {
                let rows = sql.fetch_all(connection).await?;
                let texts =
                    |row: &sqlx::mysql::MySqlRow| (0..row.len()).map(|i| row.try_get(i)).collect();
                rows.iter().map(texts).collect()
            }
        }
    }

    pub async fn remove(&mut self) -> sqlx::Result<()> {
        let sql = match self.connection {
            Connection::Postgres(_) => format!("DROP SCHEMA {} CASCADE", self.name),
            Connection::Mysql(_) => format!("DROP DATABASE {}", self.name),
        };
        self.execute(&sql).await
    }
}

pub fn quote(kind: Kind, name: &str) -> String {
    match kind {
        Kind::Mysql => format!("`{name}`"),
        _ => format!("\"{name}\""),
    }
}

/// SQLite, and the servers that the environment names.
pub fn databases() -> Vec<Kind> {
    [vec![Kind::Sqlite], servers()].concat()
}

/// A column's value as a literal.
pub fn literal(kind: Kind, name: &str) -> String {
    let name = quote(kind, name);
    match kind {
        Kind::Sqlite => format!("quote({name})"),
        Kind::Postgres => format!("quote_nullable({name})"),
        Kind::Mysql => format!("CONVERT(QUOTE({name}) USING utf8mb4)"),
    }
}

/// What takes foreign keys out of force, and what puts them in force again.
pub fn foreign_keys(kind: Kind) -> [&'static str; 2] {
    match kind {
        Kind::Sqlite => ["PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys = ON"],
        Kind::Postgres => [
            "SET session_replication_role = replica",
            "SET session_replication_role = DEFAULT",
        ],
        Kind::Mysql => ["SET foreign_key_checks = 0", "SET foreign_key_checks = 1"],
    }
}

/// The query for names of tables.
pub fn tables(kind: Kind) -> &'static str {
    match kind {
        Kind::Mysql => {
            "SELECT table_name FROM information_schema.tables WHERE table_schema = database() \
             AND table_name <> 'formwork_migrations' ORDER BY 1"
        }
        _ => {
            "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace \
             AND relname <> 'formwork_migrations' ORDER BY 1"
        }
    }
}

/// Queries for the facts of the table `{}`, one a row.
pub fn facts(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Mysql => &MYSQL,
        _ => &POSTGRES,
    }
}

const POSTGRES: [&str; 4] = [
    "SELECT concat_ws(' ', 'column', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, \
     collname, pg_get_expr(adbin, adrelid)) FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum \
     LEFT JOIN pg_collation c ON c.oid = attcollation \
     WHERE attrelid = '\"{}\"'::regclass AND attnum > 0 AND NOT attisdropped",
    "SELECT concat_ws(' ', 'constraint', conname, contype, condeferrable, condeferred, confrelid::regclass, convalidated, \
     pg_get_constraintdef(oid)) FROM pg_constraint WHERE conrelid = '\"{}\"'::regclass",
    "SELECT concat_ws(' ', 'index', replace(pg_get_indexdef(indexrelid), current_schema() || '.', ''), indisvalid) \
     FROM pg_index WHERE indrelid = '\"{}\"'::regclass",
    "SELECT concat_ws(' ', 'trigger', tgname) FROM pg_trigger WHERE tgrelid = '\"{}\"'::regclass AND NOT tgisinternal",
];

const MYSQL: [&str; 5] = [
    "SELECT concat_ws(' ', 'column', column_name, column_type, is_nullable, coalesce(column_default, 'none'), extra, collation_name) \
     FROM information_schema.columns WHERE table_schema = database() AND table_name = '{}'",
    "SELECT concat_ws(' ', 'index', index_name, non_unique, seq_in_index, column_name, coalesce(sub_part, 'whole')) \
     FROM information_schema.statistics WHERE table_schema = database() AND table_name = '{}'",
    "SELECT concat_ws(' ', 'constraint', k.constraint_name, k.column_name, k.referenced_table_name, k.referenced_column_name, \
     r.delete_rule, r.update_rule) FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r \
     ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name \
     WHERE k.table_schema = database() AND k.table_name = '{}'",
    "SELECT concat_ws(' ', 'check', constraint_name, check_clause) FROM information_schema.check_constraints \
     WHERE constraint_schema = database() AND table_name = '{}'",
    "SELECT concat_ws(' ', 'table', engine, table_collation) FROM information_schema.tables \
     WHERE table_schema = database() AND table_name = '{}'",
];
