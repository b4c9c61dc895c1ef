//! Brings together, for each path, what was rendered last, what is on disk and what is rendered now.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::digest::Digest;
use crate::merge::{markers, style};
use crate::plan::place::{self, OnDisk, Places};
use crate::plan::reason::Reason;
use crate::plan::selection::{PlanOptions, Switch};
use crate::plan::twin;
use crate::rendered::{Content, Owner, RenderedFile};
use crate::state::{Entry, State};

/// One path with its three sides.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// Path below the project.
    pub path: &'a str,
    /// The present render.
    pub rendered: Option<&'a RenderedFile>,
    /// Record of the last render, with the hash of its base where there is one.
    pub entry: Option<Entry>,
    /// Where the file is, symlinks resolved.
    pub place: String,
    /// The path that is removed with the file.
    pub removable: String,
    /// The file; with `old_place`, the one found there.
    pub file: Option<OnDisk>,
    /// Where the file still is, when the template gave it another path.
    pub old_place: Option<String>,
    /// Hash of the raw render.
    pub raw: Option<Digest>,
    /// The file is as last rendered, but for line endings and the like.
    pub as_base: bool,
    /// Reason why the render is another than last time.
    pub changed: Reason,
    /// The file as it is on disk, where its conflict markers were taken out for this run.
    pub marked: Option<Vec<u8>>,
    /// The base was in doubt (a git merge, a lost lock), and is written again.
    pub doubtful_base: bool,
    /// Both sides of each of its conflicts are renders, as after a git merge.
    pub is_unedited: bool,
}

impl Case<'_> {
    /// Whether the raw render is the one the base was made from.
    pub fn raw_is_known(&self) -> bool {
        self.raw.is_some()
            && self
                .entry
                .as_ref()
                .is_some_and(|entry| entry.raw == self.raw)
    }

    /// Whether the template's path is another than last time.
    pub fn is_moved(&self) -> bool {
        self.entry
            .as_ref()
            .is_some_and(|entry| entry.path != self.path)
    }

    /// Whether a switch is for this file, by its path or the path of the last render.
    pub fn is_selected(&self, switch: Switch, options: &PlanOptions) -> bool {
        let mut paths = [Some(self.path), self.path_before()].into_iter().flatten();
        paths.any(|path| options.selection.includes(switch, path))
    }

    /// The path of the last render.
    pub fn path_before(&self) -> Option<&str> {
        self.entry.as_ref().map(|entry| entry.path.as_str())
    }

    /// Whether it holds conflict markers.
    pub fn has_markers(&self) -> bool {
        !self.as_base && self.ours().as_deref().is_some_and(markers::are_in)
    }

    /// Owner of the file.
    pub fn owner(&self) -> Owner {
        let recorded = self.entry.as_ref().map(|entry| entry.owner);
        self.rendered
            .map(|rendered| rendered.owner)
            .or(recorded)
            .unwrap_or(Owner::User)
    }

    /// The file in normal form, where it is text.
    pub fn ours(&self) -> Option<String> {
        let text = str::from_utf8(&self.file.as_ref()?.bytes).ok()?;
        Some(style::normalise(text).into_owned())
    }
}

/// A path to look at, before disk and hashes are known.
#[derive(Debug, Clone, Copy)]
struct Pair<'a> {
    rendered: Option<&'a RenderedFile>,
    entry: Option<&'a Entry>,
}

/// Paths that are looked at together: those of one folder share its place.
const AT_ONCE: usize = 256;

