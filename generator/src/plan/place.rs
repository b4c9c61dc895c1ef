//! Where a path leads on disk. No file outside the project is ever read or written: a symlink is
//! followed as far as it stays inside.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::rendered::RenderedFile;
use crate::state;

/// A file as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnDisk {
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its permission bits; `None` where the system has none.
    pub mode: Option<u32>,
    /// Whether it may not be written.
    pub read_only: bool,
}

/// The target of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Path below the project with symlinks resolved.
    pub path: String,
    /// The file, where there is one.
    pub file: Option<OnDisk>,
    /// The symlink that leads to it, where the file itself is named by one.
    pub link: Option<String>,
}

impl Place {
    /// The path that is removed with the file: only the symlink, because its target may have other
    /// users.
    pub fn removable(&self) -> &str {
        self.link.as_deref().unwrap_or(&self.path)
    }
}

/// Looks paths up below one project, and remembers the folders it saw.
#[derive(Debug)]
pub struct Places {
    root: PathBuf,
    real_root: PathBuf,
    folders: HashMap<String, Result<String, String>>,
}

impl Places {
    /// For the project at `root`, which need not exist yet.
    pub fn new(root: &Path) -> Places {
        let real_root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        Places {
            root: root.to_owned(),
            real_root,
            folders: HashMap::new(),
        }
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Why the path cannot be planned, as a sentence: it leads outside the project, a folder is in
    /// its way, it cannot be read.
    pub fn look(&mut self, path: &str) -> Result<Place, String> {
        // A damaged lock may name a path that is not Formwork's.
        if let Some(fault) = fault(path) {
            return Err(format!("{}: it {fault}", path.escape_debug()));
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = self.folder(folder)?;
        let place = self.follow(join(&folder, name));
        place.map_err(|why| format!("{path}: {why}"))
    }

    /// Reads a file, and follows it if it is a symlink.
    fn follow(&self, place: String) -> Result<Place, String> {
        let (path, link, metadata) = match fs::symlink_metadata(self.root.join(&place)) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = self.inside(&place)?;
                let metadata = fs::metadata(self.root.join(&target));
                let metadata = metadata.map_err(|error| error.to_string())?;
                (target, Some(place), metadata)
            }
            Ok(metadata) => (place, None, metadata),
            Err(error) if is_missing(&error) => {
                return Ok(Place {
                    path: place,
                    file: None,
                    link: None,
                });
            }
            Err(error) => return Err(format!("it cannot be looked up: {}", why(&error))),
        };
        let file = Some(self.read(&path, &metadata)?);
        Ok(Place { path, file, link })
    }

    fn read(&self, place: &str, metadata: &Metadata) -> Result<OnDisk, String> {
        if metadata.is_dir() {
            return Err("a folder is in the way".to_owned());
        }
        if !metadata.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        let bytes = fs::read(self.root.join(place))
            .map_err(|error| format!("it cannot be read: {}", why(&error)))?;
        Ok(OnDisk {
            bytes,
            mode: mode(metadata),
            read_only: metadata.permissions().readonly(),
        })
    }

    /// The folder with symlinks resolved; a folder that is not there yet counts as it is named.
    fn folder(&mut self, path: &str) -> Result<String, String> {
        if path.is_empty() {
            return Ok(String::new());
        }
        if let Some(known) = self.folders.get(path) {
            return known.clone();
        }
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let found = self
            .folder(parent)
            .and_then(|parent| self.step(path, join(&parent, name)));
        self.folders.insert(path.to_owned(), found.clone());
        found
    }

    fn step(&self, path: &str, place: String) -> Result<String, String> {
        match fs::symlink_metadata(self.root.join(&place)) {
            Ok(metadata) if metadata.is_dir() => Ok(place),
            Ok(metadata) if metadata.is_symlink() => {
                let target = self
                    .inside(&place)
                    .map_err(|why| format!("{path}: {why}"))?;
                match self.root.join(&target).is_dir() {
                    true => Ok(target),
                    false => Err(format!("{path}: a file is in the way of a folder")),
                }
            }
            Ok(_) => Err(format!("{path}: a file is in the way of a folder")),
            Err(error) if is_missing(&error) => Ok(place),
            Err(error) => Err(format!("{path}: it cannot be looked up: {}", why(&error))),
        }
    }

