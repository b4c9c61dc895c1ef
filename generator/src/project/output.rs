//! Outputs that a project adds to those of Formwork.

/// The part of a project that a template is rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The project.
    Project,
    /// Each extension.
    Extension,
    /// Each resource with routes.
    Resource,
    /// Each supporting model.
    Model,
}

impl Scope {
    /// The words of `for:` in `formwork.yaml`, in the order of [`Scope::ALL`].
    pub const WORDS: &'static [&'static str] = &["project", "extension", "resource", "model"];
    /// Every scope.
    pub const ALL: [Self; 4] = [Self::Project, Self::Extension, Self::Resource, Self::Model];
}

/// A file that a template of the project's own is poured to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnOutput {
    /// The template, below the project's `templates/`.
    pub template: String,
    /// The file, below the project; with `{extension}`, `{resource}` and `{module}` in it.
    pub pattern: String,
    /// Scope of the template.
    pub scope: Scope,
}
