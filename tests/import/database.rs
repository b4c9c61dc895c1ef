//! Databases that tests make by SQL scripts.

use std::path::Path;

use formwork_tests::address;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row as _};
use sqlx::{MySqlConnection, PgConnection, SqliteConnection};
use tempfile::TempDir;

/// Runs statements on a SQLite file, which is made where there is none; returns its URL.
pub fn sqlite(file: &Path, sql: &str) -> String {
    block_on(async {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true);
        let mut connection = options.connect().await.expect("a SQLite file");
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await
            .expect("statements");
        connection.close().await.expect("closed");
    });
    format!("sqlite://{}", file.display())
}

/// Runs statements on a server.
pub fn run<C: Connection>(url: &str, sql: &str)
where
    for<'c> &'c mut C: sqlx::Executor<'c, Database = C::Database>,
{
    block_on(async {
        let mut connection = C::connect(url).await.expect("a server");
        let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&mut connection)
            .await;
        done.expect("statements");
    });
}

/// The first column of a query's rows, as texts.
pub fn texts<C: Connection>(url: &str, sql: &str) -> Vec<String>
where
    for<'c> &'c mut C: sqlx::Executor<'c, Database = C::Database>,
    usize: sqlx::ColumnIndex<<C::Database as sqlx::Database>::Row>,
    for<'r> String: sqlx::Decode<'r, C::Database> + sqlx::Type<C::Database>,
{
    block_on(async {
        let mut connection = C::connect(url).await.expect("a database");
        let rows = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .fetch_all(&mut connection)
            .await;
        let rows = rows.expect("rows").into_iter();
        rows.map(|row| row.get::<String, _>(0)).collect()
    })
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(future)
}

/// A database of a test's own, dropped with its value.
pub struct Scratch {
    url: String,
    run: fn(&str, &str),
    _removed: Removed,
}

/// What is removed with a database.
enum Removed {
    File { _folder: TempDir },
    Server(Box<dyn Fn()>),
}

impl Drop for Removed {
    fn drop(&mut self) {
        if let Removed::Server(remove) = self {
            remove();
        }
    }
}

impl Scratch {
    /// An empty file.
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = sqlite(&folder.path().join("scratch.db"), "");
        Self {
            url,
            run: run::<SqliteConnection>,
            _removed: Removed::File { _folder: folder },
        }
    }

    /// A database on the server of `FORMWORK_TEST_MYSQL_URL`, where that is set.
    pub fn mysql(what: &str) -> Option<Self> {
        Self::on("FORMWORK_TEST_MYSQL_URL", what, "", run::<MySqlConnection>)
    }

    /// A database on the server of `FORMWORK_TEST_POSTGRES_URL`, where that is set.
    pub fn postgres(what: &str) -> Option<Self> {
        let variable = "FORMWORK_TEST_POSTGRES_URL";
        Self::on(variable, what, " WITH (FORCE)", run::<PgConnection>)
    }

    fn on(variable: &str, what: &str, forced: &str, run: fn(&str, &str)) -> Option<Self> {
        let server = address(variable)?;
        let name = format!("import_{what}_{}", std::process::id());
        run(&server, &format!("DROP DATABASE IF EXISTS {name}"));
        run(&server, &format!("CREATE DATABASE {name}"));
        let (scheme, rest) = server.split_once("://").expect("an address");
        let host = rest.split('/').next().unwrap_or_default();
        let url = format!("{scheme}://{host}/{name}");
        let drop = format!("DROP DATABASE {name}{forced}");
        Some(Self {
            url,
            run,
            _removed: Removed::Server(Box::new(move || run(&server, &drop))),
        })
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs statements in it.
    pub fn run(&self, sql: &str) {
        (self.run)(&self.url, sql);
    }
}
