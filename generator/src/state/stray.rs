//! Damaged locks, mostly merged by hand: reported, and repaired from the bases. Without a repair,
//! the next run would lose a base that no line names, and could not distinguish edits from renders.

use std::path::Path;

use anyhow::Result;

use super::folder::{self, FOLDER};
use super::lock::{Entry, Lock};
use crate::rendered::Owner;

/// A line that is not as Formwork writes it.
#[derive(Debug)]
struct StrayLine {
    unit: String,
    text: String,
}

/// The damage of a project's locks.
#[derive(Debug, Default)]
pub(super) struct Damage {
    lines: Vec<StrayLine>,
    notices: Vec<String>,
}

/// The repair of damaged locks.
#[derive(Debug)]
pub(super) struct Mended {
    /// The damage, for people.
    pub notices: Vec<String>,
    /// Files that are recorded again.
    pub entries: Vec<Entry>,
}

impl Damage {
    /// Looks for damage in one lock.
    pub(super) fn take(&mut self, name: &str, unit: &str, text: &str, lock: &Lock) {
        if lock.versions.is_empty() {
            let notice =
                format!("{FOLDER}/{name} does not begin with a lock's header: it is written again");
            self.add(unit, "", notice);
        }
        for damaged in &lock.damaged {
            let notice = notice(name, text, "is damaged", |line| line == damaged);
            self.add(unit, damaged, notice);
        }
    }

    fn add(&mut self, unit: &str, text: &str, notice: String) {
        self.notices.push(notice);
        self.lines.push(StrayLine {
            unit: unit.to_owned(),
            text: text.to_owned(),
        });
    }

    /// A line of a lock names a file that does not exist.
    pub(super) fn name_nowhere(&mut self, unit: &str, text: &str, path: &str) {
        let end = format!(" {path}");
        let (name, what) = (
            format!("lock/{unit}.lock"),
            "names a file that does not exist",
        );
        let notice = notice(&name, text, what, |line| line.ends_with(&end));
        self.add(unit, "", notice);
    }

    /// Notices, and entries for bases that no line names; `is_known` tests for named ones.
    pub(super) fn mend(self, root: &Path, is_known: impl Fn(&str) -> bool) -> Result<Mended> {
        let mut mended = Mended {
            notices: self.notices,
            entries: Vec::new(),
        };
        let Some(first) = self.lines.first() else {
            return Ok(mended);
        };
        for path in folder::bases(root)? {
            if is_known(&path) {
                continue;
            }
            let end = format!(" {path}");
            let line = self.lines.iter().find(|line| line.text.ends_with(&end));
            mended.notices.push(recorded_again(&path));
            let unit = line.unwrap_or(first).unit.clone();
            mended.entries.push(recorded(path, unit));
        }
        Ok(mended)
    }
}

/// Records a migration that no lock names with its extension; returns a notice.
pub(super) fn migration(path: String) -> (String, Entry) {
    let extension = path.split('/').nth(1).unwrap_or_default().to_owned();
    (recorded_again(&path), recorded(path, extension))
}

fn recorded_again(path: &str) -> String {
    format!("{path}: no lock names it any more: it is recorded again")
}

/// `what` is wrong with a line.
fn notice(name: &str, text: &str, what: &str, is_it: impl Fn(&str) -> bool) -> String {
    let number = text.lines().position(is_it).map_or(0, |place| place + 1);
    format!("{FOLDER}/{name}, line {number}, {what}: it is written again")
}

/// The entry of a file, derived from its path. A file that may not be Formwork's stays.
fn recorded(path: String, unit: String) -> Entry {
    let is_migration = path.contains("/migrations/") && path.ends_with(".sql");
    let is_manifest = path.contains("/resources/") && path.ends_with(".yaml");
    let owner = match is_migration {
        true => Owner::Migration,
        false => Owner::Once,
    };
    let mut entry = Entry {
        artefact: String::new(),
        unit,
        owner,
        base: None,
        raw: None,
        path,
    };
    let last = match (is_migration, is_manifest) {
        (true, _) => {
            let database = entry.path.rsplit('/').nth(1).unwrap_or_default();
            format!("{}/{database}", entry.version())
        }
        (_, true) => "manifest".to_owned(),
        _ => "lost".to_owned(),
    };
    entry.artefact = format!("{}/{last}", entry.unit.replace('.', "/"));
    entry
}
