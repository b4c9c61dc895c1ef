//! A database that migrations are applied to as a poured service applies them: an embedded SQLite,
//! or one of its own on a server.

use std::collections::{BTreeMap, BTreeSet};

use formwork_cli::project::{ColumnType, Database as Kind};
use formwork_cli::schema::{Column, Migrations, Schema, Table};
use formwork_tests::facts::FACTS;
use sqlx::{AssertSqlSafe, Connection as _, Row, SqliteConnection};
use tokio::runtime::Runtime;

use crate::runner::Runner;
use crate::server::{self, Server};

/// A database: in memory, or on a server.
pub struct Database {
    kind: Kind,
    runtime: Runtime,
    connection: Connection,
}

enum Connection {
    Sqlite(SqliteConnection),
    Server(Server, Runner),
}

/// Values of a table: by key, column and SQL literal.
pub type Rows = BTreeMap<String, BTreeMap<String, String>>;

impl Database {
    /// An empty database of this kind. A server is the one that the environment names.
    pub fn new(kind: Kind) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let connection = match kind {
            Kind::Sqlite => {
                let connection = SqliteConnection::connect("sqlite::memory:");
                Connection::Sqlite(runtime.block_on(connection).expect("a database"))
            }
            kind => runtime.block_on(async {
                let server = Server::new(kind).await;
                let runner = Runner::new(kind, server.options()).await;
                Connection::Server(server, runner)
            }),
        };
        Self {
            kind,
            runtime,
            connection,
        }
    }

    pub fn execute(&mut self, sql: &str) -> Result<(), String> {
        let done = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let run = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
                self.runtime.block_on(run).map(drop)
            }
            Connection::Server(server, _) => self.runtime.block_on(server.execute(sql)),
        };
        done.map_err(|error| format!("{error}\n{sql}"))
    }

    /// Rows of texts.
    pub fn query(&mut self, sql: &str) -> Vec<Vec<String>> {
        let rows = match &mut self.connection {
            Connection::Sqlite(connection) => {
                let query = sqlx::query(AssertSqlSafe(sql)).fetch_all(connection);
                let rows = self.runtime.block_on(query);
                let texts = |row: &sqlx::sqlite::SqliteRow| {
                    (0..row.len()).map(|i| row.get::<String, _>(i)).collect()
                };
                rows.map(|rows| rows.iter().map(texts).collect())
            }
            Connection::Server(server, _) => self.runtime.block_on(server.query(sql)),
        };
        rows.unwrap_or_else(|error| panic!("{error}: {sql}"))
    }

    /// Applies the migrations of a run, as the runtime does.
    pub fn migrate(&mut self, run: &Migrations) -> Result<(), String> {
        if let Connection::Server(_, runner) = &mut self.connection {
            return self.runtime.block_on(runner.apply(run));
        }
        for (sql, _) in parts(run) {
            self.migrate_sqlite(sql)?;
        }
        Ok(())
    }

    /// Undoes the migrations of a run, the last first; the reason where one of them cannot be undone.
    pub fn undo(&mut self, run: &Migrations) -> Result<(), String> {
        if let Connection::Server(_, runner) = &mut self.connection {
            return self.runtime.block_on(runner.undo(run));
        }
        let downs = parts(run).into_iter().rev().map(|(_, down)| down);
        let downs = downs.collect::<Result<Vec<_>, _>>()?;
        downs
            .into_iter()
            .try_for_each(|sql| self.migrate_sqlite(sql))
    }

    /// Foreign keys are checked at the end.
    fn migrate_sqlite(&mut self, sql: &str) -> Result<(), String> {
        self.execute("PRAGMA foreign_keys = OFF")?;
        self.execute("BEGIN IMMEDIATE")?;
        let done = self
            .execute(sql)
            .and_then(|()| self.check_foreign_keys(sql));
        self.execute(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        self.execute("PRAGMA foreign_keys = ON")?;
        done
    }

    fn check_foreign_keys(&mut self, sql: &str) -> Result<(), String> {
        let broken = self.query("SELECT \"table\" || ' ' || parent FROM pragma_foreign_key_check");
        match broken.first() {
            None => Ok(()),
            Some(row) => Err(format!("FOREIGN KEY check failed: {row:?}\n{sql}")),
        }
    }

    /// Names of tables.
    pub fn tables(&mut self) -> Vec<String> {
        let sql = match self.kind {
            Kind::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            }
            kind => server::tables(kind),
        };
        self.query(sql).into_iter().flatten().collect()
    }

    /// Everything the database says about its tables, but for the order of columns.
    pub fn described(&mut self) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        for table in self.tables() {
            let mut facts = BTreeSet::new();
            let queries: &[&str] = match self.kind {
                Kind::Sqlite => &FACTS,
                kind => server::facts(kind),
            };
            for sql in queries {
                facts.extend(self.query(&sql.replace("{}", &table)).into_iter().flatten());
            }
            all.insert(table, facts);
        }
        all
    }

    /// What rows hold.
    pub fn rows(&mut self, table: &Table) -> Rows {
        let literals = |names: &mut dyn Iterator<Item = &String>| -> Vec<String> {
            names.map(|name| server::literal(self.kind, name)).collect()
        };
        let values = literals(&mut table.columns.iter().map(|column| &column.name)).join(", ");
        let keys = literals(&mut table.primary.iter());
        let key = match self.kind {
            Kind::Mysql => format!("CONCAT({})", keys.join(", ',', ")),
            _ => keys.join(" || ',' || "),
        };
        let name = server::quote(self.kind, &table.name);
        let sql = format!("SELECT {key}, {values} FROM {name}");
        let rows = self.query(&sql).into_iter().map(|mut row| {
            let values = row.split_off(1);
            let names = table.columns.iter().map(|column| column.name.clone());
            (row.remove(0), names.zip(values).collect())
        });
        rows.collect()
    }

    /// Adds rows to every table, distinguished by `batch`; each points to those of the same number.
    pub fn fill(&mut self, schema: &Schema, batch: u32) {
        let [off, on] = server::foreign_keys(self.kind);
        self.execute(off).expect("a setting");
        let kind = self.kind;
        for table in schema.tables.values() {
            for number in [batch * 10 + 1, batch * 10 + 2] {
                let columns = table.columns.iter();
                let names = columns
                    .clone()
                    .map(|column| server::quote(kind, &column.name));
                let names: Vec<String> = names.collect();
                let values: Vec<String> = columns.map(|one| value(kind, one, number)).collect();
                let name = server::quote(kind, &table.name);
                let (names, values) = (names.join(", "), values.join(", "));
                let sql = format!("INSERT INTO {name} ({names}) VALUES ({values})");
                self.execute(&sql).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        if kind == Kind::Sqlite {
            self.check_foreign_keys("rows").expect("rows that fit");
        }
        self.execute(on).expect("a setting");
    }
}

/// The two parts of each migration for SQLite, as the runtime takes them apart.
fn parts(run: &Migrations) -> Vec<(&str, Result<&str, &str>)> {
    let texts = run.new.iter().map(|migration| {
        let mut texts = migration.sql.iter();
        let (_, sql) = texts.find(|(kind, _)| *kind == Kind::Sqlite).expect("SQL");
        match sql.split_once("\n-- down\n") {
            Some((up, down)) => (up, Ok(down)),
            None => {
                let (up, reason) = sql.split_once("\n-- down: ").expect("a reason");
                (up, Err(reason.trim_end()))
            }
        }
    });
    texts.collect()
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Connection::Server(server, runner) = &mut self.connection {
            let removed = self.runtime.block_on(async {
                runner.close().await;
                server.remove().await
            });
            removed.expect("the test's database is dropped");
        }
    }
}

