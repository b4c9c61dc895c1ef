//! Files with conflict markers: which of them are rendered again, and how one side of each conflict is taken.

use crate::merge::{self, Favour, Language, MergeContext, markers};
use crate::plan::selection::{PlanOptions, Switch};
use crate::plan::survey::{Case, compare};
use crate::rendered::Owner;

impl Case<'_> {
    /// Whether a run replaces its conflicts by a new render: nobody edited them, or Formwork owns the file.
    pub fn is_rendered_again(&self) -> bool {
        let is_own = || self.ours().as_deref().is_some_and(markers::are_of_formwork);
        self.is_unedited || (self.owner() == Owner::Formwork && !is_own())
    }

    /// Takes one side of each conflict, if `--ours` or `--theirs` is for the file.
    pub fn resolve(&mut self, options: &PlanOptions) {
        let favour = if self.is_selected(Switch::Ours, options) {
            Favour::Ours
        } else if self.is_selected(Switch::Theirs, options) {
            Favour::Theirs
        } else {
            return;
        };
        if !self.has_markers() || self.is_rendered_again() {
            return;
        }
        let Some(file) = &mut self.file else { return };
        let Ok(text) = str::from_utf8(&file.bytes) else {
            return;
        };
        let side = one_side(self.path, text, favour);
        self.marked = Some(std::mem::replace(&mut file.bytes, side.into_bytes()));
        compare(self);
    }
}

/// The text with one side of each conflict; new items of the other side stay.
fn one_side(path: &str, text: &str, favour: Favour) -> String {
    let (ours, theirs) = (markers::ours_side(text), markers::theirs_side(text));
    match markers::base_side(text) {
        Some(base) => {
            let context = MergeContext {
                language: Language::of(path),
                original: &ours,
            };
            merge::merge_in_favour(favour, &base, &ours, &theirs, &context).text
        }
        None => match favour {
            Favour::Ours => ours,
            Favour::Theirs => theirs,
        },
    }
}
