//! Databases that are migrated by the runtime, as a service does it.

use std::collections::{BTreeMap, BTreeSet};

use formwork::database::{DatabaseOptions, Db};
use formwork::migration::{self, Migration};
use formwork::value::Value;
use formwork_tests::facts::FACTS;
use formwork_tests::project::Project;
use tokio::runtime::Runtime;

/// The migrations of a project at one moment, by extension.
pub type Sequence = Vec<(&'static str, &'static [Migration])>;

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
        let all: Vec<Migration> = paths
            .map(|path| migration(path, project.read(&format!("{folder}/{path}"))))
            .collect();
        (&*extension.leak(), &*all.leak())
    });
    listed.collect()
}

fn migration(path: &str, sql: String) -> Migration {
    let file = path.trim_start_matches("migrations/sqlite/");
    let (version, name) = file.split_once('_').expect("a version and a name");
    let sql: &'static str = sql.leak();
    Migration {
        version: version.parse().expect("a version"),
        name: name.trim_end_matches(".sql").to_owned().leak(),
        sql: vec![("sqlite", sql)].leak(),
    }
}

/// A database in memory.
pub struct Database {
    runtime: Runtime,
    db: Db,
}

impl Database {
    /// With these migrations.
    pub fn with(migrations: &Sequence) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let options = DatabaseOptions::new("sqlite::memory:");
        let db = runtime.block_on(Db::connect(&options)).expect("a database");
        let database = Self { runtime, db };
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
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'formwork_migrations'";
        let facts = |table: &String| {
            let facts = FACTS
                .iter()
                .flat_map(|sql| self.rows(&sql.replace("{}", table)));
            facts.collect()
        };
        let tables = self.rows(sql).into_iter();
        tables.map(|table| (table.clone(), facts(&table))).collect()
    }
}
