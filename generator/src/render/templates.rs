//! Templates: the built-in ones, and the project's own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tera::{Context, Tera};
use walkdir::WalkDir;

use crate::output::Output;

/// Names a folder with another set of built-in templates, in debug builds: the next version of
/// Formwork, for tests. Its file `outputs` has lines of a template and the path it is poured to.
const OTHER_SET: &str = "FORMWORK_BUILT_IN_TEMPLATES";

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
    ///
    /// # Errors
    /// Another set, named for a test, that cannot be read.
    pub fn load() -> Result<BuiltIn> {
        let texts = formwork_templates::all().map(|(path, text)| (path, text.to_owned()));
        let mut built_in = BuiltIn {
            texts: texts.collect(),
            outputs: BTreeMap::new(),
        };
        let other = std::env::var_os(OTHER_SET).filter(|_| cfg!(debug_assertions));
        if let Some(folder) = other {
            built_in.replace(Path::new(&folder))?;
        }
        Ok(built_in)
    }

    fn replace(&mut self, folder: &Path) -> Result<()> {
        for template in templates_in(folder)? {
            self.texts.insert(template.path, template.text);
        }
        let outputs = folder.join("outputs");
        if outputs.exists() {
            let text = fs::read_to_string(&outputs).context("outputs")?;
            let lines = text.lines().filter_map(|line| line.split_once(' '));
            let owned = lines.map(|(template, path)| (template.to_owned(), path.to_owned()));
            self.outputs.extend(owned);
        }
        Ok(())
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

/// Reads the templates of the project at `root`: `templates/**/*.tera`.
///
/// # Errors
/// Files that cannot be read, and names that no built-in template has.
pub fn own_templates(root: &Path) -> Result<Vec<Template>> {
    let folder = root.join("templates");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let (built_in, own) = (BuiltIn::load()?, templates_in(&folder)?);
    for Template { path, .. } in &own {
        if built_in.text(path).is_none() {
            bail!(
                "templates/{path}: no built-in template has this path, so it would never be used"
            );
        }
    }
    Ok(own)
}

fn templates_in(folder: &Path) -> Result<Vec<Template>> {
    let mut templates = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.context("cannot read the project's templates")?;
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let path = below.to_string_lossy().replace('\\', "/");
        if !entry.file_type().is_file() || !path.ends_with(".tera") {
            continue;
        }
        let text = fs::read_to_string(entry.path())
            .with_context(|| format!("cannot read templates/{path}"))?;
        templates.push(Template { path, text });
    }
    Ok(templates)
}

/// The templates of a run, parsed.
pub(super) struct Set {
    tera: Tera,
    built_in: BuiltIn,
}

impl Set {
    /// Built-in templates, and over them the project's own.
    pub(super) fn load(own: &[Template]) -> Result<Set> {
        let built_in = BuiltIn::load()?;
        let mut tera = Tera::new();
        tera.autoescape_on(Vec::<&'static str>::new());
        tera.add_raw_templates(&built_in.texts)
            .context("built-in templates")?;
        let own = own
            .iter()
            .map(|template| (template.path.as_str(), template.text.as_str()));
        tera.add_raw_templates(own)
            .context("the project's own templates")?;
        Ok(Set { tera, built_in })
    }

    /// The text of a row of the table.
    pub(super) fn render(&self, row: &Output, context: &Context) -> Result<String> {
        let text = self.tera.render(row.template, context);
        text.with_context(|| format!("template {}", row.template))
    }

    /// Where a row is poured to.
    pub(super) fn output<'a>(&'a self, row: &'a Output) -> &'a str {
        self.built_in.output(row)
    }

    #[cfg(test)]
    pub(super) fn contains(&self, path: &str) -> bool {
        self.tera.contains_template(path)
    }
}
