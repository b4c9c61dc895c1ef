//! Which file a connection leads to. When the file is moved away or replaced, open connections
//! still lead to the old one: their writes are lost without an error.

use std::path::Path;

/// The identity of a file, whatever its name is. An open connection keeps the system from giving
/// the same number to another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

impl FileId {
    /// The file at this path, if there is one.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let found = std::fs::metadata(path).ok()?;
        Some(Self(found.dev(), found.ino()))
    }

    /// Other systems refuse to move an open file.
    #[cfg(not(unix))]
    pub fn of(_path: &Path) -> Option<Self> {
        None
    }
}
