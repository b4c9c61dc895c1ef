//! Which files a switch of the command line is for.

use std::collections::BTreeSet;

use super::manifest::ManifestEdit;

/// The files a switch is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Selection {
    /// It was not given.
    #[default]
    None,
    /// It was given without paths.
    All,
    /// Files and folders below the project, with `/`.
    These(BTreeSet<String>),
}

impl From<bool> for Selection {
    fn from(given: bool) -> Selection {
        match given {
            true => Selection::All,
            false => Selection::None,
        }
    }
}

impl Selection {
    /// Whether the switch is for the file at `path`.
    pub fn includes(&self, path: &str) -> bool {
        match self {
            Selection::None => false,
            Selection::All => true,
            Selection::These(paths) => paths.iter().any(|one| is_in(path, one)),
        }
    }

    /// Whether a file can be chosen by both.
    pub fn meets(&self, other: &Selection) -> bool {
        let within = |one: &Selection, other: &Selection| match one {
            Selection::These(paths) => paths.iter().any(|path| other.includes(path)),
            _ => false,
        };
        let both_all = *self == Selection::All && *other == Selection::All;
        both_all || within(self, other) || within(other, self)
    }
}

/// Whether `path` is `of`, or lies below it.
pub fn is_in(path: &str, of: &str) -> bool {
    let rest = path.strip_prefix(of);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The options of the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// Keep the file where both sides changed it.
    pub ours: Selection,
    /// Take the render where both sides changed a file, and over foreign files.
    pub theirs: Selection,
    /// Render deleted files again.
    pub restore: Selection,
    /// Keep foreign files, and record the render as their base.
    pub adopt: Selection,
    /// Only these units are planned for; everything else is left alone.
    pub units: Option<BTreeSet<String>>,
    /// Manifests that the command line itself changes.
    pub manifests: Vec<ManifestEdit>,
    /// The run writes no file: problems of writing are notices and do not stop it.
    pub reads_only: bool,
}

/// The options for one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileOptions {
    /// Keep the file where both sides changed it.
    pub ours: bool,
    /// Take the render where both sides changed the file, and over a foreign one.
    pub theirs: bool,
    /// Render the file again where it was deleted.
    pub restore: bool,
    /// Keep a foreign file, and record the render as its base.
    pub adopt: bool,
}

impl PlanOptions {
    /// The choices for a file, by its path or its former path.
    pub fn file_options(&self, path: &str, before: Option<&str>) -> FileOptions {
        let chosen = |selection: &Selection| {
            selection.includes(path) || before.is_some_and(|path| selection.includes(path))
        };
        FileOptions {
            ours: chosen(&self.ours),
            theirs: chosen(&self.theirs),
            restore: chosen(&self.restore),
            adopt: chosen(&self.adopt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn these(paths: &[&str]) -> Selection {
        Selection::These(paths.iter().map(|path| (*path).to_owned()).collect())
    }

    #[test]
    fn a_path_is_a_file_or_a_whole_folder() {
        let chosen = these(&["src/a.rs", "docs"]);
        for path in ["src/a.rs", "docs/x.md", "docs/deep/y.md"] {
            assert!(chosen.includes(path), "{path}");
        }
        for path in ["src/a.rs2", "docs.md", "src", "src/b.rs"] {
            assert!(!chosen.includes(path), "{path}");
        }
        assert!(Selection::All.includes("x") && !Selection::None.includes("x"));
    }

    #[test]
    fn two_switches_meet_in_a_file() {
        let (one, other) = (these(&["docs/x.md"]), these(&["docs"]));
        assert!(one.meets(&other) && other.meets(&one));
        assert!(one.meets(&Selection::All) && Selection::All.meets(&one));
        assert!(Selection::All.meets(&Selection::All));
        assert!(!one.meets(&these(&["src"])) && !one.meets(&Selection::None));
        assert!(!Selection::All.meets(&Selection::None));
    }
}
