//! The texts a decision needs, all formatted in one batch: unchanged files need none.

use anyhow::{Context, Result};

use crate::cargo_toml;
use crate::error::Refused;
use crate::exit::Exit;
use crate::format::{Formatter, Job};
use crate::merge::{Language, markers, style};
use crate::plan::selection::{PlanOptions, Switch};
use crate::plan::survey::Case;
use crate::rendered::Content;
use crate::state::State;

/// The sides of a case as texts in normal form; `None` where there is none, or none is needed.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// As last rendered.
    pub base: Option<String>,
    /// As on disk; `None` as well where it is no UTF-8.
    pub ours: Option<String>,
    /// As rendered now.
    pub theirs: Option<String>,
    /// A structured render as it would be written to a project without the file.
    pub fresh: Option<String>,
}

impl Texts {
    /// Whether file and render have a common base.
    pub fn are_mergeable(&self) -> bool {
        self.base.is_some() && self.ours.is_some()
    }
}

/// Gathers and formats the texts of all cases. The second value is a notice, where rustfmt is missing.
///
/// # Errors
/// An error while reading a base; [`Refused`] where a structured file cannot be edited.
pub fn gather(
    state: &State,
    cases: &[Case<'_>],
    options: &PlanOptions,
) -> Result<(Vec<Texts>, Option<String>)> {
    let mut texts = Vec::with_capacity(cases.len());
    let mut problems = Vec::new();
    for case in cases {
        match case.rendered.map(|file| &file.content) {
            Some(Content::Toml { initial, edits }) => match structured(case, initial, edits) {
                Ok(found) => texts.push(found),
                Err(error) => {
                    problems.push(format!("{}: {error:#}", case.path));
                    texts.push(Texts::default());
                }
            },
            _ => texts.push(plain(state, case, options)?),
        }
    }
    Refused::unless_empty(Exit::Usage, problems)?;
    let notice = format(state, cases, &mut texts);
    Ok((texts, notice))
}

fn structured(
    case: &Case<'_>,
    initial: &str,
    edits: &[crate::rendered::TomlEdit],
) -> Result<Texts> {
    let fresh = cargo_toml::apply(&style::normalise(initial), edits).context("the new file")?;
    let on_disk = case.ours();
    let theirs = match &on_disk {
        // Markers are reported for themselves.
        Some(text) if markers::are_in(text) => text.clone(),
        Some(text) => cargo_toml::apply(text, edits)?,
        None if case.file.is_some() => anyhow::bail!("it is not UTF-8 text"),
        None => fresh.clone(),
    };
    Ok(Texts {
        base: None,
        ours: on_disk,
        theirs: Some(theirs),
        fresh: Some(fresh),
    })
}

fn plain(state: &State, case: &Case<'_>, options: &PlanOptions) -> Result<Texts> {
    let edited = case.file.is_some() && !case.as_base;
    let ours = if edited { case.ours() } else { None };
    let anew = case.has_markers() && case.is_rendered_again();
    let restored = case.file.is_none() && case.is_selected(Switch::Restore, options);
    let has_new = !case.raw_is_known() || anew || restored;
    let theirs = case
        .rendered
        .filter(|_| has_new)
        .and_then(|file| match &file.content {
            Content::Text(text) => Some(style::normalise(text).into_owned()),
            Content::Toml { .. } => None,
        });
    let compared = edited && (theirs.is_some() || case.rendered.is_none());
    // A deleted file is looked for by its base; a moved or doubtful base is written again.
    let wanted = compared || case.file.is_none() || case.is_moved() || case.doubtful_base;
    let base = match &case.entry {
        Some(entry) if wanted => state.base_text(&entry.path)?,
        _ => None,
    };
    let ours = match (ours, &base) {
        (Some(ours), Some(base)) if anew => Some(markers::settled(&ours, base)),
        (ours, _) => ours,
    };
    Ok(Texts {
        base,
        ours,
        theirs,
        fresh: None,
    })
}

fn format(state: &State, cases: &[Case<'_>], texts: &mut [Texts]) -> Option<String> {
    let mut sides: Vec<(&str, &mut String)> = Vec::new();
    for (case, texts) in cases.iter().zip(texts.iter_mut()) {
        let Texts {
            base, ours, theirs, ..
        } = texts;
        if Language::of(case.path) != Language::Rust || theirs.is_none() && ours.is_none() {
            continue;
        }
        // Edits without a new render are not compared.
        let compared = ours.is_some() && (theirs.is_some() || case.rendered.is_none());
        sides.extend(theirs.iter_mut().map(|text| (case.path, text)));
        if compared {
            let both = base.iter_mut().chain(ours.iter_mut());
            sides.extend(
                both.filter(|text| !markers::are_in(text))
                    .map(|text| (case.path, text)),
            );
        }
    }
    if sides.is_empty() {
        return None;
    }
    let jobs: Vec<Job<'_>> = sides
        .iter()
        .map(|(path, text)| Job { path, text })
        .collect();
    let batch = Formatter::find(state.root()).format(&jobs);
    for ((_, side), formatted) in sides.into_iter().zip(batch.texts) {
        if let Ok(formatted) = formatted {
            *side = style::normalise(&formatted).into_owned();
        }
    }
    batch.notice
}
