//! The files a project is described by, as bytes, so that tests build them in memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::error::Refused;
use crate::exit::Exit;

/// The configuration at the root of a project.
pub const CONFIG_FILE: &str = "formwork.yaml";
const CARGO_FILE: &str = "Cargo.toml";
const EXTENSIONS: &str = "extensions";

/// Everything `resolve` reads: `formwork.yaml`, the manifests, and the names in `Cargo.toml`s.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    files: BTreeMap<String, Vec<u8>>,
    ids: BTreeMap<String, String>,
}

/// Whether a manifest describes a resource or a supporting model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ManifestKind {
    /// `extensions/<folder>/resources/<key>.yaml`.
    Resource,
    /// `extensions/<folder>/models/<key>.yaml`: registered without routes.
    Model,
}

impl ManifestKind {
    /// The word of the command line: `resource` or `model`.
    pub fn word(self) -> &'static str {
        match self {
            ManifestKind::Resource => "resource",
            ManifestKind::Model => "model",
        }
    }
}

/// One manifest among the sources.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifestFile<'s> {
    /// Path below the project, with `/`.
    pub path: &'s str,
    /// Folder of its extension.
    pub folder: &'s str,
    /// File name without its ending.
    pub stem: &'s str,
    /// `yaml`, or the `yml` that `resolve` refuses.
    pub ending: &'s str,
    /// Resource or model.
    pub kind: ManifestKind,
    /// Content.
    pub bytes: &'s [u8],
}

impl Sources {
    /// Reads the sources of the project at `root`. A missing file is no error here.
    ///
    /// # Errors
    /// Folders and files that cannot be read.
    pub fn read(root: &Path) -> Result<Self> {
        let mut sources = Self::default();
        sources.take(root, CONFIG_FILE)?;
        sources.take(root, CARGO_FILE)?;
        for folder in names(root, EXTENSIONS)? {
            let below = format!("{EXTENSIONS}/{folder}");
            refuse_dangling(root, &below)?;
            sources.take(root, &format!("{below}/{CARGO_FILE}"))?;
            for part in ["resources", "models"] {
                let part = format!("{below}/{part}");
                for name in names(root, &part)? {
                    if name.ends_with(".yaml") || name.ends_with(".yml") {
                        sources.take(root, &format!("{part}/{name}"))?;
                    }
                }
            }
        }
        sources.take_templates(root, "templates")?;
        Ok(sources)
    }

    fn take_templates(&mut self, root: &Path, folder: &str) -> Result<()> {
        for name in names(root, folder)? {
            let path = format!("{folder}/{name}");
            let found = root.join(&path).symlink_metadata();
            if found.is_ok_and(|found| found.is_dir()) {
                self.take_templates(root, &path)?;
            } else if name.ends_with(".tera") {
                self.take(root, &path)?;
            }
        }
        Ok(())
    }

    /// Sources from pairs of path and content.
    pub fn from_texts<P: Into<String>, T: Into<Vec<u8>>>(
        texts: impl IntoIterator<Item = (P, T)>,
    ) -> Self {
        let mut sources = Self::default();
        for (path, text) in texts {
            sources.set(path, text);
        }
        sources
    }

    /// Adds or replaces a file: what a command is about to write is resolved before it is written.
    pub fn set(&mut self, path: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), text.into());
    }

    /// Leaves a file out.
    pub fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Names an extension that may not exist yet: `igniter.cart` for the folder `igniter_cart`.
    pub fn declare_extension(&mut self, folder: impl Into<String>, id: impl Into<String>) {
        self.ids.insert(folder.into(), id.into());
    }

    /// Content of a file.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// Text of a file; what is not UTF-8 is replaced.
    pub fn text(&self, path: &str) -> Option<Cow<'_, str>> {
        self.bytes(path).map(String::from_utf8_lossy)
    }

    /// `formwork.yaml`.
    pub fn config(&self) -> Option<&[u8]> {
        self.bytes(CONFIG_FILE)
    }

    /// The project's own `Cargo.toml`.
    pub fn cargo(&self) -> Option<Cow<'_, str>> {
        self.text(CARGO_FILE)
    }

    /// The `Cargo.toml` of an extension.
    pub fn extension_cargo(&self, folder: &str) -> Option<Cow<'_, str>> {
        self.text(&format!("{EXTENSIONS}/{folder}/{CARGO_FILE}"))
    }

    /// The name an extension was declared by.
    pub fn declared_id(&self, folder: &str) -> Option<&str> {
        self.ids.get(folder).map(String::as_str)
    }

    /// Folders of the extensions, sorted: those that hold a `Cargo.toml` or a manifest, and the declared.
    pub fn extension_folders(&self) -> BTreeSet<&str> {
        let found = self.files.keys().filter_map(|path| {
            let (folder, rest) = extension_parts(path)?;
            (rest == CARGO_FILE || manifest_parts(rest).is_some()).then_some(folder)
        });
        found.chain(self.ids.keys().map(String::as_str)).collect()
    }

    /// The manifests, by path.
    pub fn manifests(&self) -> impl Iterator<Item = ManifestFile<'_>> {
        self.files.iter().filter_map(|(path, bytes)| {
            let (folder, rest) = extension_parts(path)?;
            let (kind, stem, ending) = manifest_parts(rest)?;
            Some(ManifestFile {
                path,
                folder,
                stem,
                ending,
                kind,
                bytes,
            })
        })
    }

    fn take(&mut self, root: &Path, path: &str) -> Result<()> {
        match std::fs::read(root.join(path)) {
            Ok(bytes) => {
                self.files.insert(path.to_owned(), bytes);
                Ok(())
            }
            Err(error) if is_absent(&error) => refuse_dangling(root, path),
            Err(error) => Err(error).with_context(|| format!("cannot read {path}")),
        }
    }
}

