//! Databases of tests: SQLite files, and databases on the servers that `FORMWORK_TEST_POSTGRES_URL` and
//! `FORMWORK_TEST_MYSQL_URL` name.

use std::env;
use std::fs::File;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, Row as _};
use sqlx::{MySqlConnection, PgConnection, SqliteConnection};
use tempfile::TempDir;

use crate::address;

/// The kinds of servers, and the variables with their addresses.
const SERVERS: [(&str, &str); 2] = [
    ("postgres", "FORMWORK_TEST_POSTGRES_URL"),
    ("mysql", "FORMWORK_TEST_MYSQL_URL"),
];

/// Evaluates an expression with a connection to the database of an address.
macro_rules! connected {
    ($url:expr, $connection:ident => $value:expr) => {
        block_on(async {
            match $url.split(':').next() {
                Some("postgres") => {
                    let $connection = &mut PgConnection::connect($url).await?;
                    $value
                }
                Some("mysql") => {
                    let $connection = &mut MySqlConnection::connect($url).await?;
                    $value
                }
                _ => {
                    let $connection = &mut SqliteConnection::connect($url).await?;
                    $value
                }
            }
        })
    };
}

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
    let variable = variable(&kind);
    Some(env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set")))
}

/// Returns the variable with the address of a kind of servers.
fn variable(kind: &str) -> &'static str {
    let server = SERVERS.iter().find(|(name, _)| *name == kind);
    server.unwrap_or_else(|| panic!("`{kind}` is no server")).1
}

/// An empty database, removed with this value.
pub struct Database {
    url: String,
    removed: Removed,
}

/// What is removed with a database.
enum Removed {
    File { _folder: TempDir },
    Server { server: String, name: String },
}

impl Database {
    /// A SQLite file.
    pub fn sqlite() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("test.db");
        File::create(&file).expect("an empty file");
        Self {
            url: format!("sqlite://{}", file.display()),
            removed: Removed::File { _folder: folder },
        }
    }

    /// A database on a server of this kind; `None`, which is reported, if its address is not set.
    pub fn on(kind: &str) -> Option<Self> {
        address(variable(kind)).map(|server| Self::beside(&server))
    }

    /// A database of each kind whose server is set, with the name of the kind.
    pub fn each() -> Vec<(&'static str, Self)> {
        let servers = SERVERS
            .iter()
            .filter_map(|(kind, _)| Some((*kind, Self::on(kind)?)));
        [("sqlite", Self::sqlite())]
            .into_iter()
            .chain(servers)
            .collect()
    }

    /// Beside the database of this address.
    pub fn beside(server: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self::named(server, format!("outside_{}_{number}", std::process::id()))
    }

    /// The same under a name; one that an earlier process left behind is dropped.
    pub fn named(server: &str, name: String) -> Self {
        let (host, _) = server.rsplit_once('/').expect("an address");
        let server = server.to_owned();
        let database = Self {
            url: format!("{host}/{name}"),
            removed: Removed::Server { server, name },
        };
        database.remove();
        if let Removed::Server { server, name } = &database.removed {
            run(server, &format!("CREATE DATABASE {name}"));
        }
        database
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Runs statements in it.
    pub fn run(&self, sql: &str) {
        run(&self.url, sql);
    }

    /// Returns the first column of a query's rows, as texts.
    pub fn texts(&self, sql: &str) -> Vec<String> {
        let url = self.url.as_str();
        let rows = connected!(url, connection => {
            let rows = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).fetch_all(connection).await?;
            Ok::<_, sqlx::Error>(rows.iter().map(|row| row.get(0)).collect())
        });
        rows.unwrap_or_else(|error| panic!("{error}: {sql}"))
    }

    /// Drops it from its server.
    ///
    /// On MariaDB this waits for open transactions: the services of tests have stopped by then.
    fn remove(&self) {
        if let Removed::Server { server, name } = &self.removed {
            let force = if server.starts_with("postgres") {
                " WITH (FORCE)"
            } else {
                ""
            };
            run(server, &format!("DROP DATABASE IF EXISTS {name}{force}"));
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Runs statements in the database of an address.
pub fn run(url: &str, sql: &str) {
    let done = connected!(url, connection => {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await;
        done.map(drop)
    });
    done.unwrap_or_else(|error| panic!("{error}: {sql}"));
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(future)
}
