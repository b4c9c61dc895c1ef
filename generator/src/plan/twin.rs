//! Names that differ in case only: two files on one disk, and one on another.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

use super::place::join;

/// Whether two paths below `root` differ in case only, and are one file, because the disk ignores
/// case.
pub fn is_one_file(root: &Path, one: &str, other: &str) -> bool {
    let alike = one.eq_ignore_ascii_case(other)
        || !one.is_ascii() && one.to_lowercase() == other.to_lowercase();
    alike
        && one != other
        && identity(&root.join(one)).is_some_and(|file| Some(file) == identity(&root.join(other)))
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Of paths below `root`, those that have a neighbour whose name differs in case only, with the
/// neighbour's path: on a disk that ignores case, the two are one file.
pub fn twins<'p>(root: &Path, paths: impl Iterator<Item = &'p str>) -> Vec<(String, &'p str)> {
    let mut folders: HashMap<&str, HashMap<String, String>> = HashMap::new();
    let mut twins = Vec::new();
    for path in paths {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let names = folders
            .entry(folder)
            .or_insert_with(|| names_in(&root.join(folder)));
        if let Some(twin) = names.get(&name.to_lowercase()).filter(|twin| *twin != name) {
            twins.push((join(folder, twin), path));
        }
    }
    twins
}

/// Names in a folder, by their lower case.
fn names_in(folder: &Path) -> HashMap<String, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.map(|name| (name.to_lowercase(), name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_differ_in_case_only_are_reported() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("docs")).unwrap();
        fs::write(root.path().join("docs/Wines.md"), "").unwrap();
        let found = |paths: &[&str]| twins(root.path(), paths.iter().copied()).len();
        assert_eq!(found(&["docs/wines.md"]), 1);
        assert_eq!(
            found(&["docs/Wines.md", "docs/beers.md", "other/wines.md"]),
            0
        );
    }

    #[cfg(unix)]
    #[test]
    fn one_file_has_one_identity() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::write(at("a.md"), "").unwrap();
        assert!(
            !is_one_file(root.path(), "a.md", "A.md"),
            "the other is not there"
        );
        // The view of a disk that ignores case.
        if fs::hard_link(at("a.md"), at("A.md")).is_ok() {
            assert!(is_one_file(root.path(), "a.md", "A.md"));
        }
        fs::write(at("b.md"), "").unwrap();
        assert!(!is_one_file(root.path(), "a.md", "b.md"));
        assert!(!is_one_file(root.path(), "a.md", "a.md"));
    }
}
