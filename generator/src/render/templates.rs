//! Templates: the built-in ones, and the project's own.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use tera::Tera;
use walkdir::WalkDir;

/// A template of the project's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Path below `templates/`, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
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
    let mut templates = Vec::new();
    for entry in WalkDir::new(&folder).sort_by_file_name() {
        let entry = entry.context("cannot read the project's templates")?;
        let below = entry.path().strip_prefix(&folder).unwrap_or(entry.path());
        let path = below.to_string_lossy().replace('\\', "/");
        if !entry.file_type().is_file() || !path.ends_with(".tera") {
            continue;
        }
        if formwork_templates::find(&path).is_none() {
            bail!(
                "templates/{path}: no built-in template has this path, so it would never be used"
            );
        }
        let text = fs::read_to_string(entry.path())
            .with_context(|| format!("cannot read templates/{path}"))?;
        templates.push(Template { path, text });
    }
    Ok(templates)
}

/// Built-in templates, and over them the project's own.
pub(super) fn load(own: &[Template]) -> Result<Tera> {
    let mut tera = Tera::new();
    tera.autoescape_on(Vec::<&'static str>::new());
    tera.add_raw_templates(formwork_templates::all())
        .context("built-in templates")?;
    let own = own
        .iter()
        .map(|template| (template.path.as_str(), template.text.as_str()));
    tera.add_raw_templates(own)
        .context("the project's own templates")?;
    Ok(tera)
}
