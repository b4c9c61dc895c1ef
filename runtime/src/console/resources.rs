//! `resources sync`.

use formwork_data::migration;

use super::failure::{Failure, Outcome};
use formwork_admin as admin;

use crate::app::App;

/// Writes a row for each resource without one, deletes those of resources that are gone, and prints
/// both. Only this command deletes rows that no administrator selected.
pub(super) async fn sync(app: &App) -> Outcome {
    let pending = migration::pending(app.db(), app.migrations()).await?;
    if !pending.is_empty() {
        return Err(Failure::new("migrations are pending: run `migrate` first"));
    }
    let synced = admin::sync(app).await?;
    for key in &synced.added {
        println!("added    {key}");
    }
    for key in &synced.removed {
        println!("removed  {key}");
    }
    if synced.added.is_empty() && synced.removed.is_empty() {
        println!("Nothing to sync.");
    }
    Ok(())
}