/// A value of a column's type as the database stores it; one in three is NULL where it may be.
fn value(database: Kind, column: &Column, number: u32) -> String {
    if column.nullable && column.references.is_none() && number.is_multiple_of(3) {
        return "NULL".to_owned();
    }
    match &column.kind {
        ColumnType::Integer | ColumnType::BigInt => number.to_string(),
        ColumnType::Float => format!("{number}.5"),
        ColumnType::Decimal(_, scale) if column.native || database != Kind::Sqlite => {
            format!("{number}.{}", "5".repeat(usize::from(*scale)))
        }
        ColumnType::Decimal(_, scale) => format!("{number}{}", "5".repeat(usize::from(*scale))),
        ColumnType::Boolean if database == Kind::Postgres => number.is_multiple_of(2).to_string(),
        ColumnType::Boolean => (number % 2).to_string(),
        ColumnType::Date => format!("'2026-01-{:02}'", number % 28 + 1),
        ColumnType::Time => format!("'12:{:02}:00'", number % 60),
        ColumnType::DateTime => {
            let zone = if database == Kind::Mysql { "" } else { "Z" };
            format!("'2026-01-{:02}T12:00:00.000000{zone}'", number % 28 + 1)
        }
        ColumnType::Json => format!("'{{\"n\":{number}}}'"),
        ColumnType::Uuid => format!("'00000000-0000-4000-8000-{number:012}'"),
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => format!("'{number}'"),
    }
}
