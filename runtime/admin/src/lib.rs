//! The admin area (`admin.path`): settings of actions, and access tokens.
//!
//! Pages are made on the server, and work without scripts. Decisions are stored in the database,
//! and every replica holds them in memory.

mod admin_request;
mod assets;
mod cookies;
mod guard;
mod markdown;
mod meta;
mod pages;
mod path;
mod routes;
mod rows;
mod screens;
mod sessions;
mod settings;
mod sync;

use std::sync::Arc;

use axum::Router;
use formwork_data::{error::Result, migration::Migration, value::DateTime};

use formwork_core::{
    auth,
    command::Command,
    config::Config,
    decisions::Decisions,
    extension::{BoxFuture, Extension, Permission},
    registry::Registry,
    state::ServiceState,
    type_map::TypeMap,
};

pub use sessions::{IDLE, LIFETIME};
use settings::Settings;
pub use settings::{BELIEVED_FOR, REREAD_AFTER};

/// The area, as an extension of a service.
pub struct AdminArea;

impl Extension for AdminArea {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn migrations(&self) -> &'static [Migration] {
        &[rows::MIGRATION, sessions::MIGRATION]
    }

    fn permissions(&self) -> Vec<Permission> {
        vec![Permission {
            code: guard::MANAGE,
            label: "Manage APIs: actions, who may use them, access tokens",
        }]
    }

    fn prepare(&self, config: &Config, registry: &Registry, parts: &mut TypeMap) -> Result<()> {
        path::check(config, registry)?;
        parts.insert(Arc::<Settings>::default());
        Ok(())
    }

    fn decisions(&self) -> Option<Arc<dyn Decisions>> {
        Some(Arc::new(Self))
    }

    /// Resources without a row in the table get one, and the decisions are read. Where the table is
    /// missing, the registration applies.
    fn start<'a>(&'a self, app: &'a Arc<ServiceState>) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            if app.missing().await.is_none()
                && let Err(error) = sync::start(app, &app.db().for_request()).await
            {
                tracing::warn!(%error, "resources were not written to their table");
            }
            app.look_up().await;
            Ok(())
        })
    }

    fn commands(&self) -> Vec<Command> {
        vec![sync::command()]
    }

    /// Pages of other origins may not use the area.
    fn layers(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        router.merge(routes::router(app))
    }
}

impl Decisions for AdminArea {
    fn keep_up<'a>(
        &'a self,
        app: &'a Arc<ServiceState>,
        now: DateTime,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move { settings::of(app)?.keep_up(app, now).await })
    }

    fn refresh<'a>(&'a self, app: &'a ServiceState) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let settings = settings::of(app)?;
            settings.refresh(app, &app.db().for_request()).await
        })
    }
}
