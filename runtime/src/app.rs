//! Assembly: assembles a service from its configuration, its extensions and the compiled parts, and
//! mounts it.

use std::{ops::Deref, sync::Arc};

use axum::Router;
use chrono::{SubsecRound, Utc};
use formwork_data::{
    database::{DatabaseOptions, Db},
    error::Result,
};

use formwork_core::{
    config::Config,
    extension::{self, Extension},
    routing,
    state::ServiceState,
};

pub use formwork_core::state::{Clock, Statements};

/// A service, assembled. It derefs to [`ServiceState`], which its requests share.
pub struct App {
    state: Arc<ServiceState>,
    extensions: Vec<Box<dyn Extension>>,
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
/// The errors of [`App::start`].
pub async fn router(config: Config, extensions: Vec<Box<dyn Extension>>) -> Result<Router> {
    let app = App::start(config, extensions).await?;
    app.settle().await;
    Ok(app.router())
}

impl App {
    /// Registers the extensions and opens the database. Before the first request call `settle`, which
    /// tells the extensions that the service starts: [`router`] and the console do.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration, or the error of the database.
    pub async fn start(config: Config, extensions: Vec<Box<dyn Extension>>) -> Result<Arc<Self>> {
        let db = Db::connect(&DatabaseOptions::from(&config.database)).await?;
        Self::with_db(config, extensions, db)
    }

    /// As [`App::start`], with a database that is open already.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration.
    pub fn with_db(
        config: Config,
        extensions: Vec<Box<dyn Extension>>,
        db: Db,
    ) -> Result<Arc<Self>> {
        let clock: Clock = Arc::new(|| Utc::now().trunc_subsecs(0));
        Self::assemble(config, extensions, db, clock)
    }

    /// As [`App::start`], with an open database and a clock that a test may hold.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration.
    pub fn assemble(
        config: Config,
        extensions: Vec<Box<dyn Extension>>,
        db: Db,
        clock: Clock,
    ) -> Result<Arc<Self>> {
        let mut all = parts();
        all.extend(extensions);
        let parts = extension::parts(&config, &all)?;
        Ok(Arc::new(Self {
            state: Arc::new(ServiceState::new(config, parts, db, clock)?),
            extensions: all,
        }))
    }

    /// The extensions: those of the runtime first.
    pub fn extensions(&self) -> &[Box<dyn Extension>] {
        &self.extensions
    }

    /// Before the first request: every extension is told that the service starts.
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
        routing::router(&self.state, &self.extensions)
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

/// Whether this build answers Prometheus.
pub(crate) const HAS_METRICS: bool = cfg!(feature = "metrics");

/// The parts of the runtime that are extensions, if their features are on.
fn parts() -> Vec<Box<dyn Extension>> {
    vec![
        Box::new(formwork_core::accounts::Accounts),
        #[cfg(feature = "redis")]
        Box::new(formwork_redis::CountsInRedis),
        #[cfg(feature = "metrics")]
        Box::new(formwork_metrics::Metrics),
        #[cfg(feature = "openapi")]
        Box::new(formwork_openapi::Described),
        #[cfg(feature = "admin")]
        Box::new(formwork_admin::AdminArea),
    ]
}
