//! Connections on loan: so many at once, and taken back without asking them anything.
//!
//! sqlx's own pool asks each connection that comes back whether it lives, in a task of its own:
//! wise for a server far away. A file does not go away, and the question costs as much as a short
//! statement. Here a connection whose statement ended well is free at once.
//!
//! A loan that ends before its statement does interrupts it: nobody waits for its rows any more.

mod file;
mod held;

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
};

use super::super::Fault;
use file::File;
use held::Held;

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
    /// Where the database is one.
    file: Option<File>,
    /// How often there was another file: connections to those before it are closed.
    generation: AtomicU64,
    closed: AtomicBool,
}

struct Free {
    connection: Held,
    since: Instant,
}

impl Connections {
    /// Opens those that stay open, and one in any case: to see whether it can be done.
    ///
    /// # Errors
    /// What the driver says of the file.
    pub async fn open(options: SqliteConnectOptions, bounds: Bounds) -> sqlx::Result<Self> {
        let first = Held::open(&options, 0).await?;
        let file = File::at(options.get_filename());
        let home = Arc::new(Home {
            // A file that is gone is not replaced by an empty one.
            options: options.create_if_missing(file.is_none()),
            bounds,
            places: Arc::new(Semaphore::new(bounds.most.max(1) as usize)),
            free: Mutex::default(),
            file,
            generation: AtomicU64::new(0),
            closed: AtomicBool::new(false),
        });
        home.take_back(first);
        for _ in 1..bounds.kept.min(bounds.most) {
            home.take_back(Held::open(&home.options, 0).await?);
        }
        if let Some(rest) = bounds.rest {
            tokio::spawn(close_unused(Arc::downgrade(&home), rest));
        }
        if home.file.is_some() {
            tokio::spawn(look_after(Arc::downgrade(&home)));
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
        let connection = match self.0.last_free() {
            Some(connection) => connection,
            None => self.0.another().await.map_err(Fault::of)?,
        };
        Ok(Lent {
            connection: Some(connection),
            clean: false,
            finishing: false,
            home: Arc::clone(&self.0),
            place: Some(place),
        })
    }

    /// As [`Connections::lend`], for what is to last: the file is looked for first.
    ///
    /// # Errors
    /// As [`Connections::lend`].
    pub async fn lend_to_write(&self) -> Result<Lent, Fault> {
        self.0.look();
        self.lend().await
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

    fn take_back(&self, connection: Held) {
        let since = Instant::now();
        if connection.generation() == self.generation.load(Ordering::Acquire) {
            self.free().push(Free { connection, since });
        }
    }

    fn last_free(&self) -> Option<Held> {
        let generation = self.generation.load(Ordering::Acquire);
        let last = std::iter::from_fn(|| self.free().pop());
        last.map(|free| free.connection)
            .find(|connection| connection.generation() == generation)
    }

    async fn another(&self) -> sqlx::Result<Held> {
        let generation = self.generation.load(Ordering::Acquire);
        Held::open(&self.options, generation).await
    }

    /// Whether the file is there still; connections to another are closed.
    fn look(&self) {
        let mut free = self.free();
        if self.file.as_ref().is_some_and(File::is_another) {
            self.generation.fetch_add(1, Ordering::AcqRel);
            free.clear();
            tracing::warn!("the database's file is gone, or another: it is opened anew");
        }
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

/// Looks for the file, as long as there is anybody to use it: readers learn of another within a
/// second, writers at once.
async fn look_after(home: Weak<Home>) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let Some(home) = home.upgrade() else { return };
        home.look();
    }
}

/// A connection on loan. One that does not say it is [`Lent::done`] is cleaned before it is lent
/// again.
pub(crate) struct Lent {
    connection: Option<Held>,
    clean: bool,
    finishing: bool,
    home: Arc<Home>,
    place: Option<OwnedSemaphorePermit>,
}

impl Lent {
    /// What runs from here on is not interrupted: a commit is brought to its end whoever waits.
    pub fn finishing(&mut self) {
        self.finishing = true;
    }

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
        if !self.finishing {
            connection.interrupt();
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
async fn clean(mut connection: Held, home: &Home) {
    match connection.rolled_back().await {
        Ok(()) => home.take_back(connection),
        Err(error) => tracing::warn!(%error, "a database connection broke"),
    }
}

#[cfg(test)]
mod tests;