/// Looks at everything that is rendered or recorded, by path. Reads only. `former` are units that
/// were renamed: old and new. The second value has the reason for every path that cannot be
/// planned.
pub fn survey<'a>(
    state: &'a State,
    files: &'a [RenderedFile],
    former: &BTreeMap<String, String>,
    options: &PlanOptions,
) -> (Vec<Case<'a>>, Vec<String>) {
    let pairs = pairs(state, files, former, options);
    let parts: Vec<(Vec<Case<'a>>, Vec<String>)> = pairs
        .par_chunks(AT_ONCE)
        .map(|part| look_at_all(state, part))
        .collect();
    let (mut cases, mut problems) = (Vec::with_capacity(pairs.len()), Vec::new());
    for (found, faults) in parts {
        cases.extend(found);
        problems.extend(faults);
    }
    problems.extend(place::aliases(
        cases.iter().map(|case| (case.path, case.place.as_str())),
    ));
    problems.sort();
    problems.dedup();
    cases.sort_by_key(|case| case.path);
    (cases, problems)
}

/// Pairs renders with records: by path, and what is left of both by the artefact's id, which says
/// the unit and may be that of the unit's former name.
fn pairs<'a>(
    state: &'a State,
    files: &'a [RenderedFile],
    former: &BTreeMap<String, String>,
    options: &PlanOptions,
) -> Vec<Pair<'a>> {
    let wanted = |unit: &str| {
        let units = options.units.as_ref();
        units.is_none_or(|units| units.contains(unit) || former.contains_key(unit))
    };
    let rendered: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let (mut pairs, mut movable) = (Vec::with_capacity(files.len()), BTreeMap::new());
    for entry in state.entries().filter(|entry| wanted(&entry.unit)) {
        let is_movable = entry.owner != Owner::Migration && !movable.contains_key(&entry.artefact);
        if rendered.contains(entry.path.as_str()) {
            // It is paired with its render below.
        } else if is_movable {
            movable.insert(&entry.artefact, entry);
        } else {
            pairs.push(Pair {
                rendered: None,
                entry: Some(entry),
            });
        }
    }
    // A path that changes in case only is the same file, whatever was rendered to it.
    let lower = |path: &str| path.to_lowercase();
    let by_path = movable
        .values()
        .map(|entry| (lower(&entry.path), &entry.artefact));
    let by_path: BTreeMap<String, &String> = by_path.collect();
    for file in files.iter().filter(|file| wanted(&file.unit)) {
        let entry = match state.entry(&file.path) {
            None if file.owner != Owner::Migration => movable
                .remove(&file.artefact)
                .or_else(|| movable.remove(&former_artefact(file, former)?))
                .or_else(|| movable.remove(*by_path.get(&lower(&file.path))?)),
            known => known,
        };
        pairs.push(Pair {
            rendered: Some(file),
            entry,
        });
    }
    pairs.extend(movable.into_values().map(|entry| Pair {
        rendered: None,
        entry: Some(entry),
    }));
    pairs
}

/// Id of an artefact under the former name of its unit.
fn former_artefact(file: &RenderedFile, former: &BTreeMap<String, String>) -> Option<String> {
    let (was, _) = former.iter().find(|(_, now)| **now == file.unit)?;
    let id = |unit: &str| format!("{}/", unit.replace('.', "/"));
    let rest = file.artefact.strip_prefix(&id(&file.unit))?;
    Some(id(was) + rest)
}

fn look_at_all<'a>(state: &'a State, pairs: &[Pair<'a>]) -> (Vec<Case<'a>>, Vec<String>) {
    let mut places = Places::new(state.root());
    let (mut cases, mut problems) = (Vec::with_capacity(pairs.len()), Vec::new());
    for pair in pairs {
        match look_at(state, &mut places, *pair) {
            Ok(found) => cases.extend(found),
            Err(problem) => problems.push(problem),
        }
    }
    (cases, problems)
}

fn look_at<'a>(
    state: &'a State,
    places: &mut Places,
    pair: Pair<'a>,
) -> Result<Vec<Case<'a>>, String> {
    match (pair.rendered, pair.entry) {
        (Some(rendered), Some(entry)) if rendered.path != entry.path => {
            look_at_moved(state, places, rendered, entry)
        }
        (Some(rendered), _) => Ok(vec![case(state, places, &rendered.path, pair)?]),
        (None, Some(entry)) => Ok(vec![case(state, places, &entry.path, pair)?]),
        (None, None) => Ok(Vec::new()),
    }
}

/// One case; two where old and new path both hold a file, which are two files.
fn look_at_moved<'a>(
    state: &'a State,
    places: &mut Places,
    rendered: &'a RenderedFile,
    entry: &'a Entry,
) -> Result<Vec<Case<'a>>, String> {
    let (old, new) = (places.look(&entry.path)?, places.look(&rendered.path)?);
    let is_one = || twin::is_one_file(state.root(), &old.path, &new.path);
    if old.file.is_some() && new.file.is_some() && !is_one() {
        let (alone, gone) = (
            Pair {
                rendered: Some(rendered),
                entry: None,
            },
            Pair {
                rendered: None,
                entry: Some(entry),
            },
        );
        let alone = case(state, places, &rendered.path, alone)?;
        return Ok(vec![alone, case(state, places, &entry.path, gone)?]);
    }
    let pair = Pair {
        rendered: Some(rendered),
        entry: Some(entry),
    };
    let mut case = case(state, places, &rendered.path, pair)?;
    if old.file.is_some() {
        case.old_place = Some(old.removable().to_owned());
        case.file = old.file;
        compare(&mut case);
    }
    Ok(vec![case])
}

