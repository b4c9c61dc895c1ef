//! Migrations: the SQL that makes and changes tables, in one sequence over all extensions.

mod ancestry;
mod down;
mod plan;
mod sequence;
mod state;

pub use self::sequence::{Migration, Migrations};
pub use self::state::{Halfway, MigrationState};
use self::{
    down::{undo, undoing},
    plan::Plan,
    state::states,
};
use crate::{
    database::{Db, LowerIndex, create_table, left},
    error::{Error, Result},
};

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

/// Applies the pending migrations, each in its own transaction, and returns them.
///
/// Several runners may start at once: each migration is applied by one of them.
///
/// # Errors
/// 500 naming the migration that failed; those before it stay applied.
pub async fn run(db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
    migrate(db, migrations, None, None).await
}

/// Brings the database to the state after a version: undoes later migrations, the last first, and
/// applies pending earlier ones. The version 0 undoes all. Returns the migrations that were undone and
/// those that were applied.
///
/// # Errors
/// 500 where no migration has this version, or a later one has no down part: no migration is undone
/// then. 500 where a down part fails, or would lose rows or values: those before it stay undone.
pub async fn to(db: &Db, migrations: &Migrations, version: i64) -> Result<Vec<MigrationState>> {
    migrate(db, migrations, Some(version), None).await
}

/// Runs [`run`], or [`to`] with a version, in a database that has an index of its own. The index is
/// dropped before a migration that names its table, and made afterwards, also after a failure.
///
/// # Errors
/// As [`run`] and [`to`].
pub async fn migrate(
    db: &Db,
    migrations: &Migrations,
    version: Option<i64>,
    index: Option<LowerIndex>,
) -> Result<Vec<MigrationState>> {
    let moved = move_to(db, migrations, version, index.as_ref()).await;
    let made = match &index {
        Some(index) => db.make_lower_index(index).await,
        None => Ok(()),
    };
    // Of two errors the first one counts.
    let moved = moved?;
    made.map(|()| moved)
}

async fn move_to(
    db: &Db,
    migrations: &Migrations,
    version: Option<i64>,
    index: Option<&LowerIndex>,
) -> Result<Vec<MigrationState>> {
    let mut moved = match version {
        Some(version) => undo(db, migrations, version, index).await?,
        None => Vec::new(),
    };
    create_table(db, db.dialect().migrations_table()).await?;
    let states = states(db, migrations).await?;
    let pending = Plan::pending(db, &states, version.unwrap_or(i64::MAX), index);
    moved.extend(pending.run(db).await?);
    Ok(moved)
}

/// Every migration in order, and whether it was applied.
///
/// # Errors
/// The database's error.
pub async fn status(db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
    let states = states(db, migrations).await?;
    Ok(states.into_iter().map(|(state, _)| state).collect())
}

/// The migrations that were not applied yet, in order, and those that are half undone.
///
/// # Errors
/// The database's error.
pub async fn pending(db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
    let mut states = status(db, migrations).await?;
    states.retain(MigrationState::is_pending);
    Ok(states)
}

/// Refuses where a migration was not applied yet: for commands that need all tables.
///
/// # Errors
/// 409; the database's error.
pub async fn require_applied(db: &Db, migrations: &Migrations) -> Result<()> {
    match pending(db, migrations).await?.as_slice() {
        [] => Ok(()),
        _ => Err(Error::conflict(
            "migrations are pending: run `migrate` first",
        )),
    }
}

/// The plan of a run, which is not carried out.
#[derive(Debug)]
pub struct DryRun {
    /// The migrations in order, each with the SQL that it would run, and its state afterwards.
    pub steps: Vec<(MigrationState, String)>,
    /// Why the run would stop then.
    pub stops: Option<Error>,
}

/// The plan of [`run`], or of [`to`] with a version, without running it. It does not look for rows or
/// values that would be lost: an earlier step may change them.
///
/// # Errors
/// The database's error; as [`to`], of what is known before.
pub async fn dry_run(db: &Db, migrations: &Migrations, version: Option<i64>) -> Result<DryRun> {
    let mut states = states(db, migrations).await?;
    let mut steps = Vec::new();
    if let Some(version) = version {
        steps = undoing(db, &states, version)?;
        for (state, _) in states.iter_mut().filter(|(one, _)| one.version > version) {
            *state = state.after(false);
        }
    }
    let plan = Plan::pending(db, &states, version.unwrap_or(i64::MAX), None);
    steps.extend(plan.steps);
    let text = |(state, step)| (state, left(db, &step));
    Ok(DryRun {
        steps: steps.into_iter().map(text).collect(),
        stops: plan.stops,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{database::DatabaseOptions, value::Value};

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
    async fn migrations_run_once_in_one_sequence_over_extensions() {
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
    async fn two_migrations_of_one_second_both_run() {
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
    async fn a_dry_run_lists_the_migrations_and_runs_none() {
        let db = memory().await;
        let all: [(&str, &[Migration]); 2] = [("cart", MENUS), ("local", PLACES)];
        let planned = dry_run(&db, &all, None).await.expect("a plan");
        let steps = planned.steps.iter();
        let names: Vec<&str> = steps.map(|(state, _)| state.name).collect();
        assert_eq!(names, ["create_places", "create_menus", "fill"]);
        assert!(planned.steps[2].1.starts_with("INSERT INTO menus"));
        assert_eq!(pending(&db, &all).await.expect("pending").len(), 3);
        run(&db, &all).await.expect("applied");
        let planned = dry_run(&db, &all, None).await.expect("a plan");
        assert!(planned.steps.is_empty());
    }

    #[tokio::test]
    async fn one_of_several_runners_applies_each_migration() {
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
    async fn a_migration_that_breaks_foreign_keys_is_rolled_back() {
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
