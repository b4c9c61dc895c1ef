//! The service of a command that needs no database.

use std::sync::Arc;

use formwork_core::config::Config;
use formwork_data::{
    database::{self, Db},
    error::Result,
};

use crate::{app::App, service::Service};

/// The service, whose actions that are switched off are known if its database can be read; without
/// one, all registered actions are on, and no file is made.
pub(super) async fn app(config: Config, service: Service) -> Result<Arc<App>> {
    if !database::is_missing(&config.database.url)? {
        match Db::connect(&config.database).await {
            Ok(db) => {
                let app = service.on(config, db)?;
                app.look_up().await;
                return Ok(app);
            }
            Err(error) => {
                tracing::warn!(%error, "the database was not read: actions that are switched off are described too");
            }
        }
    }
    service.on(config, Db::nowhere().await?)
}