fn case<'a>(
    state: &'a State,
    places: &mut Places,
    path: &'a str,
    pair: Pair<'a>,
) -> Result<Case<'a>, String> {
    let place = places.look(path)?;
    let (entry, doubtful_base) = settled(state, path, pair)?;
    let raw = match pair.rendered.map(|file| &file.content) {
        Some(Content::Text(text)) => Some(Digest::of(text)),
        _ => None,
    };
    let removable = place.removable().to_owned();
    let (place, file, old_place) = (place.path, place.file, None);
    let rendered = pair.rendered;
    let mut case = Case {
        path,
        rendered,
        entry,
        place,
        removable,
        file,
        old_place,
        raw,
        as_base: false,
        changed: Reason::default(),
        marked: None,
        doubtful_base,
        is_unedited: false,
    };
    compare(&mut case);
    case.is_unedited = case.has_markers() && has_sides_of_base(state, &case)?;
    if !case.as_base || !case.raw_is_known() {
        mistrust(state, &mut case)?;
    }
    Ok(case)
}

/// Whether the conflicts of a file are those of its base.
fn has_sides_of_base(state: &State, case: &Case<'_>) -> Result<bool, String> {
    let path = case.path_before().unwrap_or(case.path);
    let base = state.file(&format!("base/{path}"));
    let base = base.map_err(|error| format!("{error:#}"))?;
    let ours = case.ours().unwrap_or_default();
    Ok(base.is_some_and(|base| markers::have_same_sides(&style::normalise(&base), &ours)))
}

/// Where file or render are another, the base's text counts and not its hash: a git merge may have kept one
/// side of the lock and merged the base.
fn mistrust(state: &State, case: &mut Case<'_>) -> Result<(), String> {
    let raw_is_known = case.raw_is_known();
    let Some(entry) = case.entry.as_mut().filter(|_| !case.doubtful_base) else {
        return Ok(());
    };
    let text = match state.base_text(&entry.path) {
        // An edited file is kept whatever its base says.
        Err(_) if raw_is_known => return Ok(()),
        text => text.map_err(|error| format!("{error:#}"))?,
    };
    let found = text.map(|text| Digest::of(&text));
    if found.is_some() && found != entry.base {
        (entry.base, entry.raw) = (found, None);
        case.doubtful_base = true;
        compare(case);
    }
    Ok(())
}

/// The record with the hash of its base; where the lock does not say it (any more), the base's
/// text does.
fn settled(state: &State, path: &str, pair: Pair<'_>) -> Result<(Option<Entry>, bool), String> {
    if let Some(entry) = pair.entry.filter(|entry| entry.base.is_some()) {
        return Ok((Some(entry.clone()), false));
    }
    let recorded = pair.entry.map_or(path, |entry| &entry.path);
    let text = state
        .base_text(recorded)
        .map_err(|error| format!("{error:#}"))?;
    let base = text.map(|text| Digest::of(&text));
    let entry = match (pair.entry, pair.rendered) {
        // If the raw render is the base's text, it formats to the base.
        (Some(entry), _) => Some(Entry {
            base,
            raw: entry.raw.or(base),
            ..entry.clone()
        }),
        (None, Some(file)) if base.is_some() => Some(Entry {
            path: file.path.clone(),
            artefact: file.artefact.clone(),
            unit: file.unit.clone(),
            owner: file.owner,
            base,
            raw: None,
        }),
        _ => None,
    };
    Ok((entry.clone(), entry.is_some()))
}

/// Compares the file with its last render.
pub fn compare(case: &mut Case<'_>) {
    let base = case.entry.as_ref().and_then(|entry| entry.base);
    case.as_base = match (base, &case.file) {
        (Some(base), Some(file)) => {
            Digest::of(&file.bytes) == base
                || case.ours().is_some_and(|text| Digest::of(&text) == base)
        }
        _ => false,
    };
}
