//! `openapi`.

use std::sync::Arc;

use formwork_core::config::Config;
use formwork_data::{
    database::{self, DatabaseOptions, Db},
    error::Result,
};

use super::failure::Outcome;
use crate::{app::App, service::Service};

/// The service to describe. Actions that are switched off are left out if its database can be read;
/// without one, all registered actions are described, and no file is made.
pub(super) async fn app(config: Config, service: Service) -> Result<Arc<App>> {
    if !database::is_missing(&config.database.url)? {
        match Db::connect(&DatabaseOptions::from(&config.database)).await {
            Ok(db) => {
                let app = App::on(service, config, db)?;
                app.look_up().await;
                return Ok(app);
            }
            Err(error) => {
                tracing::warn!(%error, "the database was not read: actions that are switched off are described too");
            }
        }
    }
    App::on(service, config, Db::nowhere().await?)
}

/// Prints the description of the service.
pub(super) fn print(app: &Arc<App>) -> Outcome {
    println!("{}", app.openapi()?);
    Ok(())
}
