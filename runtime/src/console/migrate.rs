//! `migrate` and `seed`.

use std::sync::Arc;

use formwork_core::config::Config;
use formwork_data::{
    database::{self, Db},
    error::{Error, Result},
    migration::{self, Halfway},
};

use crate::{app::App, service::Service};

/// The service for looking only: where there is no database yet, no file is made.
pub(super) async fn untouching(config: Config, service: Service) -> Result<Arc<App>> {
    if database::is_missing(&config.database.url)? {
        let db = Db::nowhere().await?;
        let db = db.with_table_prefix(&config.database.table_prefix);
        return service.on(config, db);
    }
    service.start(config).await
}

/// Applies what is pending.
pub(super) async fn migrate(app: &App) -> Result<()> {
    let applied = app.auth().migrate(app.db(), app.migrations()).await?;
    for migration in &applied {
        println!("applied  {migration}");
    }
    if applied.is_empty() {
        println!("Nothing to migrate.");
    }
    Ok(())
}

/// Brings the database to the state after a version.
pub(super) async fn migrate_to(app: &App, version: i64) -> Result<()> {
    let (auth, db) = (app.auth(), app.db());
    let moved = auth.migrate_to(db, app.migrations(), version).await?;
    for migration in &moved {
        let word = if migration.applied {
            "applied"
        } else {
            "undone "
        };
        println!("{word}  {migration}");
    }
    if moved.is_empty() {
        println!("Nothing to migrate.");
    }
    Ok(())
}

/// Prints the SQL that would run, and why the run would stop.
pub(super) async fn dry_run(app: &App, version: Option<i64>) -> Result<()> {
    let (db, migrations) = (app.db(), app.migrations());
    let planned = migration::dry_run(db, migrations, version).await?;
    for (migration, sql) in &planned.steps {
        let undoes = if migration.applied { "" } else { "Undoes " };
        println!("-- {undoes}{migration}\n{}\n", sql.trim_end());
    }
    if let Some(error) = planned.stops {
        return Err(error);
    }
    if planned.steps.is_empty() {
        println!("Nothing to migrate.");
    }
    Ok(())
}

/// Lists every migration.
pub(super) async fn status(app: &App) -> Result<()> {
    for state in migration::status(app.db(), app.migrations()).await? {
        match state.halfway {
            Some(Halfway::Applied(done)) => println!("halfway  {state}: {done} statements done"),
            Some(Halfway::Undone(done)) => {
                println!("half undone  {state}: {done} statements of its down part done");
            }
            None if state.applied => println!("applied  {state}"),
            None => println!("pending  {state}"),
        }
    }
    Ok(())
}

/// Runs the seeds of all extensions, in their order, in one transaction: all or nothing. The rows
/// of one may refer to rows of a later one.
pub(super) async fn seed(app: &Arc<App>) -> Result<()> {
    migration::require_applied(app.db(), app.migrations()).await?;
    let transaction = app.db().begin().await?;
    transaction.defer_foreign_keys().await?;
    let ctx = app.context().with_db(transaction.db().clone());
    for extension in app.extensions() {
        extension.seed(&ctx).await.map_err(|error| {
            let why = error_message(&error);
            Error::internal(format!("the seed of {}: {why}", extension.name()))
        })?;
    }
    transaction.commit().await.map_err(unfit)?;
    println!("Seeded.");
    Ok(())
}

/// Why the rows of the seeds cannot be committed.
fn unfit(error: Error) -> Error {
    match error {
        Error::Conflict(_) => Error::internal("the seeds refer to rows that no seed inserts"),
        other => other,
    }
}

/// What the console prints of an error. It may show details that clients may not see.
pub(super) fn error_message(error: &Error) -> String {
    match error {
        Error::Validation(errors) => {
            let messages = errors.iter().flat_map(|(_, messages)| messages).cloned();
            messages.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}
