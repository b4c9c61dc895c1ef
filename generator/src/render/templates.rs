//! Templates: the built-in ones, and the project's own.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use tera::{Context, Tera};

use super::mistake;
use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
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
    texts: BTreeMap<String, String>,
    outputs: BTreeMap<String, String>,
}

impl BuiltIn {
    /// Those that are compiled in.
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
    /// Those of this Formwork.
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

/// The hash of each template, with those that it includes.
fn digests(templates: &Templates) -> BTreeMap<&str, Digest> {
    let built_in = templates.built_in.texts.iter();
    let mut texts: BTreeMap<&str, &str> = built_in.map(|(p, t)| (p.as_str(), t.as_str())).collect();
    let own = templates.own.iter();
    texts.extend(own.map(|one| (one.path.as_str(), one.text.as_str())));
    let digest = |text: &str| {
        let is_named = |path: &str| {
            ['"', '\'']
                .iter()
                .any(|q| text.contains(&format!("{q}{path}{q}")))
        };
        let named = texts.iter().filter(|(path, _)| is_named(path));
        let all: String = named.map(|(_, text)| *text).collect();
        Digest::of(format!("{text}{all}"))
    };
    texts
        .iter()
        .map(|(path, text)| (*path, digest(text)))
        .collect()
}

/// The templates of a run, parsed.
pub(super) struct Set<'t> {
    tera: Tera,
    digests: BTreeMap<&'t str, Digest>,
    templates: &'t Templates,
}

impl<'t> Set<'t> {
    /// Built-in templates, and over them the project's own.
    ///
    /// # Errors
    /// A refusal (exit status 2) with every one of the project's own that does not parse.
    pub(super) fn parse(templates: &'t Templates) -> Result<Set<'t>> {
        let mut tera = Tera::new();
        tera.autoescape_on(Vec::<&'static str>::new());
        tera.add_raw_templates(&templates.built_in.texts)
            .context("built-in templates")?;
        let mut problems = Vec::new();
        for Template { path, text } in &templates.own {
            if let Err(error) = tera.add_raw_template(path, text) {
                problems.extend(mistake::problems(templates, path, &error));
            }
        }
        Refused::unless_empty(Exit::Usage, problems)?;
        Ok(Set {
            tera,
            digests: digests(templates),
            templates,
        })
    }

    /// The text of a template.
    pub(super) fn render(&self, template: &str, context: &Context) -> Result<String> {
        let text = self.tera.render(template, context);
        text.map_err(
            |error| match mistake::is_own(self.templates, template, &error) {
                true => {
                    let problems = mistake::problems(self.templates, template, &error);
                    Refused::all(Exit::Usage, problems).into()
                }
                false => anyhow::Error::from(error).context(format!("template {template}")),
            },
        )
    }

    /// Name and hash of a template.
    pub(super) fn digest(&self, template: &str) -> Option<(String, Digest)> {
        let digest = self.digests.get(template)?;
        Some((template.to_owned(), *digest))
    }

    /// Whether the project has templates of its own, which may ask for data.
    pub(super) fn has_own(&self) -> bool {
        !self.templates.own.is_empty()
    }

    /// Where a row is poured to.
    pub(super) fn output<'a>(&'a self, row: &'a Output) -> &'a str {
        self.templates.built_in.output(row)
    }

    #[cfg(test)]
    pub(super) fn contains(&self, path: &str) -> bool {
        self.tera.contains_template(path)
    }
}
