//! The new state: bases, locks, and the files that other modules keep in it.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
use crate::plan::settle::Record;
use crate::plan::survey::Case;
use crate::plan::texts::Texts;
use crate::plan::{Before, PlanOptions, StateChange};
use crate::plan::{place, reason};
use crate::rendered::Rendered;
use crate::state::{self, CONSTANT_FILES, Entry, State, lock};

/// Gathers the records of all cases.
#[derive(Debug, Default)]
pub struct Records {
    entries: Vec<Entry>,
    bases: BTreeMap<String, Option<String>>,
    former: BTreeMap<String, String>,
}

impl Records {
    /// No record yet; `former` are units that were renamed: old and new.
    pub fn new(former: BTreeMap<String, String>) -> Self {
        Self {
            former,
            ..Self::default()
        }
    }

    /// Takes the record of one case.
    pub fn take(&mut self, case: &Case<'_>, texts: &Texts, record: Record, foreign: bool) {
        match record {
            Record::Nothing => self.forget_base(case),
            Record::Kept => self.keep(case, texts, foreign),
            Record::Rendered(text) => {
                let base = Digest::of(&text);
                let known = case.entry.as_ref().and_then(|entry| entry.base);
                if known != Some(base) || case.is_moved() || case.doubtful_base {
                    self.forget_moved_base(case);
                    self.bases.insert(case.path.to_owned(), Some(text));
                }
                self.record(case, Some(base), case.raw);
            }
        }
    }

    /// `foreign`: the file was left where it is, and the record with it.
    fn keep(&mut self, case: &Case<'_>, texts: &Texts, foreign: bool) {
        let Some(known) = &case.entry else { return };
        if foreign {
            let mut known = known.clone();
            self.rename_unit(&mut known);
            return self.entries.push(known);
        }
        // The render is as before, though its raw form may differ.
        let raw = case.raw.or(known.raw);
        self.record(case, known.base, raw);
        if let Some(base) = texts
            .base
            .as_ref()
            .filter(|_| case.is_moved() || case.doubtful_base)
        {
            self.forget_moved_base(case);
            self.bases.insert(case.path.to_owned(), Some(base.clone()));
        }
    }

    fn record(&mut self, case: &Case<'_>, base: Option<Digest>, raw: Option<Digest>) {
        let Some(mut entry) = entry(case, base, raw) else {
            return;
        };
        if case.rendered.is_none() {
            self.rename_unit(&mut entry);
        }
        self.entries.push(entry);
    }

    /// The records of a renamed unit (its migrations) are moved to the new lock.
    fn rename_unit(&self, entry: &mut Entry) {
        if let Some(now) = self.former.get(&entry.unit) {
            entry.unit.clone_from(now);
        }
    }

    fn forget_moved_base(&mut self, case: &Case<'_>) {
        if case.is_moved() {
            self.forget_base(case);
        }
    }

    fn forget_base(&mut self, case: &Case<'_>) {
        if let Some(entry) = &case.entry {
            self.bases.entry(entry.path.clone()).or_insert(None);
        }
    }

    /// The changes to write to the state.
    ///
    /// # Errors
    /// An error while reading the state; [`Refused`] for a state file outside of it.
    pub fn changes(
        self,
        state: &State,
        rendered: &Rendered,
        options: &PlanOptions,
    ) -> Result<Vec<StateChange>> {
        let mut changes: Vec<StateChange> = Vec::new();
        for (path, new) in &self.bases {
            let path = format!("{}/base/{path}", state::FOLDER);
            changes.push(StateChange {
                path,
                new: new.clone(),
                before: Before::Unknown,
            });
        }
        let anything = !self.entries.is_empty() || !state.is_empty();
        changes.extend(self.locks(state, rendered, options)?);
        let constants = CONSTANT_FILES.iter().filter(|_| anything);
        let mut files: BTreeMap<&str, Option<&str>> =
            constants.map(|(name, text)| (*name, Some(*text))).collect();
        files.extend(
            rendered
                .state_files
                .iter()
                .map(|(name, text)| (name.as_str(), text.as_deref())),
        );
        for (name, new) in files {
            changes.extend(state_file(state, name, new)?);
        }
        Ok(changes)
    }

