//! The decision table: from base, disk and render to a verdict.

use crate::plan::selection::Switch;

/// The file on disk, compared with base and render.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ours {
    /// No file.
    Absent,
    /// As last rendered.
    AsBase,
    /// As rendered now.
    AsTheirs,
    /// Neither.
    Other,
}

/// The present render, compared with the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theirs {
    /// It is not rendered any more.
    Absent,
    /// The same as last time.
    AsBase,
    /// Something else, or the first time.
    Other,
}

/// The verdict on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No change is needed.
    Unchanged,
    /// Write a new file.
    Create,
    /// The file is as rendered already: record it.
    Adopt,
    /// `--adopt`: keep a foreign file, and record the render as its base.
    AdoptForeign,
    /// A file that Formwork never rendered is in the place of one.
    Foreign,
    /// Write the render over a file without edits.
    Write,
    /// `--theirs`: write the render over edits.
    TakeTheirs,
    /// `--ours`: keep the edits, and record the render as their base.
    TakeOurs,
    /// Keep the edits: the render is as before.
    Keep,
    /// Merge edits and render.
    Merge,
    /// The user deleted the file; whether the template changed since.
    StaysDeleted {
        /// It did.
        moved_on: bool,
    },
    /// `--restore`: write a deleted file again.
    Restore,
    /// It is not rendered, and was not edited.
    Delete,
    /// It is not rendered, but was edited.
    Orphan,
    /// Neither rendered nor on disk: leaves the state.
    Forget,
}

/// Returns the verdict of the first row of the table that applies.
pub fn verdict(
    has_base: bool,
    ours: Ours,
    theirs: Theirs,
    is_selected: impl Fn(Switch) -> bool,
) -> Verdict {
    match (has_base, ours, theirs) {
        (false, _, Theirs::Absent) => Verdict::Unchanged,
        (false, Ours::Absent, _) => Verdict::Create,
        (false, Ours::AsBase | Ours::AsTheirs, _) => Verdict::Adopt,
        (false, Ours::Other, _) if is_selected(Switch::Theirs) => Verdict::TakeTheirs,
        (false, Ours::Other, _) if is_selected(Switch::Adopt) => Verdict::AdoptForeign,
        (false, Ours::Other, _) => Verdict::Foreign,
        (true, Ours::AsBase, Theirs::AsBase) => Verdict::Unchanged,
        (true, Ours::AsBase, Theirs::Other) => Verdict::Write,
        (true, Ours::AsTheirs | Ours::Other, Theirs::AsBase) => Verdict::Keep,
        (true, Ours::AsTheirs, Theirs::Other) => Verdict::Adopt,
        (true, Ours::Other, Theirs::Other) if is_selected(Switch::Ours) => Verdict::TakeOurs,
        (true, Ours::Other, Theirs::Other) if is_selected(Switch::Theirs) => Verdict::TakeTheirs,
        (true, Ours::Other, Theirs::Other) => Verdict::Merge,
        (true, Ours::Absent, Theirs::Absent) => Verdict::Forget,
        (true, Ours::Absent, _) if is_selected(Switch::Restore) => Verdict::Restore,
        (true, Ours::Absent, theirs) => Verdict::StaysDeleted {
            moved_on: theirs == Theirs::Other,
        },
        (true, Ours::AsBase, Theirs::Absent) => Verdict::Delete,
        (true, Ours::AsTheirs | Ours::Other, Theirs::Absent) => Verdict::Orphan,
    }
}
