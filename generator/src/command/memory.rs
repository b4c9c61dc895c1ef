//! Records of earlier runs.

use std::path::Path;

use anyhow::Result;

use crate::schema::Previous;
use crate::state::State;

/// Records of earlier runs.
#[derive(Debug)]
pub struct Memory {
    /// Files as they were rendered.
    pub state: State,
    /// Tables and migrations.
    pub previous: Previous,
}

impl Memory {
    /// Of the project at `root`.
    ///
    /// # Errors
    /// A refusal where the state is damaged, or what reading it failed with.
    pub fn read(root: &Path) -> Result<Memory> {
        let state = State::load(root)?;
        let previous = Previous::read(&state)?;
        Ok(Memory { state, previous })
    }

    /// Leaves out an extension that is destroyed with its crate.
    pub fn without(mut self, folder: &str) -> Memory {
        self.previous.forget_extension(folder);
        self.state.release_extension(folder);
        self
    }
}
