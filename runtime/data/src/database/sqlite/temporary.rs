//! Databases of tests: files in the folder for temporary ones.

use std::{env, fs, path::PathBuf};

/// The address of a database that is a file of its own. The first connection makes the file.
pub fn address(name: &str) -> String {
    format!("sqlite://{}", file(name).display())
}

/// Removes the file, and those that SQLite keeps beside it.
pub fn remove(name: &str) {
    for tail in ["", "-wal", "-shm"] {
        let mut path = file(name).into_os_string();
        path.push(tail);
        // Not every database has all three.
        let _ = fs::remove_file(path);
    }
}

fn file(name: &str) -> PathBuf {
    env::temp_dir().join(format!("{name}.sqlite"))
}
