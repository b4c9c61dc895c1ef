//! The folder of the state: its name, the files in it that never change, and how the others are read.

use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use walkdir::WalkDir;

/// The folder of the state.
pub const FOLDER: &str = ".formwork";

/// Files of the state that never change.
pub const CONSTANT_FILES: [(&str, &str); 2] = [
    (
        ".gitattributes",
        "base/** -text linguist-generated\nmanifests/** -text linguist-generated\n",
    ),
    (".gitignore", "journal/\nrun.lock\n"),
];

/// The text of the state file `name` (`schema/menus.schema`), exactly as it is.
pub(super) fn file(root: &Path, name: &str) -> Result<Option<String>> {
    let path = root.join(FOLDER).join(name);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(text(bytes))),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Names and texts of the state files in `folder` (not in folders below it), sorted.
pub(super) fn files_below(root: &Path, folder: &str) -> Result<Vec<(String, String)>> {
    let path = root.join(FOLDER).join(folder);
    let listing = match fs::read_dir(&path) {
        Ok(listing) => listing,
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", path.display()));
        }
    };
    let mut names = Vec::new();
    for file in listing {
        let file = file.with_context(|| format!("cannot read {}", path.display()))?;
        if !is_folder(&file) {
            names.push(format!("{folder}/{}", file.file_name().to_string_lossy()));
        }
    }
    names.sort();
    let read = |name: String| Ok(file(root, &name)?.map(|text| (name, text)));
    let files = names.into_par_iter().map(read);
    files.filter_map(Result::transpose).collect()
}

/// Whether an entry of a folder is a folder, or a symlink to one.
fn is_folder(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if !kind.is_symlink() => kind.is_dir(),
        _ => entry.path().is_dir(),
    }
}

/// Paths that have a base.
pub(super) fn bases(root: &Path) -> Result<Vec<String>> {
    bases_below(root, "")
}

/// Paths of migrations that have a base.
pub(super) fn migrations(root: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    let extensions = root.join(FOLDER).join("base/extensions");
    let Ok(listing) = fs::read_dir(extensions) else {
        return Ok(paths);
    };
    for extension in listing.flatten() {
        let name = extension.file_name();
        let below = format!("extensions/{}/migrations", name.to_string_lossy());
        paths.extend(bases_below(root, &below)?);
    }
    paths.sort();
    Ok(paths)
}

fn bases_below(root: &Path, below: &str) -> Result<Vec<String>> {
    let folder = root.join(FOLDER).join("base");
    let mut paths = Vec::new();
    if !folder.join(below).is_dir() {
        return Ok(paths);
    }
    for file in WalkDir::new(folder.join(below)).sort_by_file_name() {
        let file = file.context("cannot read the bases in .formwork/base")?;
        let below = file.path().strip_prefix(&folder).unwrap_or(file.path());
        if file.file_type().is_file() {
            paths.push(below.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(paths)
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
