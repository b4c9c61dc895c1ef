//! A service: what all its requests share, and how it is mounted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::Router;
use chrono::{SubsecRound, Utc};
use tokio::sync::Mutex;
use tokio_util::task::TaskTracker;

#[cfg(feature = "admin")]
use formwork_data::{
    database::{DatabaseOptions, Db},
    error::{Error, Result},
    migration::{self, Migration},
    value::DateTime,
};

use crate::admin::{self, Admin};
use crate::{
    auth::{self, Auth, Caller, CustomerTable},
    config::Config,
    context::Context,
    etag::{self, TagKeys},
    extension::{Extension, Permission},
    limits::Limits,
    openapi::{self, Description, Descriptions},
    registry::Registry,
    routing,
    shared::Shared,
};

/// Where the time comes from: the system, or what a test holds.
pub type Clock = Arc<dyn Fn() -> DateTime + Send + Sync>;

/// How many statements an answer took: in the extensions of the axum response, and in the log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statements(pub u64);

/// How long it is believed that the service is ready, or why it is not: nobody's asking takes the
/// pool from others.
const BELIEVED: Duration = Duration::from_secs(1);

/// What was found when the database was asked last: what is missing.
type Readiness = Option<(Instant, Option<&'static str>)>;

/// What all requests of a service share.
pub struct App {
    config: Config,
    extensions: Vec<Box<dyn Extension>>,
    registry: Registry,
    auth: Auth,
    db: Db,
    clock: Clock,
    limits: Limits,
    descriptions: Descriptions,
    tag_keys: TagKeys,
    #[cfg(feature = "admin")]
    admin: Admin,
    stopping: AtomicBool,
    readiness: Mutex<Readiness>,
    work: TaskTracker,
}

/// The service as a part of any axum application.
///
/// # Errors
///
/// What [`App::start`] finds wrong.
pub async fn router(config: Config, extensions: Vec<Box<dyn Extension>>) -> Result<Router> {
    let app = App::start(config, extensions).await?;
    app.settle().await;
    Ok(app.router())
}

impl App {
    /// Registers the extensions and opens the database.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration, or what is wrong with the database.
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
        let registry =
            Registry::new(&extensions).map_err(|mistakes| Error::internal(mistakes.join("\n")))?;
        let shared = Shared::of(&config)?;
        let customers = customers(&config, &registry)?;
        let auth = Auth::counting(&config.auth, customers, db.dialect(), shared.clone());
        let limits = Limits::new(&config, shared);
        #[cfg(feature = "admin")]
        let admin = Admin::new(&config, &registry)?;
        let stopping = AtomicBool::new(false);
        Ok(Arc::new(Self {
            config,
            extensions,
            registry,
            auth,
            db,
            clock,
            limits,
            descriptions: Descriptions::default(),
            tag_keys: TagKeys::new()?,
            #[cfg(feature = "admin")]
            admin,
            stopping,
            readiness: Mutex::default(),
            work: TaskTracker::new(),
        }))
    }

    /// Its routes and everything around them, as an axum router.
    pub fn router(self: &Arc<Self>) -> Router {
        routing::router(self)
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The extensions.
    pub fn extensions(&self) -> &[Box<dyn Extension>] {
        &self.extensions
    }

    /// Everything that is registered.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Accounts and tokens.
    pub fn auth(&self) -> &Auth {
        &self.auth
    }

    /// The pool.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Who asked how often.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What it answers, in OpenAPI 3.1.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    pub(crate) fn description(self: &Arc<Self>) -> Result<Description> {
        self.descriptions.current(self)
    }

    /// As [`App::description`], a member a line, for people.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    pub fn openapi(self: &Arc<Self>) -> Result<String> {
        openapi::pretty(self)
    }

    /// The key of entity tags.
    pub(crate) fn tag_keys(&self) -> &TagKeys {
        &self.tag_keys
    }

    /// The admin area.
    #[cfg(feature = "admin")]
    pub(crate) fn admin(&self) -> &Admin {
        &self.admin
    }

    /// Before the first request: resources that nobody has decided anything about have a row in the
    /// table of the admin area, and what is decided there is known. Where the table is not there yet,
    /// what is registered stands.
    pub async fn settle(&self) {
        #[cfg(feature = "admin")]
        {
            if self.missing().await.is_none()
                && let Err(error) = admin::add(self, &self.db.for_request()).await
            {
                tracing::warn!(%error, "resources were not brought to their table");
            }
            self.look_up().await;
        }
    }

    /// Reads what is decided in the admin area, before somebody asks what is enabled.
    pub async fn look_up(&self) {
        #[cfg(feature = "admin")]
        if let Err(error) = self.admin.refresh(self).await {
            tracing::warn!(%error, "the settings of resources were not read");
        }
    }

    /// The permissions an administrator may hold: the runtime's own first.
    pub fn permissions(&self) -> Vec<Permission> {
        #[cfg(feature = "admin")]
        let own = admin::PERMISSIONS.iter().copied();
        #[cfg(not(feature = "admin"))]
        let own = std::iter::empty();
        let extensions = self.extensions.iter();
        own.chain(extensions.flat_map(|extension| extension.permissions()))
            .collect()
    }

    /// The time, in whole seconds.
    pub fn now(&self) -> DateTime {
        (self.clock)()
    }

    /// A context outside of any request, of an administrator: seeds, console, tests.
    pub fn context(self: &Arc<Self>) -> Context {
        Context::outside(Arc::clone(self), Caller::system())
    }

    /// Every migration, with the name of what brings it: the runtime's first.
    pub fn migrations(&self) -> Vec<(&'static str, &'static [Migration])> {
        let own = [
            (auth::EXTENSION, auth::migrations(&self.config.auth)),
            (auth::EXTENSION, etag::MIGRATIONS),
        ];
        let own = own.into_iter();
        #[cfg(feature = "idempotency")]
        let own = own.chain([(auth::EXTENSION, crate::idempotency::MIGRATIONS)]);
        #[cfg(feature = "admin")]
        let own = own.chain([(auth::EXTENSION, admin::MIGRATIONS)]);
        own.chain(
            self.extensions
                .iter()
                .map(|extension| (extension.name(), extension.migrations())),
        )
        .collect()
    }

    /// Whether requests can be answered: the database is there, its tables up to date, and nobody
    /// is stopping the service. The database is asked once a second at most.
    ///
    /// # Errors
    ///
    /// 503 saying what is missing.
    pub async fn check_ready(&self) -> Result<()> {
        if self.stopping.load(Ordering::Relaxed) {
            return Err(Error::Unavailable("The service is stopping.".to_owned()));
        }
        let mut last = self.readiness.lock().await;
        let missing = match *last {
            Some((asked, missing)) if asked.elapsed() < BELIEVED => missing,
            _ => {
                let missing = self.missing().await;
                *last = Some((Instant::now(), missing));
                missing
            }
        };
        match missing {
            None => Ok(()),
            Some(missing) => Err(Error::Unavailable(missing.to_owned())),
        }
    }

    /// What the database lacks.
    async fn missing(&self) -> Option<&'static str> {
        match migration::pending(&self.db, &self.migrations()).await {
            Ok(pending) if pending.is_empty() => None,
            Ok(_) => Some("Migrations are pending."),
            Err(error) => {
                tracing::warn!(error = %error, "the database does not answer");
                Some("The database does not answer.")
            }
        }
    }

    /// Work that goes on when its client hung up: the service does not end before it.
    pub(crate) fn work(&self) -> &TaskTracker {
        &self.work
    }

    /// Done when no work is under way that began with a request.
    pub async fn finished(&self) {
        self.work.close();
        self.work.wait().await;
    }

    /// From now on [`App::check_ready`] says no, so that balancers send nothing more.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }
}

/// The table of customers: the one that is configured, as its model is registered.
fn customers(config: &Config, registry: &Registry) -> Result<CustomerTable> {
    let Some(table) = &config.auth.customers else {
        return Ok(CustomerTable::minimal());
    };
    let source = registry
        .entries()
        .map(|(_, entry)| &entry.source)
        .find(|source| source.schema().table == table)
        .ok_or_else(|| {
            let message = format!("auth.customers names the table `{table}`, which no model has");
            Error::internal(message)
        })?;
    let schema = source.schema();
    CustomerTable::new(table, schema.key, &schema.columns).map_err(Error::internal)
}
