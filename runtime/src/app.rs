//! Assembly: assembles a service from its configuration, its extensions and the compiled parts, and
//! mounts it.

use std::{ops::Deref, sync::Arc};

use axum::Router;
use chrono::{SubsecRound, Utc};
use formwork_data::{database::Db, error::Result};

use formwork_core::{
    config::Config,
    extension::{self, Extension},
    routing::{self, layers},
    state::ServiceState,
};

use crate::service::{Enclosing, Service, service};

pub use formwork_core::state::{Clock, Statements};

/// A service, assembled. It derefs to [`ServiceState`], which its requests share.
pub struct App {
    state: Arc<ServiceState>,
    extensions: Vec<Box<dyn Extension>>,
    layers: Vec<Enclosing>,
}

impl Deref for App {
    type Target = Arc<ServiceState>;

    fn deref(&self) -> &Arc<ServiceState> {
        &self.state
    }
}

/// The service as a part of any axum application.
///
/// # Errors
///
/// The errors of [`Service::start`].
pub async fn router(config: Config, extensions: Vec<Box<dyn Extension>>) -> Result<Router> {
    service(extensions).router(config).await
}

impl Service {
    /// The service as a part of any axum application.
    ///
    /// # Errors
    ///
    /// The errors of [`Service::start`].
    pub async fn router(self, config: Config) -> Result<Router> {
        let app = self.start(config).await?;
        app.settle().await;
        Ok(app.router())
    }

    /// Registers the extensions and opens the database. Before the first request call `settle` of the
    /// [`App`], which tells the extensions that the service starts.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration and of the settings, or the error of the database.
    pub async fn start(self, config: Config) -> Result<Arc<App>> {
        let db = Db::connect(&config.database).await?;
        self.on(config, db)
    }

    /// On this database, with the system's clock.
    pub(crate) fn on(self, config: Config, db: Db) -> Result<Arc<App>> {
        self.assemble(config, db, Arc::new(|| Utc::now().trunc_subsecs(0)))
    }

    /// As [`Service::start`], with an open database and a clock that a test may hold.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration and of the settings.
    pub fn assemble(mut self, config: Config, db: Db, clock: Clock) -> Result<Arc<App>> {
        let kept = self.made_state(&config)?;
        let authenticators = self.made_authenticators(&kept)?;
        let mut all = parts();
        all.extend(self.extensions);
        // Last, so that it measures the routes that others add to the router.
        #[cfg(feature = "metrics")]
        all.push(Box::new(formwork_metrics::Metrics));
        let parts = extension::parts(&config, &all, kept, authenticators)?;
        Ok(Arc::new(App {
            state: Arc::new(ServiceState::new(config, parts, db, clock)?),
            extensions: all,
            layers: self.layers,
        }))
    }
}

impl App {
    /// The extensions: those of the runtime first.
    pub fn extensions(&self) -> &[Box<dyn Extension>] {
        &self.extensions
    }

    /// Calls `start` of every extension, before the first request.
    pub async fn settle(&self) {
        for extension in &self.extensions {
            if let Err(error) = extension.start(&self.state).await {
                let extension = extension.name();
                tracing::error!(extension, %error, "an extension did not start");
            }
        }
    }

    /// Its routes and everything around them, as an axum router.
    pub fn router(&self) -> Router {
        let router = routing::router(&self.state, &self.extensions);
        layers::enclosed(router, &self.state, &self.layers)
    }

    /// Its description in OpenAPI 3.1, with a member a line.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    #[cfg(feature = "openapi")]
    pub fn openapi(&self) -> Result<String> {
        formwork_openapi::pretty(&self.state)
    }
}

/// The parts of the runtime that are extensions, if their features are on; without metrics, which are
/// around all of them.
pub(crate) fn parts() -> Vec<Box<dyn Extension>> {
    vec![
        Box::new(formwork_core::accounts::Accounts),
        #[cfg(feature = "redis")]
        Box::new(formwork_redis::CountsInRedis),
        #[cfg(feature = "oidc")]
        Box::new(formwork_oidc::Identities),
        #[cfg(feature = "openapi")]
        Box::new(formwork_openapi::Described),
        #[cfg(feature = "docs")]
        Box::new(formwork_openapi::Page),
        #[cfg(feature = "admin")]
        Box::new(formwork_admin::AdminArea),
    ]
}

/// The pages for people, if their features are on: the name and the path of each.
pub(crate) fn pages(config: &Config) -> Vec<(&'static str, String)> {
    let prefix = &config.api.prefix;
    vec![
        ("API", prefix.clone()),
        #[cfg(feature = "docs")]
        ("Reference", format!("{prefix}/docs")),
        #[cfg(feature = "admin")]
        (
            "Admin area",
            config.setting("admin.path").unwrap_or_default().to_owned(),
        ),
    ]
}

/// Commands of parts that are not built in, and the error of each.
pub(crate) fn lacking_commands() -> impl Iterator<Item = (&'static str, &'static str)> {
    let admin = "this service was built without the admin area (the feature `admin` of formwork)";
    let openapi =
        "this service was built without its description (the feature `openapi` of formwork)";
    lacking([
        (cfg!(feature = "admin"), "resources", admin),
        (cfg!(feature = "openapi"), "openapi", openapi),
    ])
}

/// Keys of parts that are not built in, and the warning about each.
pub(crate) fn lacking_keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    let metrics = "metrics.addr: build with the feature `metrics`";
    lacking([(cfg!(feature = "metrics"), "metrics.addr", metrics)])
}

/// The message about each name whose part is not built in.
fn lacking<const N: usize>(
    parts: [(bool, &'static str, &'static str); N],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let parts = parts.into_iter().filter(|(built_in, ..)| !built_in);
    parts.map(|(_, name, message)| (name, message))
}
