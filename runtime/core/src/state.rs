//! The state of a service: what all its requests share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use formwork_data::{
    database::Db,
    error::{Error, Result},
    migration::{self, Migration},
    value::DateTime,
};
use tokio::sync::Mutex;
use tokio_util::task::TaskTracker;

use crate::{
    auth::{self, Auth, Caller, CustomerTable},
    config::Config,
    context::Context,
    decisions::Decisions,
    extension::{Extension, Permission},
    limits::Limits,
    migrations,
    registry::Registry,
    shared::Shared,
    tag_key::{TagKey, TagKeys},
    type_map::TypeMap,
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
pub struct ServiceState {
    config: Config,
    extensions: Vec<Box<dyn Extension>>,
    registry: Registry,
    auth: Auth,
    db: Db,
    clock: Clock,
    limits: Limits,
    tag_keys: TagKeys,
    parts: TypeMap,
    decisions: Option<Arc<dyn Decisions>>,
    stopping: AtomicBool,
    readiness: Mutex<Readiness>,
    work: TaskTracker,
}

impl ServiceState {
    /// The state of a service of these extensions.
    ///
    /// # Errors
    ///
    /// 500 with every mistake of the registration, and what an extension finds wrong.
    pub fn new(
        config: Config,
        extensions: Vec<Box<dyn Extension>>,
        db: Db,
        clock: Clock,
    ) -> Result<Self> {
        let registry =
            Registry::new(&extensions).map_err(|mistakes| Error::internal(mistakes.join("\n")))?;
        let shared = Shared::of(&config)?;
        let customers = customers(&config, &registry)?;
        let auth = Auth::counting(&config.auth, customers, db.dialect(), shared.clone());
        let limits = Limits::new(&config, shared);
        let mut parts = TypeMap::default();
        for extension in &extensions {
            extension.prepare(&config, &registry, &mut parts)?;
        }
        // The parts of the runtime come first: an extension of the project replaces their decisions.
        let mut last_first = extensions.iter().rev();
        let decisions = last_first.find_map(|extension| extension.decisions());
        Ok(Self {
            config,
            extensions,
            registry,
            auth,
            db,
            clock,
            limits,
            tag_keys: TagKeys::new()?,
            parts,
            decisions,
            stopping: AtomicBool::new(false),
            readiness: Mutex::default(),
            work: TaskTracker::new(),
        })
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
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The key of entity tags.
    ///
    /// # Errors
    ///
    /// What the database answers; 500 where it holds no key.
    pub(crate) async fn tag_key(&self, db: &Db) -> Result<TagKey> {
        self.tag_keys.read(db).await
    }

    /// What a part of the service keeps for itself, by its type.
    pub fn part<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.get()
    }

    /// Before the first request: every extension is told that the service starts.
    pub async fn settle(self: &Arc<Self>) {
        for extension in &self.extensions {
            if let Err(error) = extension.start(self).await {
                let extension = extension.name();
                tracing::error!(extension, %error, "an extension did not start");
            }
        }
    }

    /// Sees to it that what is known of decisions about actions is young enough for a request.
    ///
    /// # Errors
    ///
    /// 503 where nothing is known yet.
    pub async fn keep_up(self: &Arc<Self>, now: DateTime) -> Result<()> {
        match &self.decisions {
            Some(decisions) => decisions.keep_up(self, now).await,
            None => Ok(()),
        }
    }

    /// Reads what is decided about actions, before somebody asks what is enabled.
    pub async fn look_up(&self) {
        if let Some(decisions) = &self.decisions
            && let Err(error) = decisions.refresh(self).await
        {
            tracing::warn!(%error, "the settings of resources were not read");
        }
    }

    /// The permissions an administrator may hold: the runtime's own first.
    pub fn permissions(&self) -> Vec<Permission> {
        let extensions = self.extensions.iter();
        extensions
            .flat_map(|extension| extension.permissions())
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
        let own = migrations::own(&self.config.auth);
        let own = own.map(|migrations| (auth::EXTENSION, migrations));
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
    pub async fn missing(&self) -> Option<&'static str> {
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

    /// From now on [`ServiceState::check_ready`] says no, so that balancers send nothing more.
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
