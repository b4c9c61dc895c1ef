//! SQLite databases that go when the test does.

use std::{fs, path::PathBuf};

use uuid::Uuid;

/// A path for a database file; the files are removed on drop.
pub(super) struct TemporaryDatabase {
    path: PathBuf,
}

impl TemporaryDatabase {
    pub fn new() -> Self {
        let name = format!("formwork-test-{}.sqlite", Uuid::now_v7());
        Self {
            path: std::env::temp_dir().join(name),
        }
    }

    pub fn url(&self) -> String {
        format!("sqlite://{}", self.path.display())
    }
}

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        for tail in ["", "-wal", "-shm"] {
            let mut file = self.path.clone().into_os_string();
            file.push(tail);
            // Not every database has all three.
            let _ = fs::remove_file(file);
        }
    }
}
