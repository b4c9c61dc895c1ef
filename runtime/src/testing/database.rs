//! Databases that go when the test does.

use std::future::Future;

use formwork_data::{
    database::{create_temporary, remove_temporary},
    error::Result,
};
use tokio::runtime::Builder;
use uuid::Uuid;

use super::places::Place;

/// An empty database, which is removed on drop.
pub(super) struct TemporaryDatabase {
    beside: String,
    name: String,
    url: String,
    // Given back when the database is gone.
    _place: Option<Place<'static>>,
}

impl TemporaryDatabase {
    /// By the driver of this address: a file of its own, or a database on the same server.
    pub fn beside(address: &str, place: Option<Place<'static>>) -> Self {
        let name = format!("formwork-test-{}", Uuid::now_v7());
        let url = wait(create_temporary(address, &name)).expect("a database");
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
