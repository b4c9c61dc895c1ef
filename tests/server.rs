//! Databases on the servers that `FORMWORK_TEST_POSTGRES_URL` and `FORMWORK_TEST_MYSQL_URL` name.

use std::env;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, MySqlConnection, PgConnection};

use crate::address;

/// The kinds of servers, and the variables with their addresses.
const SERVERS: [(&str, &str); 2] = [
    ("postgres", "FORMWORK_TEST_POSTGRES_URL"),
    ("mysql", "FORMWORK_TEST_MYSQL_URL"),
];

/// The addresses of the servers; says which are not set.
pub fn servers() -> Vec<String> {
    let servers = SERVERS.iter();
    servers
        .filter_map(|(_, variable)| address(variable))
        .collect()
}

/// The address of the server that `FORMWORK_TEST_DATABASE` names; `None` for SQLite.
pub fn chosen() -> Option<String> {
    let kind = env::var("FORMWORK_TEST_DATABASE").ok()?;
    if kind == "sqlite" {
        return None;
    }
    let found = SERVERS.iter().find(|(name, _)| *name == kind);
    let (_, variable) = found.unwrap_or_else(|| panic!("FORMWORK_TEST_DATABASE is `{kind}`"));
    Some(env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set")))
}

/// An empty database on a server, dropped with this value.
pub struct Database {
    server: String,
    name: String,
}

impl Database {
    /// Beside the database of this address.
    pub fn beside(server: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self::named(server, format!("outside_{}_{number}", std::process::id()))
    }

    /// The same under a name; one that an earlier process left behind is dropped.
    pub fn named(server: &str, name: String) -> Self {
        let server = server.to_owned();
        let database = Self { server, name };
        database.remove();
        run(
            &database.server,
            &format!("CREATE DATABASE {}", database.name),
        );
        database
    }

    /// Its address.
    pub fn url(&self) -> String {
        let (server, _) = self.server.rsplit_once('/').expect("an address");
        format!("{server}/{}", self.name)
    }

    /// Runs statements in it.
    pub fn run(&self, sql: &str) {
        run(&self.url(), sql);
    }

    /// On MariaDB this waits for open transactions: the services of tests have stopped by then.
    fn remove(&self) {
        let name = &self.name;
        let force = if is_postgres(&self.server) {
            " WITH (FORCE)"
        } else {
            ""
        };
        run(
            &self.server,
            &format!("DROP DATABASE IF EXISTS {name}{force}"),
        );
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.remove();
    }
}

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres")
}

fn run(url: &str, sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    let done = runtime.expect("a runtime").block_on(async {
        if is_postgres(url) {
            let mut server = PgConnection::connect(url).await?;
            sql.execute(&mut server).await.map(drop)
        } else {
            let mut server = MySqlConnection::connect(url).await?;
            sql.execute(&mut server).await.map(drop)
        }
    });
    done.expect("statements");
}
