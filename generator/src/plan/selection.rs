//! The files that the switches of the command line are for.

use std::collections::{BTreeMap, BTreeSet};

use super::manifest::ManifestEdit;

/// A switch that decides what happens to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// Keep the file where both sides changed it.
    Ours,
    /// Take the render where both sides changed a file, and over foreign files.
    Theirs,
    /// Render a deleted file again.
    Restore,
    /// Keep a foreign file, and record the render as its base.
    Adopt,
}

impl Switch {
    /// Returns the switch as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Switch::Ours => "--ours",
            Switch::Theirs => "--theirs",
            Switch::Restore => "--restore",
            Switch::Adopt => "--adopt",
        }
    }
}

/// The files of a switch that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectedPaths {
    /// It was given without paths.
    All,
    /// Files and folders below the project, with `/`.
    These(BTreeSet<String>),
}

impl SelectedPaths {
    fn includes(&self, path: &str) -> bool {
        match self {
            SelectedPaths::All => true,
            SelectedPaths::These(paths) => paths.iter().any(|one| is_in(path, one)),
        }
    }

    /// Whether a file may be selected by both.
    fn overlaps(&self, other: &SelectedPaths) -> bool {
        match (self, other) {
            (SelectedPaths::All, SelectedPaths::All) => true,
            (SelectedPaths::These(paths), other) if paths.iter().any(|one| other.includes(one)) => {
                true
            }
            (one, SelectedPaths::These(paths)) => paths.iter().any(|other| one.includes(other)),
            (SelectedPaths::These(_), SelectedPaths::All) => false,
        }
    }
}

/// The files of all switches that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection(BTreeMap<Switch, SelectedPaths>);

impl Selection {
    /// Adds a switch and its files.
    #[must_use]
    pub fn with(mut self, switch: Switch, paths: SelectedPaths) -> Selection {
        self.0.insert(switch, paths);
        self
    }

    /// Whether a switch is for the file at `path`.
    pub fn includes(&self, switch: Switch, path: &str) -> bool {
        let paths = self.0.get(&switch);
        paths.is_some_and(|paths| paths.includes(path))
    }

    /// Whether both sides of a file are selected.
    pub fn selects_both_sides(&self) -> bool {
        let sides = self.0.get(&Switch::Ours).zip(self.0.get(&Switch::Theirs));
        sides.is_some_and(|(ours, theirs)| ours.overlaps(theirs))
    }

    /// Returns every path that is named, with its switch.
    pub fn named_paths(&self) -> impl Iterator<Item = (Switch, &str)> {
        self.0.iter().flat_map(|(switch, paths)| {
            let named = match paths {
                SelectedPaths::All => None,
                SelectedPaths::These(paths) => Some(paths.iter()),
            };
            named
                .into_iter()
                .flatten()
                .map(|path| (*switch, path.as_str()))
        })
    }
}

/// Whether `path` is `of`, or lies below it.
pub fn is_in(path: &str, of: &str) -> bool {
    let rest = path.strip_prefix(of);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The options of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// The files of each switch.
    pub selection: Selection,
    /// Only these units are planned for; everything else is left alone.
    pub units: Option<BTreeSet<String>>,
    /// Manifests that the command line itself changes.
    pub manifests: Vec<ManifestEdit>,
    /// The run writes no file: problems of writing are notices and do not stop it.
    pub reads_only: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn these(paths: &[&str]) -> SelectedPaths {
        SelectedPaths::These(paths.iter().map(|path| (*path).to_owned()).collect())
    }

    #[test]
    fn a_path_is_a_file_or_a_whole_folder() {
        let selection = Selection::default().with(Switch::Ours, these(&["src/a.rs", "docs"]));
        let selection = selection.with(Switch::Adopt, SelectedPaths::All);
        for path in ["src/a.rs", "docs/x.md", "docs/deep/y.md"] {
            assert!(selection.includes(Switch::Ours, path), "{path}");
        }
        for path in ["src/a.rs2", "docs.md", "src", "src/b.rs"] {
            assert!(!selection.includes(Switch::Ours, path), "{path}");
        }
        assert!(selection.includes(Switch::Adopt, "x"));
        assert!(!selection.includes(Switch::Restore, "x"));
    }

    #[test]
    fn both_sides_of_a_file_are_not_selected() {
        let are_both = |ours: &SelectedPaths, theirs: &SelectedPaths| {
            let selection = Selection::default().with(Switch::Ours, ours.clone());
            let selection = selection.with(Switch::Theirs, theirs.clone());
            selection.selects_both_sides()
        };
        let (file, folder, all) = (these(&["docs/x.md"]), these(&["docs"]), SelectedPaths::All);
        for (one, other) in [(&file, &folder), (&file, &all), (&all, &all)] {
            assert!(are_both(one, other) && are_both(other, one));
        }
        assert!(!are_both(&file, &these(&["src"])));
        let ours = Selection::default().with(Switch::Ours, all);
        assert!(!ours.selects_both_sides());
    }
}
