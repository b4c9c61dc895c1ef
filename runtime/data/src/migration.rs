//! Migrations: the SQL that makes and changes tables, in one sequence over all extensions.

use std::{borrow::Cow, collections::BTreeMap, fmt};

mod ancestry;
mod down;
mod parts;

use self::ancestry::{Ancestry, Meeting};
pub use self::down::to;
use crate::{
    database::{Db, Step, apply, create_table},
    error::{Error, Result},
    value::Value,
};

/// A migration: poured once, from then on the project's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// When it was made, `YYYYMMDDhhmmss`: its place in the sequence.
    pub version: i64,
    /// What it does: `create_menus`.
    pub name: &'static str,
    /// Its SQL by kind of database. What follows a line `-- down` undoes it; a line `-- down: ` with a
    /// reason says that nothing does.
    pub sql: &'static [(&'static str, &'static str)],
}

/// A migration of the runtime itself, with a file of SQL for each dialect.
#[doc(hidden)]
#[macro_export]
macro_rules! own_migration {
    ($version:literal, $name:literal) => {
        $crate::migration::Migration {
            version: $version,
            name: $name,
            sql: $crate::sql_files!($version, $name),
        }
    };
}

/// A migration, and whether it was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationState {
    /// Its place in the sequence.
    pub version: i64,
    /// What it does.
    pub name: &'static str,
    /// The extension that brings it.
    pub extension: &'static str,
    /// Whether it was applied.
    pub applied: bool,
    /// When, in UTC.
    pub applied_at: Option<String>,
}

impl fmt::Display for MigrationState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.version, self.name, self.extension)
    }
}

/// Extensions and their migrations, in the order of registration.
pub type Migrations = [(&'static str, &'static [Migration])];

/// Applies what is pending, one transaction each; returns what was applied.
///
/// Several runners may start at once: each migration is applied by one of them.
///
/// # Errors
/// 500 naming the migration that failed; those before it stay applied.
pub async fn run(db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
    run_to(db, migrations, i64::MAX).await
}

/// Applies what is pending up to a version.
async fn run_to(db: &Db, migrations: &Migrations, last: i64) -> Result<Vec<MigrationState>> {
    create_table(db, db.dialect().migrations_table()).await?;
    let (mut states, all): (Vec<_>, Vec<_>) = states(db, migrations).await?.into_iter().unzip();
    let kind = db.dialect().name();
    let named = states.iter().zip(&all);
    let named = named.map(|(one, all)| (one.version, one.name, sql_of(all, kind).unwrap_or("")));
    let ancestry = Ancestry::of(named);
    let mut applied = Vec::new();
    for place in 0..states.len() {
        if states[place].applied || states[place].version > last {
            continue;
        }
        let there: Vec<bool> = states.iter().map(|state| state.applied).collect();
        let sql = match ancestry.meeting(place, &there) {
            Meeting::Free => sql_of(&all[place], kind)?,
            Meeting::Same => "",
            Meeting::Clash(other, part) => return Err(clash(&states[place], &states[other], part)),
        };
        let step = Step {
            undone: ancestry.renames(place, &there),
            renamed: ancestry.renamed(place, &there),
            ..step(db, &states[place], sql)
        };
        let is_ours = apply(db, step).await?;
        states[place].applied = true;
        applied.extend(is_ours.then(|| states[place].clone()));
    }
    Ok(applied)
}

fn step(db: &Db, state: &MigrationState, sql: &'static str) -> Step {
    Step {
        own: db.own_tables().clone(),
        undoes: false,
        version: state.version,
        name: state.name,
        extension: state.extension,
        sql,
        undone: Vec::new(),
        renamed: None,
    }
}

fn clash(pending: &MigrationState, applied: &MigrationState, part: &str) -> Error {
    Error::internal(format!(
        "the migration {pending} is not applied: {applied}, which is, was made on another branch, and both change {part}. \
         Keep one of them: undo the change of the other on its branch, and generate it again after the merge"
    ))
}

/// Every migration in order, and whether it was applied.
///
/// # Errors
/// What the database answers.
pub async fn status(db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
    let states = states(db, migrations).await?;
    Ok(states.into_iter().map(|(state, _)| state).collect())
}

