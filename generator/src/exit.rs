//! Exit statuses (regeneration.md, "Commands").

use std::process::ExitCode;

use crate::error::{Mistaken, Refused};

/// What a command's exit status says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Everything is done.
    Done,
    /// Input or output failed, or Formwork has a bug.
    Failed,
    /// Wrong usage, or a mistake in a manifest.
    Usage,
    /// Conflicts or orphans are left.
    Conflicts,
    /// A file holds conflict markers; nothing was written.
    Markers,
    /// `--check` found that a run would change something.
    Drift,
    /// A destructive migration was refused; nothing was written.
    Destructive,
}

impl Exit {
    /// The status as the shell sees it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Conflicts => 3,
            Exit::Markers => 4,
            Exit::Drift => 5,
            Exit::Destructive => 6,
        }
    }

    /// The status of an error: what a [`Refused`] in its chain says, [`Exit::Usage`] for a [`Mistaken`], else
    /// [`Exit::Failed`].
    pub fn of(error: &anyhow::Error) -> Exit {
        let refused = |cause: &(dyn std::error::Error + 'static)| {
            let mistaken = cause.is::<Mistaken>().then_some(Exit::Usage);
            cause
                .downcast_ref()
                .map(|one: &Refused| one.exit)
                .or(mistaken)
        };
        error.chain().find_map(refused).unwrap_or(Exit::Failed)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_refusal_keeps_its_status_under_context() {
        let error = anyhow::Error::from(Refused::new(Exit::Usage, "no")).context("while planning");
        assert_eq!(Exit::of(&error), Exit::Usage);
        let plain = Err::<(), _>(std::io::Error::other("disk"))
            .context("writing")
            .unwrap_err();
        assert_eq!(Exit::of(&plain).code(), 1);
    }
}
