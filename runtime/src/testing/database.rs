//! Databases that go when the test does.

use std::{future::Future, time::Duration};

use formwork_data::{
    database::{create_temporary, remove_temporary},
    error::Result,
};
use tokio::{
    runtime::Builder,
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};
use uuid::Uuid;

/// How many databases of tests there are on a server at once. A machine with many cores runs as many
/// tests, PostgreSQL takes 100 connections by default, and the pool of a service holds up to five.
static ON_SERVERS: Semaphore = Semaphore::const_new(16);

/// The longest wait for one of them: tests that have one each and take another would wait for each
/// other.
const PATIENCE: Duration = Duration::from_secs(30);

/// An empty database, which is removed on drop.
pub(super) struct TemporaryDatabase {
    beside: String,
    name: String,
    url: String,
    // Given back when the database is gone.
    _place: Option<SemaphorePermit<'static>>,
}

impl TemporaryDatabase {
    /// By the driver of this address: a file of its own, or a database on the same server.
    pub fn beside(address: &str, on_server: bool) -> Self {
        let name = format!("formwork-test-{}", Uuid::now_v7());
        let created = async {
            let place = match on_server {
                true => place(&ON_SERVERS, PATIENCE).await,
                false => None,
            };
            Ok((place, create_temporary(address, &name).await?))
        };
        let (place, url) = wait(created).expect("a database");
        Self {
            beside: address.to_owned(),
            name,
            url,
            _place: place,
        }
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        if let Err(error) = wait(remove_temporary(&self.beside, &self.name)) {
            eprintln!("the database {} is left behind: {error}", self.name);
        }
    }
}

fn wait<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// A place, or none where it does not come in time.
async fn place(places: &Semaphore, patience: Duration) -> Option<SemaphorePermit<'_>> {
    timeout(patience, places.acquire()).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_test_database_without_a_free_place_is_created_after_a_wait() {
        let (places, soon) = (Semaphore::const_new(1), Duration::from_millis(10));
        let first = place(&places, soon).await;
        assert!(first.is_some());
        assert!(place(&places, soon).await.is_none(), "all are taken");
        drop(first);
        assert!(place(&places, soon).await.is_some(), "it was given back");
    }
}
