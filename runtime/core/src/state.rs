//! The state of a service: what all its requests share.

mod background;

use std::{
    any::type_name,
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use formwork_data::{
    database::{Db, Share},
    error::{Error, Result},
    migration::{self, Migration},
    value::{DateTime, Value},
};
use tokio::sync::Mutex;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use crate::clock::Clock;
pub(crate) use background::panic_message;

use crate::{
    auth::{self, Auth, Caller, CustomerTable},
    config::Config,
    context::Context,
    idempotency_keys,
    input::example,
    limits::{Counted, Limits},
    per_caller::PerCaller,
    permission::Permission,
    registry::Registry,
    shared::Shared,
    tag_key::{self, TagKey, TagKeys},
    type_map::TypeMap,
};

/// How many statements an answer took: in the extensions of the axum response, and in the log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statements(pub u64);

/// How long an answer to whether the service is ready is reused: frequent checks must not occupy
/// the pool.
const BELIEVED: Duration = Duration::from_secs(1);

/// When the database was last checked, and the problem.
type Readiness = Option<(Instant, Option<&'static str>)>;

/// The state that all requests of a service share.
pub struct ServiceState {
    config: Config,
    parts: Parts,
    auth: Auth,
    db: Db,
    clock: Clock,
    limits: Limits,
    shares: PerCaller<Counted, Share>,
    tag_keys: TagKeys,
    stopping: CancellationToken,
    readiness: Mutex<Readiness>,
    work: TaskTracker,
}

/// The part of a service's state that extensions bring.
pub struct Parts {
    /// Resources, models and routes.
    pub registry: Registry,
    /// Migrations, with the name of the extension that brings them.
    pub migrations: Vec<(&'static str, &'static [Migration])>,
    /// The permissions an administrator may hold.
    pub permissions: Vec<Permission>,
    /// The reference docs of resources: keys, and Markdown.
    pub docs: Vec<(&'static str, &'static str)>,
    /// The state that the service was given, and values of the extensions' own.
    pub kept: TypeMap,
}

impl ServiceState {
    /// The state of a service.
    ///
    /// # Errors
    ///
    /// 500 where the configuration does not match the registry.
    #[doc(hidden)]
    pub fn new(config: Config, mut parts: Parts, db: Db, clock: Clock) -> Result<Self> {
        let shared = parts.kept.get::<Shared>().cloned().unwrap_or_default();
        let customers = customers(&config, &parts.registry)?;
        let attempts = (shared.clone(), Arc::clone(&clock));
        let auth = Auth::counting(&config.auth, customers, db.dialect(), attempts);
        let limits = Limits::new(&config, shared, Arc::clone(&clock));
        let own = [
            auth::migrations(&config.auth),
            tag_key::MIGRATIONS,
            idempotency_keys::MIGRATIONS,
        ];
        let own = own.map(|migrations| (auth::EXTENSION, migrations));
        parts.migrations.splice(..0, own);
        Ok(Self {
            config,
            parts,
            auth,
            db,
            clock,
            limits,
            shares: PerCaller::default(),
            tag_keys: TagKeys::new()?,
            stopping: CancellationToken::new(),
            readiness: Mutex::default(),
            work: TaskTracker::new(),
        })
    }

    /// The configuration that the service was started with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Everything that is registered.
    pub fn registry(&self) -> &Registry {
        &self.parts.registry
    }

    /// Accounts and tokens.
    pub fn auth(&self) -> &Auth {
        &self.auth
    }

    /// The pool of connections of the database, outside of any transaction.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Counts of requests.
    #[doc(hidden)]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the shares of the pool that callers have.
    pub(crate) fn shares(&self) -> &PerCaller<Counted, Share> {
        &self.shares
    }

    /// The key of entity tags.
    ///
    /// # Errors
    ///
    /// The database's error; 500 where it holds no key.
    pub(crate) async fn tag_key(&self, db: &Db) -> Result<TagKey> {
        self.tag_keys.read(db).await
    }

    /// A value that the service was given, or that an extension kept, by its type.
    pub fn part<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.kept.get()
    }

    /// As [`ServiceState::part`], where the value has to be there.
    ///
    /// # Errors
    ///
    /// 500 where the service was not given a value of this type; the log names the type.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<&T> {
        self.part().ok_or_else(Self::not_given::<T>)
    }

    /// As [`ServiceState::state`], shared.
    ///
    /// # Errors
    ///
    /// As [`ServiceState::state`].
    pub fn shared_state<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.parts.kept.shared().ok_or_else(Self::not_given::<T>)
    }

    fn not_given<T>() -> Error {
        let name = type_name::<T>();
        Error::internal(format!(
            "the service has no state of the type `{name}`: add `.state(…)` in src/service.rs, and \
             let src/main.rs run `service().console()`"
        ))
    }

    /// The permissions an administrator may hold.
    pub fn permissions(&self) -> &[Permission] {
        &self.parts.permissions
    }

    /// The reference docs of a resource, in Markdown: those of its extension, or else of its
    /// controller; empty where neither does.
    pub fn docs(&self, key: &str) -> &'static str {
        let mut docs = self.parts.docs.iter();
        let handed = docs.find(|(known, _)| *known == key).map(|(_, text)| *text);
        let resource = || self.registry().find(key)?.resource.as_ref();
        let own = || resource().map(|resource| resource.controller.docs());
        handed.or_else(own).unwrap_or_default()
    }

    /// The time, in whole seconds.
    pub fn now(&self) -> DateTime {
        (self.clock)()
    }

    /// A context outside of any request, of an administrator: seeds, console, tests.
    pub fn context(self: &Arc<Self>) -> Context {
        Context::outside(Arc::clone(self), Caller::system())
    }

    /// Every migration, with the name of its extension: the runtime's first.
    pub fn migrations(&self) -> &[(&'static str, &'static [Migration])] {
        &self.parts.migrations
    }

    /// Whether requests can be answered: the database answers, its tables are up to date, and the
    /// service is not stopping. The database is checked once a second at most.
    ///
    /// # Errors
    ///
    /// 503 saying what is missing.
    pub async fn check_ready(&self) -> Result<()> {
        if self.stopping.is_cancelled() {
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

    /// Why the database is not ready.
    pub async fn missing(&self) -> Option<&'static str> {
        match migration::pending(&self.db, self.migrations()).await {
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

    /// Waits for the work that requests began.
    pub async fn finished(&self) {
        self.work.close();
        self.work.wait().await;
    }

    /// From now on [`ServiceState::check_ready`] fails, so that balancers send no more requests, and
    /// tasks of [`ServiceState::spawn`] end.
    pub fn stop(&self) {
        self.stopping.cancel();
    }
}

/// Values that columns accept, by their tables and names.
fn examples(registry: &Registry) -> impl Fn(&str, &str) -> Option<Value> + use<> {
    let entries = registry.entries();
    let entries = entries.map(|(_, entry)| entry.columns_and_rules());
    let known: HashMap<&str, _> = entries.map(|it| (it.0.table, it)).collect();
    move |table, column| {
        let (schema, attributes) = known.get(table)?;
        Some(example(schema.column(column)?, attributes))
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
    let customers = CustomerTable::new(table, schema.key, &schema.columns);
    let customers = customers.map_err(Error::internal)?;
    Ok(customers.with_examples(examples(registry)))
}
