//! From a case to the change of its file and its record.

use crate::digest::Digest;
use crate::merge::{self, Favour, Language, MergeContext, Merged, style};
use crate::plan::survey::Case;
use crate::plan::table::{self, Ours, Theirs, Verdict};
use crate::plan::texts::Texts;
use crate::plan::{Cause, Class, FileChange, PlanOptions, Switch};
use crate::rendered::{Content, Owner};

/// The record of a file afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Its base is this render.
    Rendered(String),
    /// As before (with the new path, where the template moved it).
    Kept,
    /// No record.
    Nothing,
}

/// Decides one case. `unit_is_rendered` says whether anything of the file's unit is.
pub fn settle(
    case: &Case<'_>,
    texts: &Texts,
    unit_is_rendered: bool,
    options: &PlanOptions,
) -> (FileChange, Record) {
    let (mut change, record) = decide(case, texts, unit_is_rendered, options);
    if let Some(marked) = &case.marked {
        change.old = Some(marked.clone());
        without_markers(case, &mut change);
    }
    // Where only conflicts were resolved, the render is as before.
    if case.marked.is_none() || !case.raw_is_known() {
        add_keys(case, &mut change);
    }
    (change, record)
}

/// Adds the reason of a changed render, if it affects the file.
fn add_keys(case: &Case<'_>, change: &mut FileChange) {
    match change.class {
        Class::Write => {}
        Class::Merge | Class::Conflict(Cause::Markers) | Class::StaysDeleted { moved_on: true }
            if !case.changed.text.is_empty() =>
        {
            change.reason = format!("{}: {}", change.reason, case.changed.text);
        }
        _ => return,
    }
    change.keys.clone_from(&case.changed.keys);
}

/// A file whose markers were removed is written in any case.
fn without_markers(case: &Case<'_>, change: &mut FileChange) {
    if change.new.is_some() || change.class == Class::Delete {
        return;
    }
    change.new = case.file.as_ref().map(|file| file.bytes.clone());
    change.mode = case.file.as_ref().and_then(|file| file.mode);
    if change.class != Class::Orphan {
        change.class = Class::Merge;
        "one side of its conflicts was taken, as asked for".clone_into(&mut change.reason);
    }
}

fn decide(
    case: &Case<'_>,
    texts: &Texts,
    unit_is_rendered: bool,
    options: &PlanOptions,
) -> (FileChange, Record) {
    if case.has_markers() {
        return resolve_markers(case, texts);
    }
    if matches!(
        case.rendered.map(|file| &file.content),
        Some(Content::Toml { .. })
    ) {
        return structured(case, texts, options);
    }
    let theirs = theirs(case, texts, unit_is_rendered);
    let ours = ours(case, texts);
    let verdict = table::verdict(case.entry.is_some(), ours, theirs, |switch| {
        case.is_selected(switch, options)
    });
    let once = case.owner() == Owner::Once && theirs == Theirs::AsBase;
    match verdict {
        Verdict::Keep | Verdict::StaysDeleted { .. } if once => {
            carry_out(case, texts, Verdict::Unchanged)
        }
        Verdict::Foreign if case.owner() == Owner::Once => {
            carry_out(case, texts, Verdict::AdoptForeign)
        }
        verdict => carry_out(case, texts, verdict),
    }
}

fn theirs(case: &Case<'_>, texts: &Texts, unit_is_rendered: bool) -> Theirs {
    let fixed = match case.owner() {
        // An emitted migration is never rewritten nor removed.
        Owner::Migration => case.entry.is_some(),
        Owner::Once => case.entry.is_some() && (case.rendered.is_some() || unit_is_rendered),
        _ => false,
    };
    let base = case.entry.as_ref().and_then(|entry| entry.base);
    match &texts.theirs {
        _ if fixed || case.raw_is_known() => Theirs::AsBase,
        Some(text) if base == Some(Digest::of(text)) || texts.base.as_ref() == Some(text) => {
            Theirs::AsBase
        }
        Some(_) => Theirs::Other,
        None => Theirs::Absent,
    }
}

fn ours(case: &Case<'_>, texts: &Texts) -> Ours {
    match &texts.ours {
        _ if case.file.is_none() => Ours::Absent,
        _ if case.as_base => Ours::AsBase,
        Some(text) if texts.base.as_ref() == Some(text) => Ours::AsBase,
        Some(text) if texts.theirs.as_ref() == Some(text) => Ours::AsTheirs,
        _ => Ours::Other,
    }
}

fn resolve_markers(case: &Case<'_>, texts: &Texts) -> (FileChange, Record) {
    let Some(theirs) = texts.theirs.as_ref().filter(|_| case.is_rendered_again()) else {
        let reason = "it holds unresolved conflict markers";
        return (change(case, Class::Unresolved, reason), Record::Kept);
    };
    let change = match with_edits(case, texts, theirs) {
        Some(merged) if merged.conflicts > 0 => {
            let (class, reason) = merge_result(merged.conflicts);
            let mut change = change(case, class, &reason);
            change.new = Some(merged.text.into_bytes());
            change
        }
        Some(merged) => {
            let reason = "its conflict markers were replaced by a new render";
            written(case, Class::Write, &merged.text, reason)
        }
        None => {
            let reason = "nobody edited it, so its conflict markers were replaced by a new render";
            written(case, Class::Write, theirs, reason)
        }
    };
    (change, Record::Rendered(theirs.clone()))
}

