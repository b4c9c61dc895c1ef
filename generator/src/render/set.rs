//! The templates of a run, parsed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use tera::{Context, Tera};

use super::mistake;
use super::templates::{Template, Templates};
use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;
use crate::output::Output;

/// The hash of each template, with those that it includes, and that these include.
fn digests(templates: &Templates) -> BTreeMap<&str, Digest> {
    let built_in = templates.built_in.texts.iter();
    let mut texts: BTreeMap<&str, &str> = built_in.map(|(p, t)| (p.as_str(), t.as_str())).collect();
    let own = templates.own.iter();
    texts.extend(own.map(|one| (one.path.as_str(), one.text.as_str())));
    let named_in = |text: &str| {
        let quoted = |path: &str| [format!("\"{path}\""), format!("'{path}'")];
        let is_named = |path: &&str| quoted(path).iter().any(|name| text.contains(name));
        texts
            .keys()
            .copied()
            .filter(is_named)
            .collect::<Vec<&str>>()
    };
    let named: BTreeMap<&str, Vec<&str>> = texts
        .iter()
        .map(|(path, text)| (*path, named_in(text)))
        .collect();
    let digest = |path: &str, text: &str| {
        let (mut included, mut next) = (BTreeSet::new(), named[path].clone());
        while let Some(one) = next.pop() {
            if one != path && included.insert(one) {
                next.extend(&named[one]);
            }
        }
        let all: String = included.into_iter().map(|one| texts[one]).collect();
        Digest::of(format!("{text}{all}"))
    };
    texts
        .iter()
        .map(|(path, text)| (*path, digest(path, text)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::templates::BuiltIn;

    #[test]
    fn the_hash_of_a_template_covers_included_templates_at_every_level() {
        let hash = |innermost: &str| {
            let texts = [
                ("outer", "{% include \"middle\" %}"),
                ("middle", "{% include 'inner' %}"),
                ("inner", innermost),
            ];
            let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
            let mut templates = Templates {
                built_in: BuiltIn::default(),
                own: Vec::new(),
            };
            templates.built_in.texts = texts.into();
            digests(&templates)["outer"]
        };
        assert_eq!(hash("a"), hash("a"));
        assert_ne!(hash("a"), hash("b"));
    }
}