    /// Follows a symlink, as long as it stays in the project and out of Formwork's own state.
    fn inside(&self, place: &str) -> Result<String, String> {
        let target =
            fs::canonicalize(self.root.join(place)).map_err(|error| match error.kind() {
                ErrorKind::NotFound => "the symlink is broken".to_owned(),
                _ => format!("the symlink cannot be followed: {error}"),
            })?;
        let inside = target.strip_prefix(&self.real_root);
        let inside = inside
            .map_err(|_| "the symlink leads out of the project; it is not followed".to_owned())?;
        let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
        match parts {
            Some(parts) if parts.first() != Some(&state::FOLDER) => Ok(parts.join("/")),
            _ => Err("the symlink leads to files that Formwork does not read".to_owned()),
        }
    }
}

pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The reason, and a help where permissions are missing.
fn why(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => format!("{error}: change its permissions, then run again"),
        _ => error.to_string(),
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(unix)]
fn mode(metadata: &Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(metadata.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> Option<u32> {
    None
}

/// Checks that every rendered path stays in the project, and that no two are one file, also
/// where the disk does not tell upper case from lower. Returns every fault.
pub fn faults(files: &[RenderedFile]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for file in files {
        if let Some(fault) = fault(&file.path) {
            faults.push(format!("{}: {fault}", file.path.escape_debug()));
        }
        if file.artefact.is_empty() || file.artefact.contains(char::is_whitespace) {
            faults.push(format!(
                "{}: `{}` cannot be an artefact's id",
                file.path, file.artefact
            ));
        }
        if let Some(first) = seen.insert(file.path.to_lowercase(), &file.path) {
            faults.push(match first == file.path {
                true => format!("{first}: two artefacts are rendered to this path"),
                false => format!(
                    "{first} and {} differ in case only: rename one of them",
                    file.path
                ),
            });
        }
    }
    faults
}

/// Whether `path` may be written: relative, with `/`, inside the project, not the state nor git's.
pub fn fault(path: &str) -> Option<&'static str> {
    let reserved = [".git", state::FOLDER];
    let first = path.split('/').next().unwrap_or_default().to_lowercase();
    if path.contains(['\\', ':']) || path.contains(char::is_control) {
        Some("holds a character that no path may have")
    } else if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        Some("leads out of the project")
    } else if reserved.contains(&first.as_str()) {
        Some("is reserved for git or Formwork")
    } else {
        None
    }
}

/// Files of the plan that symlinks make one file.
pub fn aliases<'a>(places: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut seen = HashSet::new();
    places
        .filter(|(_, place)| !seen.insert(*place))
        .map(|(path, place)| format!("{path}: is a symlink to {place}, which is rendered too"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rendered::{Content, Owner};

    fn rendered(path: &str) -> RenderedFile {
        RenderedFile {
            template: None,
            path: path.to_owned(),
            artefact: "a".to_owned(),
            unit: "u".to_owned(),
            owner: Owner::User,
            content: Content::Text(String::new()),
        }
    }

    #[test]
    fn paths_that_leave_the_project_are_faults() {
        for path in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "",
            "a\\b",
            "C:x",
            ".formwork/base/x",
            ".git/config",
            "a\nb",
        ] {
            assert_eq!(faults(&[rendered(path)]).len(), 1, "{path:?}");
        }
        assert!(faults(&[rendered("src/a b.rs"), rendered(".gitignore")]).is_empty());
    }

    #[test]
    fn paths_that_differ_in_case_only_are_faults() {
        let faults = faults(&[rendered("src/Menu.rs"), rendered("src/menu.rs")]);
        assert_eq!(
            faults,
            ["src/Menu.rs and src/menu.rs differ in case only: rename one of them"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_are_followed_inside_the_project_only() {
        use std::os::unix::fs::symlink;
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("real")).unwrap();
        fs::write(at("real/a.rs"), "a").unwrap();
        fs::write(outside.path().join("a.rs"), "secret").unwrap();
        symlink("real", at("linked")).unwrap();
        symlink(outside.path(), at("out")).unwrap();
        symlink(outside.path().join("a.rs"), at("a.rs")).unwrap();
        symlink("nowhere", at("b.rs")).unwrap();
        let mut places = Places::new(root.path());
        let place = places.look("linked/a.rs").unwrap();
        assert_eq!(
            (place.path.as_str(), place.file.unwrap().bytes),
            ("real/a.rs", b"a".to_vec())
        );
        assert_eq!(
            places.look("linked/new/b.rs").unwrap().path,
            "real/new/b.rs"
        );
        for (path, why) in [
            ("out/a.rs", "out of the project"),
            ("a.rs", "out of the project"),
            ("b.rs", "is broken"),
        ] {
            let fault = places.look(path).unwrap_err();
            assert!(fault.contains(why), "{fault}");
        }
    }
}