/// The render with the edits beside the conflicts; `None` if there are none.
fn with_edits(case: &Case<'_>, texts: &Texts, theirs: &str) -> Option<Merged> {
    let (base, ours) = (texts.base.as_ref()?, texts.ours.as_ref()?);
    if case.is_unedited || base == ours {
        return None;
    }
    let context = MergeContext {
        language: Language::of(case.path),
        original: ours,
    };
    Some(merge::merge(base, ours, theirs, &context))
}

/// `Cargo.toml`: what is on disk with the edits made; never merged.
fn structured(case: &Case<'_>, texts: &Texts, options: &PlanOptions) -> (FileChange, Record) {
    let (Some(theirs), Some(fresh)) = (&texts.theirs, &texts.fresh) else {
        return (change(case, Class::Unchanged, ""), Record::Kept);
    };
    let record = Record::Rendered(fresh.clone());
    match &texts.ours {
        None if case.entry.is_some() && !case.is_selected(Switch::Restore, options) => {
            carry_out(case, texts, Verdict::StaysDeleted { moved_on: false })
        }
        None => (written(case, Class::Create, theirs, "new"), record),
        Some(ours) if ours == theirs && case.old_place.is_none() => {
            (change(case, Class::Unchanged, ""), record)
        }
        Some(_) => (
            written(case, Class::Write, theirs, "its entries were updated"),
            record,
        ),
    }
}

fn carry_out(case: &Case<'_>, texts: &Texts, verdict: Verdict) -> (FileChange, Record) {
    // A file that is restored from an unchanged template is the base.
    let theirs = texts
        .theirs
        .as_ref()
        .or(texts.base.as_ref())
        .cloned()
        .unwrap_or_default();
    let (class, reason) = match verdict {
        Verdict::Write => (Class::Write, case.changed.text.as_str()),
        verdict => (class(verdict), reason(verdict)),
    };
    let change = match verdict {
        Verdict::Merge => return merged(case, texts, theirs, None),
        Verdict::TakeOurs if texts.are_mergeable() => {
            return merged(case, texts, theirs, Some(Favour::Ours));
        }
        Verdict::TakeTheirs if texts.are_mergeable() => {
            return merged(case, texts, theirs, Some(Favour::Theirs));
        }
        Verdict::Foreign => foreign(case, &theirs, Cause::Foreign, reason),
        Verdict::Restore if texts.theirs.is_none() && texts.base.is_none() => {
            let reason = "its last render is missing from .formwork/base, so it cannot be restored";
            let class = Class::Conflict(Cause::Unmergeable);
            return (change(case, class, reason), Record::Kept);
        }
        _ => match class {
            Class::Create | Class::Write => written(case, class, &theirs, reason),
            Class::Unchanged | Class::Keep { .. } | Class::Adopt if verdict != Verdict::Forget => {
                moved(case, class, reason)
            }
            class => change(case, class, reason),
        },
    };
    (change, record(verdict, theirs))
}

fn class(verdict: Verdict) -> Class {
    match verdict {
        Verdict::Unchanged | Verdict::Forget => Class::Unchanged,
        Verdict::Create | Verdict::Restore => Class::Create,
        Verdict::Adopt | Verdict::AdoptForeign => Class::Adopt,
        Verdict::Write | Verdict::TakeTheirs => Class::Write,
        Verdict::Keep => Class::Keep { moved_on: false },
        Verdict::TakeOurs => Class::Keep { moved_on: true },
        Verdict::Merge => Class::Merge,
        Verdict::Foreign => Class::Conflict(Cause::Foreign),
        Verdict::StaysDeleted { moved_on } => Class::StaysDeleted { moved_on },
        Verdict::Delete => Class::Delete,
        Verdict::Orphan => Class::Orphan,
    }
}

fn reason(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Unchanged | Verdict::Forget | Verdict::Write => "",
        Verdict::Create => "new",
        Verdict::Restore => "restored, as asked for",
        Verdict::Adopt => "it is as rendered already",
        Verdict::AdoptForeign => "your file is kept",
        Verdict::TakeTheirs => "the render was taken, as asked for",
        Verdict::Keep => "edited by you; the template is as before",
        Verdict::TakeOurs => "your side was kept, as asked for",
        Verdict::Merge => "your edits and the new render were merged",
        Verdict::Foreign => "a file that Formwork never rendered is in its place",
        Verdict::StaysDeleted { moved_on: false } => "deleted by you",
        Verdict::StaysDeleted { moved_on: true } => "deleted by you; its template changed since",
        Verdict::Delete => "it is no longer rendered",
        Verdict::Orphan => "it is no longer rendered, but you edited it",
    }
}

