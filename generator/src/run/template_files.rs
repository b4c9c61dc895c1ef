//! Template files: the project's own, and another set of built-in ones for tests.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use formwork_vocabulary::did_you_mean::nearest;
use walkdir::WalkDir;

use crate::project::OwnOutput;
use crate::render::{BuiltIn, Template};

/// Names a folder with another set of built-in templates, in debug builds: the next version of
/// Formwork, for tests. Its file `outputs` has lines of a template and the path it is poured to.
const OTHER_SET: &str = "FORMWORK_BUILT_IN_TEMPLATES";

/// The templates of this Formwork.
///
/// # Errors
/// Another set, named for a test, that cannot be read.
pub fn built_in() -> Result<BuiltIn> {
    let built_in = BuiltIn::compiled_in();
    let other = std::env::var_os(OTHER_SET).filter(|_| cfg!(debug_assertions));
    let Some(folder) = other else {
        return Ok(built_in);
    };
    let folder = Path::new(&folder);
    let outputs = match folder.join("outputs") {
        file if file.exists() => fs::read_to_string(file).context("outputs")?,
        _ => String::new(),
    };
    let lines = outputs.lines().filter_map(|line| line.split_once(' '));
    let outputs = lines.map(|(template, path)| (template.to_owned(), path.to_owned()));
    Ok(built_in.replaced(read(folder, paths_in(folder)?)?, outputs))
}

/// A project's own templates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Own {
    /// Templates that replace a built-in one, and templates of outputs that the project adds.
    pub templates: Vec<Template>,
    /// Notices about those that replace none, in the folders of built-in ones.
    pub notices: Vec<String>,
}

/// Reads the templates of the project at `root`: `templates/**/*.tera`. Templates without the path
/// of a built-in one or of an output are ignored.
///
/// # Errors
/// Files that cannot be read.
pub fn own(root: &Path, built_in: &BuiltIn, outputs: &[OwnOutput]) -> Result<Own> {
    let folder = root.join("templates");
    if !folder.is_dir() {
        return Ok(Own::default());
    }
    let (known, others): (Vec<String>, Vec<String>) =
        paths_in(&folder)?.into_iter().partition(|path| {
            let mut outputs = outputs.iter();
            built_in.text(path).is_some() || outputs.any(|output| output.template == *path)
        });
    let is_ours = |path: &&String| {
        let first = |path: &str| path.split('/').next().map(str::to_owned);
        path.contains('/') && built_in.paths().any(|known| first(known) == first(path))
    };
    let others = others.iter().filter(is_ours);
    Ok(Own {
        templates: read(&folder, known)?,
        notices: others.map(|path| unused(built_in, path)).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_own_templates_are_read() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("templates/resource");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("docs.md.tera"), "# Our {{ resource.title }}\n").unwrap();
        let found = own(root.path(), &BuiltIn::compiled_in(), &[])
            .unwrap()
            .templates;
        assert_eq!(found[0].path, "resource/docs.md.tera");
        assert_eq!(found[0].text, "# Our {{ resource.title }}\n");
    }

    #[test]
    fn a_file_without_a_built_in_counterpart_is_not_used_and_is_no_mistake() {
        let root = tempfile::tempdir().unwrap();
        for path in ["resource/dcs.md.tera", "email/welcome.tera", "base.tera"] {
            let file = root.path().join("templates").join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, b"Men\xFC").unwrap();
        }
        let found = own(root.path(), &BuiltIn::compiled_in(), &[]).unwrap();
        assert_eq!(found.templates, []);
        let notice = "templates/resource/dcs.md.tera is not used: no built-in template has this path: \
                      did you mean templates/resource/docs.md.tera?";
        assert_eq!(found.notices, [notice]);
        let nowhere = own(Path::new("/nowhere"), &BuiltIn::compiled_in(), &[]).unwrap();
        assert_eq!(nowhere, Own::default());
    }
}
