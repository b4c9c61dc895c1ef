//! Templates: the built-in ones, and the project's own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use formwork_vocabulary::did_you_mean::nearest;
use tera::{Context, Tera};
use walkdir::WalkDir;

use crate::error::Refused;
use crate::exit::Exit;
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
        for template in read(folder, paths_in(folder)?)? {
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

/// What a project has in `templates/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Own {
    /// Those that stand for a built-in one.
    pub templates: Vec<Template>,
    /// What is said of those that stand for none, in the folders of built-in ones.
    pub notices: Vec<String>,
}

/// Reads the templates of the project at `root`: `templates/**/*.tera`. Those that have the path of no built-in
/// one are the project's own business.
///
/// # Errors
/// Files that cannot be read.
pub fn own_templates(root: &Path) -> Result<Own> {
    let folder = root.join("templates");
    if !folder.is_dir() {
        return Ok(Own::default());
    }
    let built_in = BuiltIn::load()?;
    let (known, others): (Vec<String>, Vec<String>) = paths_in(&folder)?
        .into_iter()
        .partition(|path| built_in.text(path).is_some());
    let is_ours = |path: &&String| {
        let first = |path: &str| path.split('/').next().map(str::to_owned);
        path.contains('/') && built_in.paths().any(|known| first(known) == first(path))
    };
    let others = others.iter().filter(is_ours);
    Ok(Own {
        templates: read(&folder, known)?,
        notices: others.map(|path| unused(&built_in, path)).collect(),
    })
}

fn unused(built_in: &BuiltIn, path: &str) -> String {
    let meant = nearest(path, built_in.paths());
    let meant = meant.map_or_else(String::new, |meant| {
        format!(": did you mean templates/{meant}?")
    });
    format!("templates/{path} is not used: no built-in template has this path{meant}")
}

fn read(folder: &Path, paths: Vec<String>) -> Result<Vec<Template>> {
    let read = |path: String| {
        let text = fs::read_to_string(folder.join(&path));
        let text = text.with_context(|| format!("cannot read templates/{path}"))?;
        Ok(Template { path, text })
    };
    paths.into_iter().map(read).collect()
}

fn paths_in(folder: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.context("cannot read the project's templates")?;
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let path = below.to_string_lossy().replace('\\', "/");
        if !entry.file_type().is_file() || !path.ends_with(".tera") {
            continue;
        }
        paths.push(path);
    }
    Ok(paths)
}

/// A mistake in a template of the project's own, on one line.
fn mistake(path: &str, error: anyhow::Error) -> String {
    let why = format!("{error:#}");
    let why: Vec<&str> = why.split_whitespace().collect();
    format!("templates/{path}: {}", why.join(" "))
}

/// The templates of a run, parsed.
pub(super) struct Set {
    tera: Tera,
    built_in: BuiltIn,
    own: BTreeSet<String>,
}

impl Set {
    /// Built-in templates, and over them the project's own.
    ///
    /// # Errors
    /// A refusal (exit status 2) with every one of the project's own that does not parse.
    pub(super) fn load(own: &[Template]) -> Result<Set> {
        let built_in = BuiltIn::load()?;
        let mut tera = Tera::new();
        tera.autoescape_on(Vec::<&'static str>::new());
        tera.add_raw_templates(&built_in.texts)
            .context("built-in templates")?;
        let mut problems = Vec::new();
        for Template { path, text } in own {
            if let Err(error) = tera.add_raw_template(path, text) {
                problems.push(mistake(path, error.into()));
            }
        }
        Refused::unless_empty(Exit::Usage, problems)?;
        let own = own.iter().map(|template| template.path.clone()).collect();
        Ok(Set {
            tera,
            built_in,
            own,
        })
    }

    /// The text of a row of the table.
    pub(super) fn render(&self, row: &Output, context: &Context) -> Result<String> {
        let text = self.tera.render(row.template, context);
        text.map_err(|error| match self.own.contains(row.template) {
            true => Refused::new(Exit::Usage, mistake(row.template, error.into())).into(),
            false => anyhow::Error::from(error).context(format!("template {}", row.template)),
        })
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
