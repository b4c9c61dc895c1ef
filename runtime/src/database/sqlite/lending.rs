//! Connections on loan: so many at once, and taken back without asking them anything.
//!
//! sqlx's own pool asks each connection that comes back whether it lives, in a task of its own:
//! wise for a server far away. A file does not go away, and the question costs as much as a short
//! statement. Here a connection whose statement ended well is free at once.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
};

use super::super::Fault;

/// How many connections there are, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// At most, and at least 1.
    pub most: u32,
    /// How many stay open although nobody uses them.
    pub kept: u32,
    /// How long anybody waits for one.
    pub patience: Duration,
    /// How long an unused one stays open; `None`: for ever.
    pub rest: Option<Duration>,
}

/// The connections of a database; cheap to clone.
#[derive(Clone)]
pub(crate) struct Connections(Arc<Home>);

/// Where connections come from and go back to.
struct Home {
    options: SqliteConnectOptions,
    bounds: Bounds,
    /// One for each connection that may be lent.
    places: Arc<Semaphore>,
    /// The one that came back last is lent first, so that the others can be closed.
    free: Mutex<Vec<Free>>,
    closed: AtomicBool,
}

struct Free {
    connection: SqliteConnection,
    since: Instant,
}

impl Connections {
    /// Opens those that stay open, and one in any case: to see whether it can be done.
    ///
    /// # Errors
    /// What the driver says of the file.
    pub async fn open(options: SqliteConnectOptions, bounds: Bounds) -> sqlx::Result<Self> {
        let home = Arc::new(Home {
            options,
            bounds,
            places: Arc::new(Semaphore::new(bounds.most.max(1) as usize)),
            free: Mutex::default(),
            closed: AtomicBool::new(false),
        });
        for _ in 0..bounds.kept.clamp(1, bounds.most.max(1)) {
            let connection = home.options.connect().await?;
            home.take_back(connection);
        }
        if let Some(rest) = bounds.rest {
            tokio::spawn(close_unused(Arc::downgrade(&home), rest));
        }
        Ok(Self(home))
    }

    /// A connection for a while.
    ///
    /// # Errors
    /// 503 when none is free in time, or the service is stopping.
    pub async fn lend(&self) -> Result<Lent, Fault> {
        let place = self.place().await?;
        if self.0.closed.load(Ordering::Acquire) {
            return Err(Fault::of(sqlx::Error::PoolClosed));
        }
        let free = self.0.free().pop();
        let connection = match free {
            Some(free) => free.connection,
            None => self.0.options.connect().await.map_err(Fault::of)?,
        };
        Ok(Lent {
            connection: Some(connection),
            clean: false,
            home: Arc::clone(&self.0),
            place: Some(place),
        })
    }

    /// Lends nothing more, waits until all are back, and closes them.
    pub async fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        let all = self.0.bounds.most.max(1);
        let Ok(_all) = self.0.places.acquire_many(all).await else {
            return;
        };
        let free = std::mem::take(&mut *self.0.free());
        for Free { connection, .. } in free {
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "a connection was not closed");
            }
        }
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let places = || Arc::clone(&self.0.places);
        // Mostly there is one, and no clock needs to be set.
        if let Ok(place) = places().try_acquire_owned() {
            return Ok(place);
        }
        match tokio::time::timeout(self.0.bounds.patience, places().acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            Ok(Err(_)) => Err(Fault::of(sqlx::Error::PoolClosed)),
            Err(_) => Err(Fault::of(sqlx::Error::PoolTimedOut)),
        }
    }
}

impl Home {
    fn free(&self) -> MutexGuard<'_, Vec<Free>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_back(&self, connection: SqliteConnection) {
        let since = Instant::now();
        self.free().push(Free { connection, since });
    }

    /// Those that nobody has used for so long, but for the ones that stay.
    fn unused(&self, rest: Duration) -> Vec<Free> {
        let mut free = self.free();
        let old = free.iter().take_while(|free| free.since.elapsed() >= rest);
        let spare = free.len().saturating_sub(self.bounds.kept as usize);
        let count = old.count().min(spare);
        free.drain(..count).collect()
    }
}

/// Closes connections that nobody uses, as long as there is anybody to use them.
async fn close_unused(home: Weak<Home>, rest: Duration) {
    let pause = (rest / 2).clamp(Duration::from_millis(100), Duration::from_secs(60));
    loop {
        tokio::time::sleep(pause).await;
        let Some(home) = home.upgrade() else { return };
        drop(home.unused(rest));
    }
}

/// A connection on loan. One that does not say it is [`Lent::done`] is cleaned before it is lent
/// again.
pub(crate) struct Lent {
    connection: Option<SqliteConnection>,
    clean: bool,
    home: Arc<Home>,
    place: Option<OwnedSemaphorePermit>,
}

