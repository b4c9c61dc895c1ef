//! The decisions of the table, held in memory: so requests need no further statement.
//!
//! The replica that saves a decision uses it at once, the others after they read the table again.
//! They read it when a request comes and their copy is old: an idle service sends no statements.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use formwork_core::state::ServiceState;
use formwork_data::{
    database::Db,
    error::{Error, Result},
    value::DateTime,
};
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::{meta::Meta, rows};

/// Seconds after which the decisions are read again, in the background.
pub const REREAD_AFTER: i64 = 2;

/// Seconds after which they are read again before a request is answered: every replica uses a
/// decision within this time.
pub const BELIEVED_FOR: i64 = 5;

/// How long a request waits for that. Where the database does not answer, the last known decisions
/// apply.
const PATIENCE: Duration = Duration::from_secs(1);

/// When the decisions were read last.
#[derive(Debug)]
pub(super) struct Settings {
    /// The second; [`NEVER`] before the first time.
    read_at: AtomicI64,
    /// One reads at a time: so an earlier read never replaces a later one.
    reading: Arc<Mutex<()>>,
}

const NEVER: i64 = i64::MIN;

impl Default for Settings {
    fn default() -> Self {
        Self {
            read_at: AtomicI64::new(NEVER),
            reading: Arc::default(),
        }
    }
}

/// Returns the settings of this service.
pub(super) fn of(app: &ServiceState) -> Result<&Arc<Settings>> {
    app.part()
        .ok_or_else(|| Error::internal("this service has no admin area"))
}

impl Settings {
    /// The age of the copy, in seconds. A clock that was set back makes it old.
    fn age(&self, now: DateTime) -> i64 {
        let age = now
            .timestamp()
            .saturating_sub(self.read_at.load(Ordering::Relaxed));
        if age < 0 { i64::MAX } else { age }
    }

    /// Makes sure that the decisions are recent enough for a request.
    ///
    /// # Errors
    ///
    /// 503 where the decisions were never read: contexts are not guessed.
    pub async fn keep_up(self: &Arc<Self>, app: &Arc<ServiceState>, now: DateTime) -> Result<()> {
        match self.age(now) {
            ..REREAD_AFTER => Ok(()),
            REREAD_AFTER..BELIEVED_FOR => {
                if let Ok(turn) = Arc::clone(&self.reading).try_lock_owned() {
                    let (own, app) = (Arc::clone(self), Arc::clone(app));
                    tokio::spawn(async move {
                        let db = app.db().for_request();
                        own.read(&app, &db, now, turn).await
                    });
                }
                Ok(())
            }
            // In a box, so that the futures of other requests stay small.
            _ => Box::pin(self.catch_up(app, now)).await,
        }
    }

    async fn catch_up(&self, app: &ServiceState, now: DateTime) -> Result<()> {
        let reading = async {
            let turn = Arc::clone(&self.reading).lock_owned().await;
            if self.age(now) < REREAD_AFTER {
                return Ok(());
            }
            self.read(app, &app.db().for_request(), now, turn).await
        };
        let is_first = self.read_at.load(Ordering::Relaxed) == NEVER;
        match tokio::time::timeout(PATIENCE, reading).await {
            Ok(read) => read,
            Err(_) if is_first => Err(Error::Unavailable("The database is busy.".to_owned())),
            Err(_) => Ok(()),
        }
    }

    /// Reads the table now: a decision was saved here, or the list is opened.
    ///
    /// # Errors
    ///
    /// 503 where the decisions were never read.
    pub async fn refresh(&self, app: &ServiceState, db: &Db) -> Result<()> {
        let turn = Arc::clone(&self.reading).lock_owned().await;
        self.read(app, db, app.now(), turn).await
    }

    async fn read(
        &self,
        app: &ServiceState,
        db: &Db,
        now: DateTime,
        _turn: OwnedMutexGuard<()>,
    ) -> Result<()> {
        let decided = match decisions(db).await {
            Ok(decided) => decided,
            Err(error) if self.read_at.load(Ordering::Relaxed) == NEVER => {
                return Err(unknown(&error));
            }
            Err(error) => {
                tracing::warn!(%error, "the settings of resources were not read: the last known ones are used");
                self.read_at.store(now.timestamp(), Ordering::Relaxed);
                return Ok(());
            }
        };
        apply(app, &decided);
        self.read_at.store(now.timestamp(), Ordering::Relaxed);
        Ok(())
    }
}

/// The decisions were never read: every request is refused, so that a decision that switches an
/// action off is never ignored.
fn unknown(error: &Error) -> Error {
    tracing::error!(%error, "the settings of resources could not be read: requests are refused");
    Error::Unavailable("The settings of the service cannot be read.".to_owned())
}

/// The decisions; empty where there is no table yet.
async fn decisions(db: &Db) -> Result<Vec<(String, String)>> {
    match rows::decisions(db).await {
        Err(_) if !db.has_table(rows::TABLE).await? => Ok(Vec::new()),
        decided => decided,
    }
}

fn apply(app: &ServiceState, decided: &[(String, String)]) {
    let registry = app.registry();
    for (_, entry) in registry.entries() {
        let mut decided = decided.iter();
        let decision = decided.find(|(endpoint, _)| endpoint == entry.key);
        let meta = decision.map(|(_, text)| Meta::read(text));
        let changed = registry.grant(entry.key, meta.as_ref().map(|meta| &meta.on[..]));
        for fault in meta
            .iter()
            .flat_map(|meta| &meta.faults)
            .filter(|_| changed)
        {
            tracing::error!(
                resource = entry.key,
                "settings in api_resources are damaged. {fault}"
            );
        }
    }
}
