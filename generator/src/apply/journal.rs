//! The journal: the planned changes of a run, so that the next run can finish it.
//!
//! `.formwork/journal/<n>` is the new content of step n, with its permission bits; `commit` names
//! the steps in order. Until `commit` exists, no file outside the journal is changed, and the
//! journal is removed. From then on the steps are carried out, each by one rename, in this order:
//! files, their bases, locks. A file therefore is never older than its base, so that even a run
//! that stops in the middle leaves a project that the next run reads correctly.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};

use super::disk::Disk;
use crate::digest::Digest;
use crate::state;

const FIRST_LINE: &str = "formwork-journal 1";
const LAST_LINE: &str = "end";

/// One step: a path gets content, or loses its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Path below the project.
    pub path: String,
    /// Hash of the file before the step; `None` where there is none.
    pub before: Option<Digest>,
    /// Hash of the file after the step; `None` where there is none.
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
        let folder = root.join(state::FOLDER).join("journal");
        fs::read_dir(folder).is_ok_and(|files| {
            let paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
            paths.is_empty() || paths.iter().any(|path| is_own(path))
        })
    }

    /// Whether a run left one that is committed.
    pub fn is_committed(root: &Path) -> bool {
        let folder = root.join(state::FOLDER).join("journal");
        folder.join("commit").exists()
    }

    /// An empty journal.
    pub fn open(&self) -> Result<()> {
        let made = self.disk.create_folder(&self.folder);
        made.with_context(|| format!("cannot make {}", self.folder.display()))
    }

    /// Puts the new content of step `index` aside, and says where.
    pub fn stage(&self, index: usize, content: &[u8], mode: Option<u32>) -> Result<PathBuf> {
        let staged = self.staged(index);
        let written = self.disk.write(&staged, content, mode);
        written.with_context(|| format!("cannot write {}", staged.display()))?;
        Ok(staged)
    }

    /// Waits until these files are on the medium.
    pub fn sync(&self, files: &[PathBuf]) -> Result<()> {
        let folder = std::slice::from_ref(&self.folder);
        let whole = || self.disk.sync_file_systems(folder);
        if files.len() > MANY && whole().context("cannot write the journal")? {
            return Ok(());
        }
        at_once(files, |file| {
            let synced = self.disk.sync(file);
            synced.with_context(|| format!("cannot write {}", file.display()))
        })
    }

    /// Waits until the entries of these folders are on the medium.
    fn sync_folders(&self, folders: &[PathBuf]) -> Result<()> {
        if folders.len() > MANY && self.disk.sync_file_systems(folders)? {
            return Ok(());
        }
        at_once(folders, |folder| Ok(self.disk.sync_folder(folder)?))
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

    /// Syncs the renamed files to the disk, then removes the journal: the record first, so that the
    /// rest is not taken for a committed journal.
    pub fn close(&self, steps: &[Step]) -> Result<()> {
        let closed = self.sync_folders(&self.folders(steps)).and_then(|()| {
            let commit = self.folder.join("commit");
            if commit.exists() {
                self.disk.remove(&commit)?;
            }
            let files = fs::read_dir(&self.folder)?;
            let paths = files.map(|file| Ok(file?.path()));
            let (own, others): (Vec<_>, Vec<_>) = paths
                .collect::<io::Result<Vec<PathBuf>>>()?
                .into_iter()
                .partition(|path| is_own(path));
            for file in own {
                self.disk.remove(&file)?;
            }
            match others.is_empty() {
                true => Ok(self.disk.remove_folder(&self.folder)?),
                // Files of other programs in the folder stay; they do no harm.
                false => Ok(()),
            }
        });
        closed.context("cannot remove the journal")
    }

    /// The folders that steps changed; a folder that was removed with its last file does not exist
    /// any more.
    fn folders(&self, steps: &[Step]) -> Vec<PathBuf> {
        let parents = steps
            .iter()
            .filter_map(|step| Path::new(&step.path).parent());
        let parents: BTreeSet<&Path> = parents.collect();
        let there = parents.into_iter().filter_map(|parent| {
            let path = self.root.join(parent);
            let mut folders = path.ancestors();
            folders
                .find(|folder| folder.is_dir())
                .map(Path::to_path_buf)
        });
        let all: BTreeSet<PathBuf> = there.collect();
        all.into_iter().collect()
    }
}

/// Whether a file of the journal's folder is one of the journal's.
fn is_own(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_step = name.bytes().all(|digit| digit.is_ascii_digit());
    (is_step || ["draft", "commit"].contains(&name.as_ref())) && !path.is_dir()
}

/// More files or folders than this are synced with their whole file system, which is faster. Fewer are synced one by
/// one, so that the run does not wait for what other programs wrote.
const MANY: usize = 500;

/// Maximum number of threads that wait for the disk,
const WAITING: usize = 16;
/// and the least number of files for which threads are started.
const FEWEST: usize = 4;

/// Does something to every path, on several threads where there are many.
fn at_once(paths: &[PathBuf], act: impl Fn(&Path) -> Result<()> + Sync) -> Result<()> {
    let part = paths.len().div_ceil(WAITING).max(FEWEST);
    let of_part = |part: &[PathBuf]| part.iter().try_for_each(|path| act(path));
    if paths.len() <= part {
        return of_part(paths);
    }
    thread::scope(|scope| {
        let of_part = &of_part;
        let parts = paths.chunks(part);
        let running: Vec<_> = parts
            .map(|part| scope.spawn(move || of_part(part)))
            .collect();
        let gone = |_| Err(anyhow::anyhow!("a thread that waits for the disk panicked"));
        let mut done = running
            .into_iter()
            .map(|part| part.join().unwrap_or_else(gone));
        done.try_for_each(|part| part)
    })
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
