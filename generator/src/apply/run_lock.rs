//! One run at a time: an OS file lock, which a killed process loses by itself.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::error::Refused;
use crate::exit::Exit;
use crate::state;

const PAUSE: Duration = Duration::from_millis(20);

/// The right to write a project, until dropped.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    file: File,
}

impl RunLock {
    /// Takes the lock of the project at `root`; waits for `patience` where another run holds it.
    ///
    /// # Errors
    /// [`Refused`] with [`Exit::Failed`], naming the process that holds the lock, else what
    /// opening it failed with.
    pub fn take(root: &Path, patience: Duration) -> Result<RunLock> {
        let folder = root.join(state::FOLDER);
        let path = folder.join("run.lock");
        let context = || format!("cannot lock the project with {}", path.display());
        let until = Instant::now() + patience;
        loop {
            fs::create_dir_all(&folder).with_context(context)?;
            let file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path);
            let mut file = file.with_context(context)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => {
                    file.set_len(0).with_context(context)?;
                    writeln!(file, "{}", std::process::id()).with_context(context)?;
                    return Ok(RunLock { path, file });
                }
                // The run before us removed the file between our opening and locking it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                    return Err(Refused::new(Exit::Failed, held(&path)).into());
                }
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(error).with_context(context),
            }
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Where an open file cannot be removed, it stays, and does no harm.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

fn held(path: &Path) -> String {
    let holder = fs::read_to_string(path).unwrap_or_default();
    match holder.trim() {
        "" => "another formwork is writing this project: wait for it, then run again".to_owned(),
        pid => format!(
            "another formwork (process {pid}) is writing this project: wait for it, then run again"
        ),
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_told_who_holds_the_lock_and_gets_it_afterwards() {
        let root = tempfile::tempdir().unwrap();
        let first = RunLock::take(root.path(), Duration::ZERO).unwrap();
        let error = RunLock::take(root.path(), Duration::from_millis(30)).unwrap_err();
        assert!(
            error
                .to_string()
                .contains(&format!("process {}", std::process::id())),
            "{error}"
        );
        drop(first);
        let second = RunLock::take(root.path(), Duration::ZERO).unwrap();
        drop(second);
        assert!(!root.path().join(".formwork/run.lock").exists());
    }

    #[test]
    fn a_waiting_run_gets_the_lock_when_the_first_is_done() {
        let root = tempfile::tempdir().unwrap();
        let first = RunLock::take(root.path(), Duration::ZERO).unwrap();
        thread::scope(|scope| {
            let second =
                scope.spawn(|| RunLock::take(root.path(), Duration::from_secs(10)).map(drop));
            thread::sleep(Duration::from_millis(60));
            drop(first);
            second.join().unwrap().unwrap();
        });
    }
}
