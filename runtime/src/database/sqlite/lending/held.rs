//! A connection whose statement can be interrupted.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};

/// Steps of SQLite's machine between two looks at whether to go on: less than a millisecond, and
/// far more than a plain statement takes.
const STEPS: i32 = 5000;

/// SQLITE_ERROR: what `ROLLBACK` says where there is no transaction.
const NO_TRANSACTION: &str = "1";

/// A connection, and the word to stop what it is at.
pub(super) struct Held {
    connection: SqliteConnection,
    generation: u64,
    stop: Arc<AtomicBool>,
}

impl Held {
    /// Opens one of this generation.
    ///
    /// # Errors
    /// What the driver says of the file.
    pub async fn open(options: &SqliteConnectOptions, generation: u64) -> sqlx::Result<Self> {
        let mut connection = options.connect().await?;
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        connection
            .lock_handle()
            .await?
            .set_progress_handler(STEPS, move || !told.load(Ordering::Relaxed));
        Ok(Self {
            connection,
            generation,
            stop,
        })
    }

    /// Which file it leads to: those of an older generation to one that is gone.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// What it is at ends soon, with SQLITE_INTERRUPT, until [`Held::rolled_back`].
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of what was going on, and gives up what was not committed.
    ///
    /// # Errors
    /// Where the connection cannot say that it is as new.
    pub async fn rolled_back(&mut self) -> sqlx::Result<()> {
        // Its thread does one thing after the other: by now it is at nothing any more.
        self.connection.ping().await?;
        self.stop.store(false, Ordering::Relaxed);
        match sqlx::query("ROLLBACK").execute(&mut self.connection).await {
            Ok(_) => Ok(()),
            // Mostly there was no transaction.
            Err(sqlx::Error::Database(refusal))
                if refusal.code().as_deref() == Some(NO_TRANSACTION) =>
            {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Ends it.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn close(self) -> sqlx::Result<()> {
        self.connection.close().await
    }
}

impl Deref for Held {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.connection
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}
