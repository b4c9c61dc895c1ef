//! The files that `--ours`, `--theirs`, `--adopt` and `--restore` name.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use formwork_vocabulary::did_you_mean::nearest;

use crate::cli::RunArgs;
use crate::error::Refused;
use crate::exit::Exit;
use crate::plan::selection::is_in;
use crate::plan::{Class, FileChange, Plan, SelectedPaths, Selection, Switch};
use crate::state::State;

/// Resolves the paths of the command line to paths below the project.
pub fn resolve(args: &RunArgs, state: &State) -> Selection {
    let current = std::env::current_dir().unwrap_or_default();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folders = Folders {
        root: real(state.root()),
        current: real(&current),
    };
    let switches = [
        (Switch::Ours, &args.ours),
        (Switch::Theirs, &args.theirs),
        (Switch::Restore, &args.restore),
        (Switch::Adopt, &args.adopt),
    ];
    let mut selection = Selection::default();
    for (switch, paths) in switches {
        let selected = match paths.as_deref() {
            None => continue,
            Some([]) => SelectedPaths::All,
            Some(paths) => {
                let resolved = paths.iter().map(|path| folders.resolve(path, state));
                SelectedPaths::These(resolved.collect())
            }
        };
        selection = selection.with(switch, selected);
    }
    selection
}

/// The folders that a path of the command line may begin in.
struct Folders {
    root: PathBuf,
    current: PathBuf,
}

impl Folders {
    /// Returns a path below the project: as seen from the current folder, else as reports print it. A recorded file
    /// comes first, then one on disk.
    fn resolve(&self, path: &Path, state: &State) -> String {
        let folders = [&self.current, &self.root].into_iter();
        let places = folders.filter_map(|folder| below(&self.root, &folder.join(path)));
        let places: Vec<String> = places.collect();
        let is_recorded = |place: &&String| state.entries().any(|entry| is_in(&entry.path, place));
        let is_on_disk = |place: &&String| self.root.join(place).exists();
        let recorded = places.iter().find(is_recorded);
        let existing = recorded.or_else(|| places.iter().find(is_on_disk));
        let resolved = existing.or(places.first()).cloned();
        resolved.unwrap_or_else(|| path.display().to_string())
    }
}

/// Returns the path below `root` with `/`; `None` where it is not below it.
fn below(root: &Path, path: &Path) -> Option<String> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    let inside = plain.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    parts
        .map(|parts| parts.join("/"))
        .filter(|path| !path.is_empty())
}

/// Checks that every selected path is one of these files, or a folder of some.
///
/// # Errors
/// A refusal (exit status 2) with every other path.
pub fn check(selection: &Selection, files: &HashSet<&str>) -> Result<(), Refused> {
    let is_known = |path: &str| files.iter().any(|file| is_in(file, path));
    let unknown_paths = selection.named_paths().filter(|(_, path)| !is_known(path));
    let problems = unknown_paths.map(|(switch, path)| unknown(switch, path, files));
    Refused::unless_empty(Exit::Usage, problems.collect())
}

fn unknown(switch: Switch, path: &str, files: &HashSet<&str>) -> String {
    let end = format!("/{path}");
    let mut files: Vec<&str> = files.iter().copied().collect();
    files.sort_unstable();
    let mut ends = files.iter().filter(|file| file.ends_with(&end)).copied();
    let near = match (ends.next(), ends.next()) {
        (Some(one), None) => Some(one),
        _ => nearest(path, files.iter().copied()),
    };
    let hint = near.map_or_else(
        || "`formwork status` and the report name them".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    let switch = switch.name();
    format!("{switch} {path}: no file of Formwork's has this path: {hint}")
}

/// Returns a notice for each selected path that needed no change.
pub fn notices(selection: &Selection, plan: &Plan) -> Vec<String> {
    let mut notices = Vec::new();
    for (switch, path) in selection.named_paths() {
        let files = || plan.files.iter().filter(|file| is_of(file, path));
        if files().all(|file| is_idle(file.class)) {
            let why = files().map(|file| file.reason.as_str());
            let why = why.filter(|why| !why.is_empty()).min();
            let why = why.unwrap_or("it is as rendered");
            let switch = switch.name();
            notices.push(format!("{switch} {path}: there was nothing to do: {why}"));
        }
    }
    notices
}

fn is_of(file: &FileChange, path: &str) -> bool {
    let before = file.moved_from.as_ref();
    is_in(&file.path, path) || before.is_some_and(|before| is_in(before, path))
}

fn is_idle(class: Class) -> bool {
    matches!(
        class,
        Class::Unchanged
            | Class::Keep { moved_on: false }
            | Class::StaysDeleted { .. }
            | Class::Orphan
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_seen_from_the_project() {
        let root = Path::new("/p/x");
        let seen = |path: &str| below(root, &root.join(path));
        assert_eq!(seen("./src/../docs/a.md").as_deref(), Some("docs/a.md"));
        assert_eq!(seen("/p/x/a.rs").as_deref(), Some("a.rs"));
        for path in ["../y", ".", "/etc/passwd"] {
            assert_eq!(seen(path), None, "{path}");
        }
    }

    #[test]
    fn an_unknown_path_gets_the_one_that_was_meant() {
        let files = HashSet::from(["src/a/controller.rs", "src/b/model.rs"]);
        let message = |path: &str| unknown(Switch::Restore, path, &files);
        assert!(message("controller.rs").ends_with("did you mean `src/a/controller.rs`?"));
        assert!(message("src/b/modle.rs").ends_with("did you mean `src/b/model.rs`?"));
        assert!(message("nothing/like/it").contains("formwork status"));
    }
}
