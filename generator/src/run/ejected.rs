//! Ejected templates: files of the project like any other, to which the built-in templates are rendered. So the
//! file table holds for them, and a later Formwork merges its own changes.

use anyhow::Result;

use super::request::OWN_TEMPLATES;
use super::template_files::{self, Own};
use crate::merge::markers;
use crate::plan::{self, Class, Plan, PlanOptions, Selection};
use crate::project::OwnOutput;
use crate::render::{BuiltIn, Template, Templates};
use crate::rendered::{Content, Owner, Rendered, RenderedFile};
use crate::state::State;

/// Where a project's templates are.
pub const FOLDER: &str = "templates/";

/// The project's own templates in a run.
#[derive(Debug, Clone)]
pub struct Ejected {
    /// Renders of the ejected templates: the built-in texts.
    pub files: Vec<RenderedFile>,
    /// The built-in ones, and all of the project's own.
    pub templates: Templates,
    /// Notices about files that are not used.
    pub notices: Vec<String>,
}

impl Ejected {
    /// Reads the project's own templates, and renders those that were ejected: to the built-in texts.
    ///
    /// # Errors
    /// An error while reading; a template that no built-in one corresponds to.
    pub fn rendered(state: &State, outputs: &[OwnOutput]) -> Result<Ejected> {
        let built_in = template_files::built_in()?;
        let Own {
            templates: own,
            notices,
        } = template_files::own(state.root(), &built_in, outputs)?;
        let is_there = |path: &str| own.iter().any(|template| template.path == path);
        Ok(Ejected {
            files: rendered(state, &built_in, is_there),
            templates: Templates { built_in, own },
            notices,
        })
    }

    /// Plans for the ejected templates alone.
    ///
    /// # Errors
    /// An error while planning.
    pub fn plan(&self, state: &State, selection: &Selection) -> Result<Plan> {
        match self.files.is_empty() {
            true => Ok(Plan::default()),
            false => plan(state, &self.files, selection.clone()),
        }
    }

    /// The templates as they are after this plan.
    #[must_use]
    pub fn after(mut self, plan: &Plan) -> Ejected {
        for template in &mut self.templates.own {
            template.text = after(plan, template);
        }
        self
    }
}

/// The text of a template after the run; in a conflict, the user's side.
fn after(plan: &Plan, template: &Template) -> String {
    let of_template = |path: &str| path.strip_prefix(FOLDER) == Some(template.path.as_str());
    let change = plan.files.iter().find(|change| of_template(&change.path));
    let merged = change.filter(|change| !matches!(change.class, Class::Conflict(_)));
    let new = merged.and_then(|change| change.written());
    match new.and_then(|bytes| str::from_utf8(bytes).ok()) {
        Some(text) => text.to_owned(),
        None => markers::ours_side(&template.text),
    }
}

/// The built-in text of each template that was ejected and `is_there`.
pub fn rendered(
    state: &State,
    built_in: &BuiltIn,
    is_there: impl Fn(&str) -> bool,
) -> Vec<RenderedFile> {
    let ejected = state.entries().filter(|entry| entry.unit == OWN_TEMPLATES);
    let paths = ejected.filter_map(|entry| entry.path.strip_prefix(FOLDER));
    let there = paths.filter(|path| is_there(path));
    there
        .filter_map(|path| Some(file(path, built_in.text(path)?)))
        .collect()
}

/// The render of an ejected template.
pub fn file(path: &str, text: &str) -> RenderedFile {
    RenderedFile {
        template: None,
        path: format!("{FOLDER}{path}"),
        artefact: format!("{OWN_TEMPLATES}/{path}"),
        unit: OWN_TEMPLATES.to_owned(),
        owner: Owner::User,
        content: Content::Text(text.to_owned()),
    }
}

/// Plans for ejected templates alone.
///
/// # Errors
/// An error while planning.
pub fn plan(state: &State, files: &[RenderedFile], selection: Selection) -> Result<Plan> {
    let rendered = Rendered {
        files: files.to_vec(),
        ..Rendered::default()
    };
    let options = PlanOptions {
        selection,
        units: Some([OWN_TEMPLATES.to_owned()].into()),
        ..PlanOptions::default()
    };
    plan::plan(rendered, state.clone(), &options)
}
