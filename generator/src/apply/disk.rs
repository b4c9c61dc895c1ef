//! Every way in which Formwork changes the disk. Behind a trait, so that tests can stop a run at
//! each single step.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Changes of the disk. Each either happens or does not; a test's disk fails at a given step.
pub trait Disk: Sync {
    /// Makes a folder and those above it.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes a whole file, with these permission bits where given.
    fn write(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()>;
    /// Waits until a file's content is on the medium.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Waits until everything on the file systems of these folders is on the medium; false where
    /// the system cannot.
    fn sync_file_systems(&self, _folders: &[PathBuf]) -> io::Result<bool> {
        Ok(false)
    }
    /// Waits until a folder's entries are on the medium.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Renames a file, over another if need be.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Removes a folder that is empty.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
}

/// The disk itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        fs::write(path, content)?;
        mode.map_or(Ok(()), |mode| set_mode(path, mode))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        // Some systems sync only files that are open for writing; a read-only file needs no sync.
        let file = File::options()
            .write(true)
            .open(path)
            .or_else(|_| File::open(path))?;
        file.sync_data()
    }

    #[cfg(target_os = "linux")]
    fn sync_file_systems(&self, folders: &[PathBuf]) -> io::Result<bool> {
        use std::os::linux::fs::MetadataExt;
        let mut synced = std::collections::BTreeSet::new();
        for folder in folders {
            if synced.insert(fs::metadata(folder)?.st_dev()) {
                rustix::fs::syncfs(File::open(folder)?)?;
            }
        }
        Ok(true)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        if !cfg!(unix) {
            return Ok(());
        }
        match File::open(path)?.sync_all() {
            // Some file systems know it for files alone.
            Err(error) if is_unknown(&error) => Ok(()),
            synced => synced,
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => across_devices(from, to),
            done => done,
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
}

fn is_unknown(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, Unsupported};
    matches!(error.kind(), InvalidInput | Unsupported)
}

/// Where a folder of the project is another file system: a temporary file beside the target.
fn across_devices(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    let beside = tempfile::Builder::new()
        .prefix(".formwork-")
        .tempfile_in(folder)?
        .into_temp_path();
    fs::copy(from, &beside)?;
    File::open(&beside)?.sync_data()?;
    beside.persist(to).map_err(|error| error.error)?;
    fs::remove_file(from)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
