//! Manifests with the database they led to.

use std::collections::BTreeMap;

use formwork_cli::diagnostic;
use formwork_cli::error::Refused;
use formwork_cli::manifest::Sources;
use formwork_cli::moment::Clock;
use formwork_cli::project::{Database as Kind, Project};
use formwork_cli::resolve::resolve;
use formwork_cli::schema::{
    MigrationOptions, Migrations, Previous, Schema, Table, database_name, migrations,
};

use crate::database::{Database, Rows};

/// Manifests by path below `extensions/`.
pub type Manifests = BTreeMap<String, String>;

/// A project's state and database.
pub struct World {
    pub kind: Kind,
    pub database: Database,
    pub previous: Previous,
    second: i64,
}

impl World {
    pub fn new() -> Self {
        Self::on(Kind::Sqlite)
    }

    /// With an empty database of this kind.
    pub fn on(kind: Kind) -> Self {
        Self {
            kind,
            database: Database::new(kind),
            previous: Previous::default(),
            second: 1_795_262_400,
        }
    }

    /// The tables of the manifests, created in an empty database.
    pub fn created(manifests: &Manifests) -> Self {
        Self::created_on(Kind::Sqlite, manifests)
    }

    /// The same on a database of this kind.
    pub fn created_on(kind: Kind, manifests: &Manifests) -> Self {
        let mut world = Self::on(kind);
        let run = world.emit(manifests, false).expect("nothing is destroyed");
        world.apply(&run).expect("tables can be made");
        world
    }

    /// The migrations to these manifests.
    pub fn emit(
        &self,
        manifests: &Manifests,
        allow_destructive: bool,
    ) -> Result<Migrations, Refused> {
        let options = MigrationOptions {
            clock: Clock::at(self.second),
            allow_destructive,
            ..MigrationOptions::default()
        };
        let run = migrations(&project_on(self.kind, manifests), &self.previous, &options)?;
        run.refused.clone().map_or(Ok(run), Err)
    }

    /// Applies them, and remembers them.
    pub fn apply(&mut self, run: &Migrations) -> Result<(), String> {
        self.database.migrate(run)?;
        self.remember(run);
        Ok(())
    }

    /// Remembers migrations as the state of a project does.
    pub fn remember(&mut self, run: &Migrations) {
        self.second += 3600;
        let texts = run.state_files.values().flatten().map(String::as_str);
        let paths: Vec<(String, String)> = run
            .all
            .iter()
            .map(|one| (one.path(self.kind), one.unit.clone()))
            .collect();
        let paths = paths
            .iter()
            .map(|(path, unit)| (path.as_str(), unit.as_str()));
        self.previous = Previous::new(texts, paths);
    }

    /// The tables that manifests describe.
    pub fn schema(&self) -> &Schema {
        &self.previous.schema
    }

    /// Every row of every table.
    pub fn rows(&mut self) -> AllRows {
        let tables: Vec<Table> = self.previous.schema.tables.values().cloned().collect();
        let rows = tables.into_iter().map(|table| {
            let rows = self.database.rows(&table);
            (table.name.clone(), (table, rows))
        });
        rows.collect()
    }

    /// Fails where the database is not what these manifests alone would have made.
    #[track_caller]
    pub fn assert_as_created(&mut self, manifests: &Manifests, run: &Migrations, what: &str) {
        let mut here = self.database.described();
        here.retain(|table, _| !run.abandoned.contains(table));
        let there = Self::created_on(self.kind, manifests).database.described();
        assert_eq!(here, there, "{what}");
        let again = self.emit(manifests, false);
        let names: Vec<_> = again.map(|run| run.new.len()).into_iter().collect();
        assert_eq!(names, [0], "{what}: and no more");
    }

    /// Fails where a row is gone, or holds something else in a column that is as it was. `renamed` are tables and
    /// columns: `table`, `table.column`.
    #[track_caller]
    pub fn assert_rows_intact(&mut self, before: &AllRows, renamed: &[(&str, &str)], what: &str) {
        let now = |name: &str| {
            let found = renamed.iter().find(|(from, _)| *from == name);
            found.map_or(name, |(_, to)| *to).to_owned()
        };
        let after = self.rows();
        for (table, (known, rows)) in before {
            let table = now(table);
            let Some((is, found)) = after.get(&table) else {
                // A pivot that no relation uses any more.
                assert!(known.is_pivot(), "{what}: {table} is gone");
                continue;
            };
            assert_eq!(rows.len(), found.len(), "{what}: rows of {table}");
            let kept = known.columns.iter().filter_map(|column| {
                let full = now(&format!("{table}.{}", column.name));
                let name = full.split_once('.').map_or("", |(_, name)| name);
                let one = is.column(name)?;
                let same = one.kind == column.kind
                    && one.native == column.native
                    && one.nullable == column.nullable;
                same.then(|| (column.name.clone(), one.name.clone()))
            });
            let (from, to): (Vec<String>, Vec<String>) = kept.unzip();
            assert_eq!(
                values(rows, &from),
                values(found, &to),
                "{what}: values of {table}"
            );
        }
    }
}

/// Every row of every table, with the table.
pub type AllRows = BTreeMap<String, (Table, Rows)>;

fn values(rows: &Rows, columns: &[String]) -> Vec<Vec<String>> {
    let row =
        |row: &BTreeMap<String, String>| columns.iter().map(|name| row[name].clone()).collect();
    let mut all: Vec<Vec<String>> = rows.values().map(row).collect();
    all.sort();
    all
}

fn project_on(kind: Kind, manifests: &Manifests) -> Project {
    project_on_all(&[kind], manifests)
}

/// The project of these manifests on several kinds of databases.
pub fn project_on_all(kinds: &[Kind], manifests: &Manifests) -> Project {
    let kinds: Vec<&str> = kinds.iter().map(|one| database_name(*one)).collect();
    let files = manifests
        .iter()
        .map(|(path, text)| (format!("extensions/{path}"), text.clone()));
    let config = [(
        "formwork.yaml".to_owned(),
        format!("database: [{}]\n", kinds.join(", ")),
    )];
    let sources = Sources::from_texts(config.into_iter().chain(files));
    match resolve(&sources) {
        Ok(resolved) => resolved.project,
        Err(found) => panic!("{}", diagnostic::render(&found, &sources, false)),
    }
}