impl Lent {
    /// Nothing is going on in it: no statement, no transaction.
    pub fn done(mut self) {
        self.clean = true;
    }
}

impl Deref for Lent {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.connection.as_ref().expect(LENT)
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.connection.as_mut().expect(LENT)
    }
}

const LENT: &str = "a loan has its connection until it ends";

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        if self.clean {
            self.home.take_back(connection);
            return;
        }
        // Without a runtime the connection ends here, and its transaction with it.
        if let Ok(runtime) = Handle::try_current() {
            let (home, place) = (Arc::clone(&self.home), self.place.take());
            runtime.spawn(async move {
                clean(connection, &home).await;
                drop(place);
            });
        }
    }
}

/// Waits for what was going on, and gives up what was not committed. A connection that cannot say
/// so is broken.
async fn clean(mut connection: SqliteConnection, home: &Home) {
    match sqlx::query("ROLLBACK").execute(&mut connection).await {
        // Mostly there was no transaction, which is what this error says.
        Ok(_) | Err(sqlx::Error::Database(_)) => home.take_back(connection),
        Err(error) => tracing::warn!(%error, "a database connection broke"),
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    async fn connections(file: &tempfile::TempDir, bounds: Bounds) -> Connections {
        let url = format!("sqlite://{}", file.path().join("t.sqlite").display());
        let options = SqliteConnectOptions::from_str(&url).expect("a path");
        Connections::open(options.create_if_missing(true), bounds)
            .await
            .expect("a file")
    }

    const BOUNDS: Bounds = Bounds {
        most: 1,
        kept: 0,
        patience: Duration::from_millis(200),
        rest: None,
    };

    async fn run(lent: &mut Lent, sql: &'static str) {
        let done = sqlx::query(sql).execute(&mut **lent).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    #[tokio::test]
    async fn one_that_comes_back_is_lent_again_and_nobody_waits_for_ever() {
        let file = tempfile::tempdir().expect("a folder");
        let connections = connections(&file, BOUNDS).await;
        let lent = connections.lend().await.expect("a connection");
        let fault = connections.lend().await.err().expect("none is left");
        assert!(matches!(fault, Fault::Busy(_)), "{fault:?}");
        let waiting = connections.clone();
        let waiting = tokio::spawn(async move { waiting.lend().await.map(Lent::done) });
        lent.done();
        assert!(waiting.await.expect("a task").is_ok());
        assert_eq!(connections.0.free().len(), 1);
    }

    #[tokio::test]
    async fn what_was_given_up_is_rolled_back_before_the_next_has_it() {
        let file = tempfile::tempdir().expect("a folder");
        let connections = connections(&file, BOUNDS).await;
        let mut lent = connections.lend().await.expect("a connection");
        run(&mut lent, "CREATE TABLE t (a)").await;
        run(&mut lent, "BEGIN IMMEDIATE").await;
        run(&mut lent, "INSERT INTO t VALUES (1)").await;
        drop(lent);
        let mut lent = connections.lend().await.expect("a connection");
        run(&mut lent, "BEGIN IMMEDIATE").await;
        let rows = sqlx::query("SELECT a FROM t").fetch_all(&mut *lent).await;
        assert_eq!(rows.expect("rows").len(), 0);
    }

    #[tokio::test]
    async fn those_that_nobody_uses_are_closed_but_for_the_kept() {
        let file = tempfile::tempdir().expect("a folder");
        let rest = Some(Duration::from_millis(100));
        let bounds = Bounds {
            most: 3,
            kept: 1,
            rest,
            ..BOUNDS
        };
        let connections = connections(&file, bounds).await;
        let mut lent = Vec::new();
        for _ in 0..3 {
            lent.push(connections.lend().await.expect("a connection"));
        }
        lent.into_iter().for_each(Lent::done);
        assert_eq!(connections.0.free().len(), 3);
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(connections.0.free().len(), 1);
    }

    #[tokio::test]
    async fn closing_waits_for_what_is_lent_and_lends_no_more() {
        let file = tempfile::tempdir().expect("a folder");
        let connections = connections(&file, BOUNDS).await;
        let lent = connections.lend().await.expect("a connection");
        let closing = connections.clone();
        let closing = tokio::spawn(async move { closing.close().await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!closing.is_finished());
        lent.done();
        closing.await.expect("closed");
        assert!(connections.lend().await.is_err());
    }

    #[test]
    fn a_loan_may_outlive_the_runtime() {
        let file = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let lent = runtime.block_on(async {
            let connections = connections(&file, BOUNDS).await;
            connections.lend().await.expect("a connection")
        });
        drop(runtime);
        drop(lent);
    }
}
