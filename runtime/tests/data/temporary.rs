//! A database of a test that starts no service.

use formwork_data::database::{create_temporary, remove_temporary};
use uuid::Uuid;

/// An empty database on the server that the tests run on. It is removed when it is dropped.
pub struct TemporaryDatabase {
    /// Its address.
    pub url: String,
    server: String,
    name: String,
}

impl TemporaryDatabase {
    /// `None` where the tests run on SQLite.
    pub async fn on_server() -> Option<Self> {
        let server = formwork::testing::server()?;
        let name = format!("formwork-test-{}", Uuid::now_v7());
        let url = create_temporary(&server, &name).await.expect("a database");
        Some(Self { url, server, name })
    }
}

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        let removed = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime = runtime.expect("a runtime");
            runtime.block_on(remove_temporary(&server, &name))
        });
        if let Ok(Err(error)) = removed.join() {
            eprintln!("the database {} is left behind: {error}", self.name);
        }
    }
}
