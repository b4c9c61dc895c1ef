//! Templates: the built-in ones, and the project's own.

use std::collections::BTreeMap;

use crate::output::Output;

/// A template of the project's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Path below `templates/`, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The templates of this Formwork, and where they are poured to.
#[derive(Debug, Clone, Default)]
pub struct BuiltIn {
    pub(super) texts: BTreeMap<String, String>,
    outputs: BTreeMap<String, String>,
}

impl BuiltIn {
    /// The templates that are compiled in.
    pub fn compiled_in() -> BuiltIn {
        let texts = formwork_templates::all().map(|(path, text)| (path, text.to_owned()));
        BuiltIn {
            texts: texts.collect(),
            outputs: BTreeMap::new(),
        }
    }

    /// The same with some of them replaced; `outputs` are templates and the paths they are poured to.
    pub fn replaced(
        mut self,
        templates: Vec<Template>,
        outputs: impl IntoIterator<Item = (String, String)>,
    ) -> BuiltIn {
        let texts = templates.into_iter();
        self.texts
            .extend(texts.map(|template| (template.path, template.text)));
        self.outputs.extend(outputs);
        self
    }

    /// The text of the template at `path`.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Paths of all templates.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// Where a row of the table is poured to, with its placeholders.
    pub fn output<'a>(&'a self, row: &'a Output) -> &'a str {
        self.outputs
            .get(row.template)
            .map_or(row.path, String::as_str)
    }
}

/// The templates of a run.
#[derive(Debug, Clone)]
pub struct Templates {
    /// The templates of this Formwork.
    pub built_in: BuiltIn,
    /// The project's own, which win over the built-in ones of the same path.
    pub own: Vec<Template>,
}

impl Default for Templates {
    fn default() -> Templates {
        Templates {
            built_in: BuiltIn::compiled_in(),
            own: Vec::new(),
        }
    }
}