    fn locks(
        &self,
        state: &State,
        rendered: &Rendered,
        options: &PlanOptions,
    ) -> Result<Vec<StateChange>> {
        let known: BTreeMap<&str, &str> = state.locks().collect();
        let mut entries: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        let all = known
            .keys()
            .copied()
            .chain(rendered.manifests.keys().map(String::as_str));
        entries.extend(all.map(|unit| (unit, Vec::new())));
        for entry in &self.entries {
            entries.entry(&entry.unit).or_default().push(entry);
        }
        if let Some(units) = &options.units {
            entries.retain(|unit, _| units.contains(*unit) || self.former.contains_key(*unit));
        }
        let (mut changes, mut templates) = (Vec::new(), templates(rendered));
        for (unit, entries) in entries {
            let text = rendered.manifests.get(unit).map(String::as_str);
            let manifest = text.map(|text| Digest::of(text).to_string());
            let templates = templates.remove(unit).unwrap_or_default();
            let tables = rendered.tables.get(unit).map_or(&[][..], Vec::as_slice);
            let new = lock::write(manifest.as_deref(), tables, &templates, entries.into_iter());
            changes.extend(lock_change(unit, known.get(unit).copied(), new));
            changes.extend(state_file(state, &reason::copy(unit), text)?);
        }
        Ok(changes)
    }
}

/// The templates that render the files of each unit.
fn templates(rendered: &Rendered) -> BTreeMap<&str, BTreeMap<&str, Digest>> {
    let mut templates: BTreeMap<&str, BTreeMap<&str, Digest>> = BTreeMap::new();
    for file in &rendered.files {
        if let Some((name, digest)) = &file.template {
            let of_unit = templates.entry(&file.unit).or_default();
            of_unit.insert(name, *digest);
        }
    }
    templates
}

fn lock_change(unit: &str, old: Option<&str>, new: Option<String>) -> Option<StateChange> {
    let same = match (old, &new) {
        (Some(old), Some(new)) => lock::same(old, new),
        (old, new) => old.is_none() && new.is_none(),
    };
    let path = format!("{}/lock/{unit}.lock", state::FOLDER);
    let before = match old {
        // Its text was not UTF-8, so its bytes are not known.
        Some(old) if old.contains(char::REPLACEMENT_CHARACTER) => Before::Unknown,
        old => Before::Known(old.map(|text| text.as_bytes().to_vec())),
    };
    (!same).then_some(StateChange { path, new, before })
}

fn entry(case: &Case<'_>, base: Option<Digest>, raw: Option<Digest>) -> Option<Entry> {
    let known = case.entry.as_ref();
    let (artefact, unit, owner) = match (case.rendered, known) {
        (Some(file), _) => (&file.artefact, &file.unit, file.owner),
        (None, Some(entry)) => (&entry.artefact, &entry.unit, entry.owner),
        (None, None) => return None,
    };
    Some(Entry {
        path: case.path.to_owned(),
        artefact: artefact.clone(),
        unit: unit.clone(),
        owner,
        base,
        raw,
    })
}

fn state_file(state: &State, name: &str, new: Option<&str>) -> Result<Option<StateChange>> {
    let own = ["base/", "lock/", "journal/", "run.lock"]
        .iter()
        .any(|own| name.starts_with(own));
    if own || place::fault(name).is_some() {
        let problem = format!("{name} cannot be the name of a state file");
        return Err(Refused::new(Exit::Failed, problem).into());
    }
    let old = state.file(name)?;
    if old.as_deref() == new {
        return Ok(None);
    }
    let path = format!("{}/{name}", state::FOLDER);
    let before = Before::Known(old.map(String::into_bytes));
    Ok(Some(StateChange {
        path,
        new: new.map(str::to_owned),
        before,
    }))
}
