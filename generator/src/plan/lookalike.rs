//! Finds the file that a missing one may have become, so that the report can name it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

/// Larger files are not looked into.
const LARGEST: u64 = 256 * 1024;
/// The least share of common lines of both files, in percent.
const ALIKE: usize = 60;

/// For each missing file (its path and last render), the path of the file in the project that
/// resembles it most, if one does. `known` says which paths are files of Formwork's.
pub fn find(
    root: &Path,
    missing: &[(&str, &str)],
    known: &dyn Fn(&str) -> bool,
) -> Vec<Option<String>> {
    let mut best: Vec<(usize, Option<String>)> = vec![(ALIKE - 1, None); missing.len()];
    if missing.is_empty() {
        return Vec::new();
    }
    let bags: Vec<_> = missing.iter().map(|(_, text)| bag(text)).collect();
    let wanted = |path: &str| {
        !known(path)
            && missing
                .iter()
                .any(|(of, _)| extension(of) == extension(path))
    };
    for path in sources(root).filter(|path| wanted(path)) {
        let Ok(text) = fs::read_to_string(root.join(&path)) else {
            continue;
        };
        let other = bag(&text);
        for (index, (of, _)) in missing.iter().enumerate() {
            let alike = likeness(&bags[index], &other);
            if extension(of) == extension(&path) && alike > best[index].0 {
                best[index] = (alike, Some(path.clone()));
            }
        }
    }
    best.into_iter().map(|(_, path)| path).collect()
}

/// Paths of the files that a user may have written.
pub(super) fn sources(root: &Path) -> impl Iterator<Item = String> {
    let files = WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_source);
    files
        .filter_map(Result::ok)
        .filter(|file| file.file_type().is_file())
        .filter(|file| {
            file.metadata()
                .is_ok_and(|metadata| metadata.len() <= LARGEST)
        })
        .filter_map(move |file| relative(root, file.path()))
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(name.starts_with('.') || name == "target" && entry.file_type().is_dir())
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path
        .strip_prefix(root)
        .ok()?
        .iter()
        .map(|part| part.to_str())
        .collect();
    Some(parts?.join("/"))
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .map(|(_, extension)| extension)
}

/// How often each line occurs; short ones (braces) do not count.
fn bag(text: &str) -> HashMap<&str, usize> {
    let mut bag = HashMap::new();
    for line in text.lines().map(str::trim).filter(|line| line.len() > 3) {
        *bag.entry(line).or_default() += 1;
    }
    bag
}

fn likeness(one: &HashMap<&str, usize>, other: &HashMap<&str, usize>) -> usize {
    let total = one.values().sum::<usize>() + other.values().sum::<usize>();
    let common: usize = one
        .iter()
        .map(|(line, n)| (*n).min(other.get(line).copied().unwrap_or(0)))
        .sum();
    (200 * common).checked_div(total).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_and_edited_file_is_found() {
        let root = tempfile::tempdir().unwrap();
        let text = "//! Menus.\n\nuse crate::prelude;\n\npub struct Menus;\npub struct Other;\n";
        fs::create_dir_all(root.path().join("src/mine")).unwrap();
        fs::create_dir_all(root.path().join("target")).unwrap();
        fs::write(
            root.path().join("src/mine/dishes.rs"),
            format!("{text}pub fn more() {{}}\n"),
        )
        .unwrap();
        fs::write(root.path().join("src/known.rs"), text).unwrap();
        fs::write(root.path().join("target/copy.rs"), text).unwrap();
        fs::write(
            root.path().join("src/other.rs"),
            "fn quite() {}\nfn different() {}\n",
        )
        .unwrap();
        let found = find(
            root.path(),
            &[("src/menus.rs", text), ("a.md", text)],
            &|path| path == "src/known.rs",
        );
        assert_eq!(found, [Some("src/mine/dishes.rs".to_owned()), None]);
    }
}