/// The migrations that were not applied yet, in order.
///
/// # Errors
/// What the database answers.
pub async fn pending(db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
    let mut states = status(db, migrations).await?;
    states.retain(|state| !state.applied);
    Ok(states)
}

/// The migrations that were not applied yet, in order, each with the SQL it would run: the runtime's own tables have
/// their prefix.
///
/// # Errors
/// What the database answers; 500 where one has no SQL for this database.
pub async fn dry_run(
    db: &Db,
    migrations: &Migrations,
) -> Result<Vec<(MigrationState, Cow<'static, str>)>> {
    let states = states(db, migrations).await?.into_iter();
    let pending = states.filter(|(state, _)| !state.applied);
    let with_sql = pending.map(|(state, migration)| {
        let sql = sql_of(migration, db.dialect().name())?;
        Ok((state, db.own_tables().in_text(sql)))
    });
    with_sql.collect()
}

async fn states(
    db: &Db,
    migrations: &Migrations,
) -> Result<Vec<(MigrationState, &'static Migration)>> {
    let mut known = applied(db).await?;
    let mut states = Vec::new();
    for (extension, migrations) in migrations {
        for migration in *migrations {
            let id = (
                (*extension).to_owned(),
                migration.version,
                migration.name.to_owned(),
            );
            let applied_at = known.remove(&id);
            let state = MigrationState {
                version: migration.version,
                name: migration.name,
                extension,
                applied: applied_at.is_some(),
                applied_at,
            };
            states.push((state, migration));
        }
    }
    // One sequence: of the same moment, extensions come in the order of their registration, and
    // migrations of one extension by name.
    states.sort_by_key(|(state, _)| state.version);
    Ok(states)
}

/// When each migration was applied; empty before the first run.
async fn applied(db: &Db) -> Result<BTreeMap<(String, i64, String), String>> {
    if !db.has_table("formwork_migrations").await? {
        return Ok(BTreeMap::new());
    }
    let rows = db
        .rows(
            "SELECT extension, version, name, applied_at FROM \"formwork_migrations\" \
             WHERE applied_at IS NOT NULL",
            [],
        )
        .await?;
    let read = |row: &Vec<Value>| match &row[..] {
        [
            Value::Text(extension),
            Value::Int(version),
            Value::Text(name),
            Value::Text(at),
        ] => Ok(((extension.clone(), *version, name.clone()), at.clone())),
        _ => Err(Error::internal(
            "the table formwork_migrations has an unexpected value",
        )),
    };
    rows.iter().map(read).collect()
}