/// The record of a file after `verdict`.
fn record(verdict: Verdict, theirs: String) -> Record {
    match verdict {
        Verdict::Delete | Verdict::Forget => Record::Nothing,
        Verdict::Unchanged | Verdict::Keep | Verdict::Foreign | Verdict::Orphan => Record::Kept,
        Verdict::StaysDeleted { moved_on: false } => Record::Kept,
        _ => Record::Rendered(theirs),
    }
}

fn merged(
    case: &Case<'_>,
    texts: &Texts,
    theirs: String,
    favour: Option<Favour>,
) -> (FileChange, Record) {
    let original = case
        .file
        .as_ref()
        .and_then(|file| str::from_utf8(&file.bytes).ok());
    let (Some(ours), Some(original)) = (&texts.ours, original) else {
        let reason = "it is not UTF-8 text and cannot be merged";
        let change = foreign(case, &theirs, Cause::Unmergeable, reason);
        return (change, Record::Kept);
    };
    let Some(base) = &texts.base else {
        let reason = "its last render is missing from .formwork/base, so it cannot be merged";
        let change = foreign(case, &theirs, Cause::Unmergeable, reason);
        return (change, Record::Kept);
    };
    let context = MergeContext {
        language: Language::of(case.path),
        original,
    };
    let merged = match favour {
        Some(favour) => merge::merge_in_favour(favour, base, ours, &theirs, &context),
        None => merge::merge(base, ours, &theirs, &context),
    };
    if merged.text == original {
        let reason = match favour {
            Some(_) => reason(Verdict::TakeOurs),
            None => "edited by you; it has the template's change already",
        };
        let kept = Class::Keep { moved_on: true };
        return (moved(case, kept, reason), Record::Rendered(theirs));
    }
    if favour.is_some() && style::normalise(&merged.text) == theirs {
        let change = written(case, Class::Write, &theirs, reason(Verdict::TakeTheirs));
        return (change, Record::Rendered(theirs));
    }
    let (class, reason) = match (merged.conflicts, favour) {
        (0, Some(favour)) => (Class::Merge, decided(favour).to_owned()),
        (conflicts, _) => merge_result(conflicts),
    };
    let mut change = change(case, class, &reason);
    change.new = Some(merged.text.into_bytes());
    (change, Record::Rendered(theirs))
}

fn decided(favour: Favour) -> &'static str {
    match favour {
        Favour::Ours => {
            "your edits and the new render were merged; your side of each conflict was kept"
        }
        Favour::Theirs => {
            "your edits and the new render were merged; the render's side of each conflict was taken"
        }
    }
}

/// Class and reason of a merge with so many conflicts.
fn merge_result(conflicts: usize) -> (Class, String) {
    match conflicts {
        0 => (Class::Merge, reason(Verdict::Merge).to_owned()),
        1 => (
            Class::Conflict(Cause::Markers),
            "1 place was changed by both sides".to_owned(),
        ),
        n => (
            Class::Conflict(Cause::Markers),
            format!("{n} places were changed by both sides"),
        ),
    }
}

fn foreign(case: &Case<'_>, theirs: &str, cause: Cause, reason: &str) -> FileChange {
    let mut change = change(case, Class::Conflict(cause), reason);
    change.new = Some(theirs.as_bytes().to_vec());
    // It stays where it is.
    change.moved_from = None;
    change
}

/// The render in the style of the file on disk; where that makes no difference, no write.
fn written(case: &Case<'_>, class: Class, theirs: &str, reason: &str) -> FileChange {
    let original = case
        .file
        .as_ref()
        .and_then(|file| str::from_utf8(&file.bytes).ok());
    let text = original.map_or_else(
        || theirs.to_owned(),
        |original| style::restore(theirs, original),
    );
    if original == Some(text.as_str()) {
        return moved(case, Class::Adopt, "it is as rendered already");
    }
    let mut change = change(case, class, reason);
    change.new = Some(text.into_bytes());
    change
}

/// A file whose content stays; where the template has another path now, it follows.
fn moved(case: &Case<'_>, class: Class, reason: &str) -> FileChange {
    if case.old_place.is_none() {
        return change(case, class, reason);
    }
    let mut change = change(case, Class::Move, "the template has another path now");
    change.new = change.old.clone();
    change
}

fn change(case: &Case<'_>, class: Class, reason: &str) -> FileChange {
    let file = case.file.as_ref().filter(|_| class != Class::Unchanged);
    let place = match class {
        Class::Delete => &case.removable,
        _ => &case.place,
    };
    FileChange {
        path: case.path.to_owned(),
        place: place.clone(),
        class,
        old: file.map(|file| file.bytes.clone()),
        new: None,
        mode: file.and_then(|file| file.mode),
        reason: reason.to_owned(),
        keys: Vec::new(),
        moved_from: case.old_place.clone(),
    }
}
