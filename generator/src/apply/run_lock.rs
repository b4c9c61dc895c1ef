//! One run at a time: an OS file lock, held from reading the manifests until everything is written,
//! which the OS releases when a process is killed. (The aggregates of a run that read the manifests
//! before another wrote its own would leave that one out.)

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::error::Refused;
use crate::exit::Exit;
use crate::state;

/// How long a run waits for another.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How often it checks whether the other is done.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock of a project, until dropped.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    /// The file, or why there is none: a run that finds nothing to write needs none.
    file: io::Result<File>,
}

impl RunLock {
    /// Takes the lock of the project at `root`; waits for `patience` where another run holds it.
    ///
    /// # Errors
    /// [`Refused`] with [`Exit::Failed`], naming the process that holds the lock.
    pub fn take(root: &Path, patience: Duration) -> Result<RunLock, Refused> {
        let path = root.join(state::FOLDER).join("run.lock");
        let until = Instant::now() + patience;
        let file = open(&path);
        while let Ok(file) = &file {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                    return Err(Refused::new(Exit::Failed, held(&path)));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => {
                    return Ok(RunLock {
                        path,
                        file: Err(error),
                    });
                }
            }
        }
        Ok(RunLock { path, file })
    }

    /// Writes the id of this process into the lock.
    ///
    /// # Errors
    /// Why there is no lock.
    pub(super) fn sign(&self) -> Result<()> {
        let signed = match &self.file {
            Ok(file) => sign(file),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        signed.with_context(|| format!("cannot lock the project with {}", self.path.display()))
    }
}

/// The file stays: if each run made and removed it, two runs could lock two files.
fn open(path: &Path) -> io::Result<File> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path)
}

fn sign(mut file: &File) -> io::Result<()> {
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())
}

impl Drop for RunLock {
    fn drop(&mut self) {
        if let Ok(file) = &self.file {
            // A run without changes did not write its id, and leaves the file alone.
            if file.metadata().is_ok_and(|file| file.len() > 0) {
                let _ = file.set_len(0);
            }
            let _ = file.unlock();
        }
    }
}

fn held(path: &Path) -> String {
    let holder = fs::read_to_string(path).unwrap_or_default();
    match holder.trim() {
        "" => "another formwork is at work on this project: wait for it, then run again".to_owned(),
        pid => format!(
            "another formwork (process {pid}) is writing this project: wait for it, then run again"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_learns_the_holder_of_the_lock_and_gets_the_lock_afterwards() {
        let root = tempfile::tempdir().unwrap();
        let first = RunLock::take(root.path(), Duration::ZERO).unwrap();
        let refused = || RunLock::take(root.path(), Duration::from_millis(30)).unwrap_err();
        assert!(
            refused()
                .to_string()
                .contains("another formwork is at work")
        );
        first.sign().unwrap();
        let process = format!("process {}", std::process::id());
        assert!(refused().to_string().contains(&process), "{}", refused());
        drop(first);
        let second = RunLock::take(root.path(), Duration::ZERO).unwrap();
        drop(second);
        let left = fs::read_to_string(root.path().join(".formwork/run.lock")).unwrap();
        assert_eq!(left, "");
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

    #[test]
    fn a_project_that_cannot_be_locked_can_be_looked_at_and_not_written() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join(".formwork"), "no folder").unwrap();
        let lock = RunLock::take(root.path(), Duration::ZERO).unwrap();
        let error = lock.sign().unwrap_err();
        assert!(
            error.to_string().contains("cannot lock the project"),
            "{error}"
        );
    }
}