fn sql_of(migration: &Migration, dialect: &str) -> Result<&'static str> {
    let found = migration
        .sql
        .iter()
        .find(|(kind, _)| *kind == dialect)
        .map(|(_, sql)| parts::split(sql).0);
    found.ok_or_else(|| {
        let Migration { version, name, .. } = migration;
        Error::internal(format!(
            "the migration {version} {name} has no SQL for {dialect}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::DatabaseOptions;

    const MENUS: &[Migration] = &[
        Migration {
            version: 2,
            name: "create_menus",
            sql: &[(
                "sqlite",
                "CREATE TABLE menus (id INTEGER PRIMARY KEY, place INTEGER REFERENCES places (id)); CREATE INDEX menus_place ON menus (place);",
            )],
        },
        Migration {
            version: 3,
            name: "fill",
            sql: &[("sqlite", "INSERT INTO menus VALUES (1, 1)")],
        },
    ];
    const PLACES: &[Migration] = &[Migration {
        version: 1,
        name: "create_places",
        sql: &[(
            "sqlite",
            "CREATE TABLE places (id INTEGER PRIMARY KEY); INSERT INTO places VALUES (1);",
        )],
    }];
    const REBUILD: &[Migration] = &[Migration {
        version: 4,
        name: "rebuild_places",
        sql: &[(
            "sqlite",
            "CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO new (id) SELECT id FROM places; DROP TABLE places; ALTER TABLE new RENAME TO places;",
        )],
    }];
    const BROKEN: &[Migration] = &[Migration {
        version: 5,
        name: "lose_places",
        sql: &[("sqlite", "DELETE FROM places")],
    }];

    async fn memory() -> Db {
        Db::connect(&DatabaseOptions::new("sqlite::memory:"))
            .await
            .expect("a database")
    }

    #[tokio::test]
    async fn they_run_once_in_one_sequence_over_extensions() {
        let db = memory().await;
        let all: [(&str, &[Migration]); 2] = [("cart", MENUS), ("local", PLACES)];
        assert_eq!(pending(&db, &all).await.expect("pending").len(), 3);
        let applied = run(&db, &all).await.expect("applied");
        let names: Vec<&str> = applied.iter().map(|state| state.name).collect();
        assert_eq!(names, ["create_places", "create_menus", "fill"]);
        assert!(run(&db, &all).await.expect("nothing").is_empty());
        let states = status(&db, &all).await.expect("status");
        assert!(
            states
                .iter()
                .all(|state| state.applied && state.applied_at.is_some())
        );
        assert_eq!(states[0].to_string(), "1 create_places (local)");
    }

    #[tokio::test]
    async fn two_of_one_second_are_two() {
        const BOTH: &[Migration] = &[
            Migration {
                version: 1,
                name: "add_a",
                sql: &[("sqlite", "CREATE TABLE a (id INTEGER)")],
            },
            Migration {
                version: 1,
                name: "add_b",
                sql: &[("sqlite", "CREATE TABLE b (id INTEGER)")],
            },
        ];
        let db = memory().await;
        let [one, _] = BOTH else { panic!("two") };
        run(&db, &[("cart", std::slice::from_ref(one))])
            .await
            .expect("one branch");
        let all: [(&str, &[Migration]); 1] = [("cart", BOTH)];
        let applied = run(&db, &all).await.expect("both branches");
        assert_eq!(applied.len(), 1);
        assert!(pending(&db, &all).await.expect("pending").is_empty());
    }

    #[tokio::test]
    async fn a_dry_run_says_what_would_run_and_runs_nothing() {
        let db = memory().await;
        let all: [(&str, &[Migration]); 2] = [("cart", MENUS), ("local", PLACES)];
        let planned = dry_run(&db, &all).await.expect("a plan");
        let names: Vec<&str> = planned.iter().map(|(state, _)| state.name).collect();
        assert_eq!(names, ["create_places", "create_menus", "fill"]);
        assert!(planned[2].1.starts_with("INSERT INTO menus"));
        assert_eq!(pending(&db, &all).await.expect("pending").len(), 3);
        run(&db, &all).await.expect("applied");
        assert!(dry_run(&db, &all).await.expect("a plan").is_empty());
    }

    #[tokio::test]
    async fn of_several_runners_one_applies_each() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("x.db").display());
        let mut runners = Vec::new();
        for _ in 0..4 {
            let db = Db::connect(&DatabaseOptions::new(&url))
                .await
                .expect("a database");
            runners.push(tokio::spawn(async move {
                let all: [(&str, &[Migration]); 3] =
                    [("cart", MENUS), ("local", PLACES), ("x", REBUILD)];
                run(&db, &all).await.map(|applied| applied.len())
            }));
        }
        let mut total = 0;
        for runner in runners {
            total += runner.await.expect("no panic").expect("applied");
        }
        assert_eq!(total, 4);
    }

    #[tokio::test]
    async fn a_table_that_others_name_can_be_rebuilt() {
        let db = memory().await;
        let all: [(&str, &[Migration]); 3] = [("cart", MENUS), ("local", PLACES), ("x", REBUILD)];
        run(&db, &all).await.expect("applied");
        let menus = db.rows("SELECT place FROM menus", []).await.expect("rows");
        assert_eq!(menus, [[Value::Int(1)]]);
        // Foreign keys are in force again.
        assert!(
            db.execute("INSERT INTO menus VALUES (2, 9)", [])
                .await
                .is_err()
        );
    }

    #[tokio::test]
    async fn one_that_breaks_foreign_keys_is_rolled_back() {
        let db = memory().await;
        let all: [(&str, &[Migration]); 3] = [("cart", MENUS), ("local", PLACES), ("x", BROKEN)];
        let error = run(&db, &all).await.expect_err("refused").to_string();
        assert!(
            error.contains("lose_places") && error.contains("`menus`"),
            "{error}"
        );
        assert_eq!(
            db.rows("SELECT id FROM places", [])
                .await
                .expect("rows")
                .len(),
            1
        );
        assert_eq!(pending(&db, &all).await.expect("pending").len(), 1);
    }
}