/// The target of a broken symlink was moved or is not mounted: it does not count as removed.
fn refuse_dangling(root: &Path, path: &str) -> Result<()> {
    let link = root.join(path);
    if link.is_symlink() && !link.exists() {
        let problem = format!("{path}: the symlink is broken: fix it, or remove it as well");
        return Err(Refused::new(Exit::Failed, problem).into());
    }
    Ok(())
}

/// Whether a folder is a project.
pub fn is_project(folder: &Path) -> bool {
    folder.join(CONFIG_FILE).is_file()
}

/// The nearest project: `folder` itself, or one of the folders above it.
pub fn nearest_project(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| is_project(folder))
}

/// Path of the manifest of `key`.
pub fn manifest_path(folder: &str, kind: ManifestKind, key: &str) -> String {
    let part = match kind {
        ManifestKind::Resource => "resources",
        ManifestKind::Model => "models",
    };
    format!("{EXTENSIONS}/{folder}/{part}/{key}.yaml")
}

/// Splits a path in an extension: the extension's folder, and the path below it.
fn extension_parts(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix(EXTENSIONS)?
        .strip_prefix('/')?
        .split_once('/')
}

fn manifest_parts(rest: &str) -> Option<(ManifestKind, &str, &str)> {
    let (part, name) = rest.split_once('/')?;
    let kind = match part {
        "resources" => ManifestKind::Resource,
        "models" => ManifestKind::Model,
        _ => return None,
    };
    let (stem, ending) = name.rsplit_once('.')?;
    (matches!(ending, "yaml" | "yml") && !name.contains('/')).then_some((kind, stem, ending))
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
    )
}

/// Sorted names in a folder; none where there is no folder. Hidden files are left out.
fn names(root: &Path, path: &str) -> Result<Vec<String>> {
    let folder = root.join(path);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => {
            refuse_dangling(root, path)?;
            return Ok(Vec::new());
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", folder.display()));
        }
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        // A name that is no text cannot name an extension or a resource.
        if let Ok(name) = entry.file_name().into_string()
            && !name.starts_with('.')
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_read_from_disk_in_order() {
        let root = tempfile::tempdir().unwrap();
        let resources = root.path().join("extensions/shop/resources");
        std::fs::create_dir_all(&resources).unwrap();
        std::fs::create_dir_all(root.path().join("extensions/empty")).unwrap();
        std::fs::write(root.path().join("extensions/notes.txt"), "no folder").unwrap();
        for name in ["b.yaml", "a.yaml", ".hidden.yaml", "notes.md"] {
            std::fs::write(resources.join(name), name).unwrap();
        }
        let sources = Sources::read(root.path()).unwrap();
        let stems: Vec<_> = sources.manifests().map(|file| file.stem).collect();
        assert_eq!(stems, ["a", "b"]);
        assert_eq!(
            sources.extension_folders().into_iter().collect::<Vec<_>>(),
            ["shop"]
        );
        assert!(sources.config().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_dangling_symlink_is_an_error_and_not_a_removed_file() {
        use std::os::unix::fs::symlink;
        for link in [
            "extensions",
            "extensions/shop",
            "extensions/shop/resources",
            "extensions/shop/resources/dishes.yaml",
            "formwork.yaml",
        ] {
            let root = tempfile::tempdir().unwrap();
            let path = root.path().join(link);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink("nowhere", &path).unwrap();
            let error = Sources::read(root.path()).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::Failed);
            assert!(
                error.to_string().starts_with(&format!("{link}: ")),
                "{error}"
            );
        }
    }
}
