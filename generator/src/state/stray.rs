//! Locks that somebody damaged, mostly by merging them by hand: said, and mended from the bases. A base that
//! no line names would be lost with the next run, and with it what tells edits from renders.

use anyhow::{Context, Result};
use walkdir::WalkDir;

use super::lock::{Entry, Lock};
use super::{FOLDER, State};
use crate::rendered::Owner;

/// A line that is not as Formwork writes it.
#[derive(Debug)]
struct Line {
    unit: String,
    text: String,
}

/// What is wrong with the locks of a project.
#[derive(Debug, Default)]
pub(super) struct Damage {
    lines: Vec<Line>,
    notices: Vec<String>,
}

impl Damage {
    /// Looks for damage in one lock.
    pub(super) fn take(&mut self, name: &str, unit: &str, text: &str, lock: &Lock) {
        if lock.versions.is_empty() {
            let notice =
                format!("{FOLDER}/{name} does not begin as a lock does: it is written anew");
            self.add(unit, "", notice);
        }
        for damaged in &lock.damaged {
            let notice = notice(name, text, "is damaged", |line| line == damaged);
            self.add(unit, damaged, notice);
        }
    }

    fn add(&mut self, unit: &str, text: &str, notice: String) {
        self.notices.push(notice);
        self.lines.push(Line {
            unit: unit.to_owned(),
            text: text.to_owned(),
        });
    }

    /// Records again what only its base tells of.
    pub(super) fn mend(self, state: &mut State) -> Result<()> {
        state.notices.extend(self.notices);
        let Some(first) = self.lines.first() else {
            return Ok(());
        };
        for path in bases(state)? {
            if state.entries.contains_key(&path) {
                continue;
            }
            let line = self.lines.iter().find(|line| line.text.ends_with(&path));
            let notice = format!("{path}: no lock names it any more: it is recorded again");
            state.notices.push(notice);
            let unit = line.unwrap_or(first).unit.clone();
            state.entries.insert(path.clone(), recorded(path, unit));
        }
        Ok(())
    }
}

/// `what` is wrong with a line.
fn notice(name: &str, text: &str, what: &str, is_it: impl Fn(&str) -> bool) -> String {
    let number = text.lines().position(is_it).map_or(0, |place| place + 1);
    format!("{FOLDER}/{name}, line {number}, {what}: it is written anew")
}

impl State {
    /// Takes out what names a file that is nowhere, as a line does that was cut: neither on disk, nor among the
    /// bases, nor rendered. What it stood for is recorded again.
    ///
    /// # Errors
    /// What reading the bases failed with.
    pub fn drop_phantoms(&mut self, is_rendered: impl Fn(&str) -> bool) -> Result<()> {
        let root = self.root().to_owned();
        let is_there = |path: &str| {
            let base = root.join(FOLDER).join("base").join(path);
            // What cannot be looked up is there, until it can.
            base.try_exists().unwrap_or(true) || root.join(path).try_exists().unwrap_or(true)
        };
        let others = self.entries().filter(|entry| !is_rendered(&entry.path));
        let phantoms = others.filter(|entry| !is_there(&entry.path));
        let phantoms: Vec<Entry> = phantoms.cloned().collect();
        let mut damage = Damage::default();
        for Entry { path, unit, .. } in &phantoms {
            let text = self.locks.get(unit).map_or("", String::as_str);
            let end = format!(" {path}");
            let (name, what) = (format!("lock/{unit}.lock"), "names a file that is nowhere");
            damage.add(
                unit,
                "",
                notice(&name, text, what, |line| line.ends_with(&end)),
            );
            self.entries.remove(path);
        }
        damage.mend(self)
    }
}

/// What the path of a file tells of it. One that is not known to be Formwork's to remove stays.
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

/// Paths that have a base.
fn bases(state: &State) -> Result<Vec<String>> {
    let folder = state.root().join(FOLDER).join("base");
    let mut paths = Vec::new();
    if !folder.is_dir() {
        return Ok(paths);
    }
    for file in WalkDir::new(&folder).sort_by_file_name() {
        let file = file.context("cannot read the bases in .formwork/base")?;
        let below = file.path().strip_prefix(&folder).unwrap_or(file.path());
        if file.file_type().is_file() {
            paths.push(below.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(paths)
}
