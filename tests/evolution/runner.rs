//! The runtime's own runner of migrations on a server: its statements one by one or in a transaction,
//! in sessions with its settings.

use formwork::data::database::{DatabaseOptions, Db};
use formwork::data::migration::{self, Migration};
use formwork_cli::project::Database as Kind;
use formwork_cli::schema::{Migrations, NewMigration, database_name};

/// The extension of every migration.
const EXTENSION: &str = "shop";

/// A runner with the migrations of a test.
pub struct Runner {
    kind: Kind,
    db: Db,
    /// Those that it knows, in order.
    known: Vec<Migration>,
}

impl Runner {
    /// The runner of the database that these options name.
    pub async fn new(kind: Kind, options: DatabaseOptions) -> Self {
        let db = Db::connect(&options).await.expect("a pool");
        let known = Vec::new();
        Self { kind, db, known }
    }

    /// Applies the migrations of a run.
    pub async fn apply(&mut self, run: &Migrations) -> Result<(), String> {
        let before = self.known.len();
        for new in &run.new {
            let new = made(self.kind, new);
            let is_known = |one: &Migration| (one.version, one.name) == (new.version, new.name);
            if !self.known.iter().any(is_known) {
                self.known.push(new);
            }
        }
        let done = migration::run(&self.db, &[(EXTENSION, self.all())]).await;
        // What failed is another's to try again.
        done.map(drop).map_err(|error| {
            self.known.truncate(before);
            error.to_string()
        })
    }

    /// Undoes the migrations of a run, the last first.
    pub async fn undo(&self, run: &Migrations) -> Result<(), String> {
        let first = run.new.iter().map(|one| one.emitted.version).min();
        let Some(first) = first else { return Ok(()) };
        let earlier = self.known.iter().map(|one| one.version);
        let earlier = earlier.filter(|version| *version < first);
        let target = earlier.max().unwrap_or_default();
        let done = migration::to(&self.db, &[(EXTENSION, self.all())], target).await;
        done.map(drop).map_err(|error| error.to_string())
    }

    fn all(&self) -> &'static [Migration] {
        Vec::leak(self.known.clone())
    }

    pub async fn close(&self) {
        self.db.close().await;
    }
}

/// A migration as a project lists it.
fn made(kind: Kind, new: &NewMigration) -> Migration {
    let mut texts = new.sql.iter();
    let (_, sql) = texts.find(|(one, _)| *one == kind).expect("SQL");
    let sql: &'static str = String::leak(sql.clone());
    Migration {
        version: new.emitted.version,
        name: String::leak(new.emitted.name.clone()),
        sql: Vec::leak(vec![(database_name(kind), sql)]),
    }
}
