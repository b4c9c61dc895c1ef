//! Writes a row of the table for each registered resource without one. Existing rows are never
//! changed, and only a command deletes them: another replica may know a resource that this one does
//! not.

use std::collections::BTreeMap;

use formwork_core::{command::Command, state::ServiceState};
use formwork_data::{database::Db, error::Result, migration};

use super::rows::{self, New};

/// The changes to the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Synced {
    /// Keys of resources that have a row from now on.
    added: Vec<String>,
    /// Keys whose rows are deleted, because their resources are not registered any more.
    removed: Vec<String>,
}

/// Writes the missing rows, with one statement for all.
///
/// # Errors
///
/// When the database fails, or does not have the table yet.
pub(crate) async fn add(app: &ServiceState, db: &Db) -> Result<Vec<String>> {
    rows::insert(db, missing(app, db).await?, app.now()).await
}

/// The same when a service starts. A renamed resource takes over the decision about its former key;
/// that row stays, because replicas of the former version use it. (Where the row of a running
/// service is missing, it was deleted to restore the defaults: [`add`] does not copy a decision.)
///
/// # Errors
///
/// When the database fails, or does not have the table yet.
pub(crate) async fn start(app: &ServiceState, db: &Db) -> Result<Vec<String>> {
    let mut missing = missing(app, db).await?;
    if missing.iter().any(|one| !one.former_keys.is_empty()) {
        let decided: BTreeMap<String, String> = rows::decisions(db).await?.into_iter().collect();
        for one in &mut missing {
            let mut former = one.former_keys.iter();
            one.meta = former.find_map(|key| decided.get(*key).cloned());
        }
    }
    rows::insert(db, missing, app.now()).await
}

/// Rows of resources that have none.
async fn missing<'a>(app: &'a ServiceState, db: &Db) -> Result<Vec<New<'a>>> {
    let known = rows::endpoints(db).await?;
    let is_missing = |key: &str| known.iter().all(|(endpoint, _)| endpoint != key);
    Ok(resources(app).filter(|one| is_missing(one.key)).collect())
}

/// Writes missing rows, and deletes rows of resources that are not registered any more, unless they
/// are custom.
///
/// # Errors
///
/// When the database fails, or does not have the table yet.
async fn sync(app: &ServiceState) -> Result<Synced> {
    let added = start(app, app.db()).await?;
    let known = rows::endpoints(app.db()).await?;
    let is_left = |endpoint: &str| resources(app).all(|one| one.key != endpoint);
    let mut removed = Vec::new();
    for (endpoint, is_custom) in known {
        if !is_custom && is_left(&endpoint) && rows::forget(app.db(), &endpoint).await? {
            removed.push(endpoint);
        }
    }
    Ok(Synced { added, removed })
}

/// Registered resources, as rows without a decision.
fn resources(app: &ServiceState) -> impl Iterator<Item = New<'_>> {
    app.registry().entries().filter_map(|(_, entry)| {
        let resource = entry.resource.as_ref()?;
        Some(New {
            key: entry.key,
            name: resource.name,
            description: resource.description,
            former_keys: resource.controller.former_keys(),
            meta: None,
        })
    })
}

/// Returns the command `resources sync`, which writes registered resources to their table.
pub(crate) fn command() -> Command {
    let sync = clap::Command::new("sync").about("Write registered resources to the database");
    let arguments = clap::Command::new("resources")
        .about("Resources kept in the database")
        .subcommand_required(true)
        .subcommand(sync);
    Command::new(arguments, async |ctx, _| sync_from_console(ctx.app()).await)
}

/// Writes a row for each resource without one, deletes those of resources that are gone, and prints
/// both. Only this command deletes rows that no administrator selected.
async fn sync_from_console(app: &ServiceState) -> Result<()> {
    migration::require_applied(app.db(), app.migrations()).await?;
    let Synced { added, removed } = sync(app).await?;
    for key in &added {
        println!("added    {key}");
    }
    for key in &removed {
        println!("removed  {key}");
    }
    if added.is_empty() && removed.is_empty() {
        println!("Nothing to sync.");
    }
    Ok(())
}
