//! `resources sync`.

use formwork_admin as admin;

use super::{failure::Outcome, migrate::require_migrated};
use crate::app::App;

/// Writes a row for each resource without one, deletes those of resources that are gone, and prints
/// both. Only this command deletes rows that no administrator selected.
pub(super) async fn sync(app: &App) -> Outcome {
    require_migrated(app).await?;
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
