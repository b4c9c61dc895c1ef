//! Runs that write read the manifests one after the other: the aggregates of a run that read them before
//! another wrote its own would leave that one out.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::error::Refused;
use crate::exit::Exit;
use crate::state;

/// So long a run waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// So often it looks whether it has come.
const PAUSE: Duration = Duration::from_millis(10);

/// The right to read manifests and to write what follows from them, until dropped: an OS lock, which a kill
/// frees, on a file of the state that is there as long as the state is.
#[derive(Debug)]
pub struct Turn {
    _file: File,
}

impl Turn {
    /// Waits for the other runs in the project at `root`; `None` where there is nothing yet to take turns on,
    /// or the disk knows no locks.
    ///
    /// # Errors
    /// A refusal (exit status 1) where another run takes too long.
    pub fn wait(root: &Path) -> Result<Option<Turn>> {
        let Ok(file) = File::open(root.join(state::FOLDER).join(".gitignore")) else {
            return Ok(None);
        };
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Turn { _file: file })),
                Err(TryLockError::WouldBlock) if Instant::now() > deadline => {
                    let problem =
                        "another formwork is at work on this project: wait for it, and run again";
                    return Err(Refused::new(Exit::Failed, problem).into());
                }
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
    }
}
