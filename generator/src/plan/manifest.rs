//! Manifests that the command line itself writes, adds to or destroys.

use std::path::Path;

use anyhow::Result;

use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
use crate::merge::style;
use crate::plan::place::{Place, Places};
use crate::plan::{Before, Class, FileChange, StateChange};
use crate::rendered::{Content, Owner, RenderedFile};
use crate::state::{self, Entry, State};

/// Where edited manifests go when their resource is destroyed, below the state.
const DESTROYED: &str = "destroyed";

/// Files changed between reading and writing; nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} changed while the run was planned: run again")]
pub struct Outdated(pub String);

/// A change of a manifest by the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestEdit {
    /// Path below the project.
    pub path: String,
    /// Unit of the resource it describes.
    pub unit: String,
    /// Its text as it was read; `None` for a manifest that is not there yet.
    pub before: Option<Vec<u8>>,
    /// Its new text; `None` where its resource is destroyed.
    pub after: Option<String>,
}

impl ManifestEdit {
    /// A new manifest is recorded like a file that is poured once, so that `destroy` can
    /// distinguish an untouched manifest from an edited one.
    pub(super) fn rendered(&self) -> Option<RenderedFile> {
        let text = self.after.as_ref().filter(|_| self.before.is_none())?;
        Some(RenderedFile {
            template: None,
            path: self.path.clone(),
            artefact: format!("{}/manifest", self.unit.replace('.', "/")),
            unit: self.unit.clone(),
            owner: Owner::Once,
            content: Content::Text(text.clone()),
        })
    }
}

/// The changes of existing manifests.
#[derive(Debug, Default)]
pub(super) struct Edited {
    /// The files.
    pub files: Vec<FileChange>,
    /// Their bases.
    pub state: Vec<StateChange>,
}

/// Plans for manifests that are there; a new or destroyed one leaves the state as well, because a
/// manifest that was removed by hand may be recorded there.
///
/// # Errors
/// [`Outdated`] where a manifest was saved since it was read; [`Refused`] where it cannot be
/// written.
pub(super) fn plan(state: &mut State, edits: &[ManifestEdit], reads_only: bool) -> Result<Edited> {
    let mut edited = Edited::default();
    for edit in edits {
        let found = Places::new(state.root()).look(&edit.path);
        let place = found.map_err(|why| Refused::new(Exit::Failed, why))?;
        if edit.before.as_deref() != place.file.as_ref().map(|file| file.bytes.as_slice()) {
            return Err(Outdated(edit.path.clone()).into());
        }
        match &edit.after {
            Some(text) if edit.before.is_some() => {
                edited
                    .files
                    .extend(extended(edit, place, text, reads_only)?);
            }
            Some(_) => drop(state.forget(&edit.path)),
            None => {
                let recorded = state.forget(&edit.path);
                edited
                    .state
                    .extend(recorded.as_ref().map(|_| without_base(edit)));
                edited
                    .files
                    .extend(destroyed(edit, place, recorded, state.root()));
            }
        }
    }
    Ok(edited)
}

/// A manifest that is there and gets more is part of the same plan, so that nothing is written when anything is
/// refused.
fn extended(
    edit: &ManifestEdit,
    place: Place,
    text: &str,
    reads_only: bool,
) -> Result<Option<FileChange>> {
    let Some(file) = place.file else {
        return Ok(None);
    };
    if file.read_only && !reads_only {
        let problem = format!("{}: it is read-only, and this run changes it", edit.path);
        return Err(Refused::new(Exit::Failed, problem).into());
    }
    Ok(Some(FileChange {
        path: edit.path.clone(),
        place: place.path,
        class: Class::Merge,
        old: Some(file.bytes),
        new: Some(text.as_bytes().to_vec()),
        mode: file.mode,
        reason: "attributes of the command line were added".to_owned(),
        keys: Vec::new(),
        moved_from: None,
    }))
}

fn without_base(edit: &ManifestEdit) -> StateChange {
    StateChange {
        path: format!("{}/base/{}", state::FOLDER, edit.path),
        new: None,
        before: Before::Unknown,
    }
}

/// A manifest that is as the command line wrote it goes; an edited manifest cannot be made again by
/// a command line, and moves to `.formwork/destroyed`.
fn destroyed(
    edit: &ManifestEdit,
    place: Place,
    recorded: Option<Entry>,
    root: &Path,
) -> Option<FileChange> {
    let gone = place.removable().to_owned();
    let file = place.file?;
    let text = String::from_utf8_lossy(&file.bytes);
    let as_is = Digest::of(style::normalise(&text).as_bytes());
    let delete = FileChange {
        path: edit.path.clone(),
        place: gone,
        class: Class::Delete,
        new: None,
        mode: file.mode,
        reason: "destroyed, as asked for".to_owned(),
        keys: Vec::new(),
        moved_from: None,
        old: Some(file.bytes),
    };
    if recorded.and_then(|entry| entry.base) == Some(as_is) {
        return Some(delete);
    }
    let path = free_path(root, edit);
    Some(FileChange {
        class: Class::Move,
        new: delete.old.clone(),
        moved_from: Some(delete.place),
        place: path.clone(),
        path,
        reason: "it was edited: to get its files back, move it back and run formwork generate"
            .to_owned(),
        ..delete
    })
}

/// `.formwork/destroyed/shop.dishes.yaml`, or the next number where that is taken.
fn free_path(root: &Path, edit: &ManifestEdit) -> String {
    let unit = &edit.unit;
    let ending = edit.path.rsplit('.').next().unwrap_or_default();
    let path = |number: usize| {
        let number = if number > 1 {
            format!(".{number}")
        } else {
            String::new()
        };
        format!("{}/{DESTROYED}/{unit}{number}.{ending}", state::FOLDER)
    };
    let taken = |number: &usize| root.join(path(*number)).symlink_metadata().is_ok();
    let number = (1..).find(|number| !taken(number)).unwrap_or(1);
    path(number)
}
