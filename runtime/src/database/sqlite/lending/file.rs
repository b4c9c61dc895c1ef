//! The file of a database. Who moves it away or puts another in its place leaves open connections
//! with a file that nobody finds any more: what they write is lost, and nothing says so.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// What a file is known by, whatever it is called; none where it is not there.
type Identity = Option<(u64, u64)>;

/// A path, and which file was there.
pub(super) struct File {
    path: PathBuf,
    seen: Mutex<Identity>,
}

impl File {
    /// The file at this path; none where there is none, as for a database in memory.
    pub fn at(path: &Path) -> Option<Self> {
        let seen = identity(path);
        seen.is_some().then(|| Self {
            path: path.to_owned(),
            seen: Mutex::new(seen),
        })
    }

    /// Whether another file is there than when it was looked for last, or none.
    pub fn is_another(&self) -> bool {
        let found = identity(&self.path);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let another = *seen != found;
        *seen = found;
        another
    }
}

/// Open connections keep the file's number from being given to another.
#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;

    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// Other systems let nobody move a file that is open.
#[cfg(not(unix))]
fn identity(_path: &Path) -> Identity {
    None
}
