//! The journal: what a run is about to do, so that the next can finish it.
//!
//! `.formwork/journal/<n>` is the new content of step n, with its permission bits; `commit` names
//! the steps in order. Until `commit` is there nothing outside the journal is touched, and the
//! journal is simply removed. From then on the steps are carried out, each by one rename, in this
//! order: files, their bases, locks. A file therefore is never older than its base, so that even a
//! run that stops in the middle leaves a project that the next run reads correctly.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::disk::Disk;
use crate::state::{self, Digest};

const FIRST_LINE: &str = "formwork-journal 1";
const LAST_LINE: &str = "end";

/// One step: a path gets content, or loses its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Path below the project.
    pub path: String,
    /// Hash of what is there before; `None` where nothing is.
    pub before: Option<Digest>,
    /// Hash of what is there afterwards; `None` where nothing is.
    pub after: Option<Digest>,
}

/// The journal of one project.
#[derive(Debug)]
pub struct Journal<'a> {
    disk: &'a dyn Disk,
    root: &'a Path,
    folder: PathBuf,
}

impl<'a> Journal<'a> {
    /// The journal of the project at `root`.
    pub fn of(root: &'a Path, disk: &'a dyn Disk) -> Journal<'a> {
        Journal {
            disk,
            root,
            folder: root.join(state::FOLDER).join("journal"),
        }
    }

    /// Whether a run left one.
    pub fn is_left(root: &Path) -> bool {
        root.join(state::FOLDER).join("journal").exists()
    }

    /// An empty journal.
    pub fn open(&self) -> Result<()> {
        self.disk
            .create_folder(&self.folder)
            .context("cannot make the journal")
    }

    /// Puts the new content of step `index` aside. `durable`: it replaces what a user wrote, and
    /// must be on the medium before that goes.
    pub fn stage(
        &self,
        index: usize,
        content: &[u8],
        mode: Option<u32>,
        durable: bool,
    ) -> Result<()> {
        let staged = self.staged(index);
        let written = self.disk.write(&staged, content, mode);
        let synced = written.and_then(|()| {
            if durable {
                self.disk.sync(&staged)
            } else {
                Ok(())
            }
        });
        synced.with_context(|| format!("cannot write {}", staged.display()))
    }

    /// Makes the steps binding.
    pub fn commit(&self, steps: &[Step]) -> Result<()> {
        let (draft, commit) = (self.folder.join("draft"), self.folder.join("commit"));
        let committed = (|| {
            self.disk.write(&draft, record(steps).as_bytes(), None)?;
            self.disk.sync(&draft)?;
            self.disk.rename(&draft, &commit)?;
            self.disk.sync_folder(&self.folder)
        })();
        committed.context("cannot write the journal")
    }

    /// The steps of a journal that was committed; `None` where it was not.
    pub fn committed(&self) -> Result<Option<Vec<Step>>> {
        match fs::read_to_string(self.folder.join("commit")) {
            Ok(text) => Ok(Some(
                parse(&text).context("the journal in .formwork/journal is damaged")?,
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context("cannot read the journal"),
        }
    }

    /// Where the content of step `index` is put aside.
    pub fn staged(&self, index: usize) -> PathBuf {
        self.folder.join(index.to_string())
    }

    /// Carries out one step.
    pub fn carry_out(&self, index: usize, step: &Step) -> Result<()> {
        let target = self.root.join(&step.path);
        let done = match step.after {
            None => self.remove_with_empty_folders(&target),
            Some(_) => target
                .parent()
                .map_or(Ok(()), |folder| self.folder_for(folder))
                .and_then(|()| self.disk.rename(&self.staged(index), &target)),
        };
        done.with_context(|| format!("cannot write {}", step.path))
    }

    fn folder_for(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            Ok(())
        } else {
            self.disk.create_folder(folder)
        }
    }

    /// Removes a file, and the folders above it that it leaves empty.
    pub fn remove_with_empty_folders(&self, path: &Path) -> io::Result<()> {
        match self.disk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        for folder in path
            .ancestors()
            .skip(1)
            .take_while(|folder| *folder != self.root)
        {
            let is_empty = fs::read_dir(folder).is_ok_and(|mut listing| listing.next().is_none());
            if !is_empty {
                break;
            }
            self.disk.remove_folder(folder)?;
        }
        Ok(())
    }

    /// Makes sure that the renames are on the medium, then removes the journal: the record first,
    /// so that what is left is not taken for one that counts.
    pub fn close(&self) -> Result<()> {
        let closed = (|| {
            self.disk.sync_folder(self.root)?;
            let commit = self.folder.join("commit");
            if commit.exists() {
                self.disk.remove(&commit)?;
            }
            for file in fs::read_dir(&self.folder)? {
                self.disk.remove(&file?.path())?;
            }
            self.disk.remove_folder(&self.folder)
        })();
        closed.context("cannot remove the journal")
    }
}

impl std::fmt::Debug for dyn Disk + '_ {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Disk")
    }
}

fn record(steps: &[Step]) -> String {
    let hash = |digest: Option<Digest>| digest.map_or("-".to_owned(), |digest| digest.to_string());
    let lines: String = steps
        .iter()
        .map(|step| format!("{} {} {}\n", hash(step.before), hash(step.after), step.path))
        .collect();
    format!("{FIRST_LINE}\n{lines}{LAST_LINE}\n")
}

fn parse(text: &str) -> Option<Vec<Step>> {
    let body = text.strip_prefix(FIRST_LINE)?.strip_prefix('\n')?;
    let body = body.strip_suffix('\n')?.strip_suffix(LAST_LINE)?;
    let hash = |word: &str| {
        if word == "-" {
            Some(None)
        } else {
            word.parse().ok().map(Some)
        }
    };
    let step = |line: &str| {
        let (before, rest) = line.split_once(' ')?;
        let (after, path) = rest.split_once(' ')?;
        Some(Step {
            path: path.to_owned(),
            before: hash(before)?,
            after: hash(after)?,
        })
    };
    body.lines().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_and_a_damaged_one_is_not() {
        let steps = [
            Step {
                path: "a b.rs".to_owned(),
                before: None,
                after: Some(Digest::of("a")),
            },
            Step {
                path: "c".to_owned(),
                before: Some(Digest::of("c")),
                after: None,
            },
        ];
        let text = record(&steps);
        assert_eq!(parse(&text), Some(steps.to_vec()));
        assert_eq!(parse(&text[..text.len() - 5]), None);
        assert_eq!(parse(""), None);
    }
}
