//! `resources sync`: the table of resources, from the console.

use formwork_core::{command::Command, state::ServiceState};
use formwork_data::{error::Result, migration};

use super::sync::{self, Synced};

/// Writes registered resources to their table.
pub(super) fn resources() -> Command {
    let sync = clap::Command::new("sync").about("Write registered resources to the database");
    let arguments = clap::Command::new("resources")
        .about("Resources kept in the database")
        .subcommand_required(true)
        .subcommand(sync);
    Command::new(arguments, async |ctx, _| synchronize(ctx.app()).await)
}

/// Writes a row for each resource without one, deletes those of resources that are gone, and prints
/// both. Only this command deletes rows that no administrator selected.
async fn synchronize(app: &ServiceState) -> Result<()> {
    migration::require_applied(app.db(), app.migrations()).await?;
    let Synced { added, removed } = sync::sync(app).await?;
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
