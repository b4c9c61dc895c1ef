//! Databases that are migrated by the runtime, as a service does it: on SQLite, and on the servers that
//! `FORMWORK_TEST_POSTGRES_URL` and `FORMWORK_TEST_MYSQL_URL` name.

use std::collections::{BTreeMap, BTreeSet};

use formwork::data::database::{DatabaseOptions, Db};
use formwork::data::migration::{self, Migration};
use formwork::data::value::Value;
use formwork_cli::project::Database as Kind;
use formwork_cli::schema::database_name;
use formwork_tests::facts::FACTS;
use formwork_tests::project::Project;
use formwork_tests::server::Database as Server;
use tokio::runtime::Runtime;

use crate::server;

/// The migrations of a project at one moment, by extension.
pub type Sequence = Vec<(&'static str, &'static [Migration])>;

/// The kinds that tests are run on.
pub fn kinds() -> Vec<Kind> {
    let mut kinds = vec![Kind::Sqlite];
    kinds.extend(server::servers());
    kinds
}

/// What the aggregates of a project list.
pub fn sequence(project: &Project) -> Sequence {
    let mut extensions: Vec<String> = std::fs::read_dir(project.root().join("extensions"))
        .expect("extensions")
        .map(|entry| {
            entry
                .expect("a folder")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    extensions.sort();
    let listed = extensions.into_iter().map(|extension| {
        let folder = format!("extensions/{extension}");
        let list = project.read(&format!("{folder}/src/migrations.rs"));
        let paths = list.split("\"../").skip(1);
        let paths = paths.filter_map(|rest| rest.split('"').next());
        let mut all: Vec<Migration> = Vec::new();
        for path in paths {
            let sql = project.read(&format!("{folder}/{path}"));
            let (version, name, sql) = migration(path, sql);
            match all.last_mut() {
                Some(last) if (last.version, last.name) == (version, name) => {
                    last.sql = [last.sql, &[sql]].concat().leak();
                }
                _ => all.push(Migration {
                    version,
                    name,
                    sql: vec![sql].leak(),
                }),
            }
        }
        (&*extension.leak(), &*all.leak())
    });
    listed.collect()
}

/// Version, name, and the SQL of one kind, of a file at `migrations/sqlite/7_add_price.sql`.
fn migration(path: &str, sql: String) -> (i64, &'static str, (&'static str, &'static str)) {
    let path: &'static str = path.to_owned().leak();
    let mut parts = path.trim_end_matches(".sql").split('/').skip(1);
    let kind = parts.next().expect("a kind");
    let file = parts.next().and_then(|file| file.split_once('_'));
    let (version, name) = file.expect("a version and a name");
    (
        version.parse().expect("a version"),
        name,
        (kind, sql.leak()),
    )
}

/// A database of its own: in memory, or on a server.
pub struct Database {
    kind: Kind,
    runtime: Runtime,
    db: Db,
    /// Dropped after the connections are closed.
    _server: Option<Server>,
}

impl Database {
    /// With these migrations.
    pub fn with(kind: Kind, migrations: &Sequence) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let server = match kind {
            Kind::Sqlite => None,
            kind => Server::on(database_name(kind)),
        };
        let url = server
            .as_ref()
            .map_or_else(|| "sqlite::memory:".to_owned(), Server::url);
        let options = DatabaseOptions::new(url);
        let connect = Db::connect(&options);
        let database = Self {
            kind,
            db: runtime.block_on(connect).expect("a database"),
            runtime,
            _server: server,
        };
        database.migrate(migrations).expect("migrated");
        database
    }

    /// Applies what is pending.
    pub fn migrate(&self, migrations: &Sequence) -> Result<(), String> {
        let run = migration::run(&self.db, migrations);
        let done = self.runtime.block_on(run);
        done.map(drop).map_err(|error| error.to_string())
    }

    pub fn execute(&self, sql: &str) {
        let run = self.db.execute(sql.to_owned(), []);
        let done = self.runtime.block_on(run);
        done.unwrap_or_else(|error| panic!("{error}: {sql}"));
    }

    /// Rows, their values joined by a bar.
    pub fn rows(&self, sql: &str) -> Vec<String> {
        let rows = self.runtime.block_on(self.db.rows(sql.to_owned(), []));
        let rows = rows.unwrap_or_else(|error| panic!("{error}: {sql}"));
        let text = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            Value::Int(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        let row = |row: &Vec<Value>| row.iter().map(text).collect::<Vec<_>>().join("|");
        rows.iter().map(row).collect()
    }

    /// Everything the database says about its tables, but for the order of columns.
    pub fn described(&self) -> BTreeMap<String, BTreeSet<String>> {
        let (tables, facts): (_, &[&str]) = match self.kind {
            Kind::Sqlite => (
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                &FACTS,
            ),
            kind => (server::tables(kind), server::facts(kind)),
        };
        let tables = self.rows(tables).into_iter();
        let described = tables.filter(|table| table != "formwork_migrations");
        let described = described.map(|table| {
            let facts = facts.iter();
            let facts = facts.flat_map(|sql| self.rows(&sql.replace("{}", &table)));
            (table.clone(), facts.collect())
        });
        described.collect()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.runtime.block_on(self.db.close());
    }
}
