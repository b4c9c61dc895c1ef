//! The files that `--ours`, `--theirs`, `--adopt` and `--restore` name, as a plan knows them.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;
use formwork_vocabulary::did_you_mean::nearest;

use super::run::{Request, Run};
use super::units::OWN_TEMPLATES;
use crate::cli::RunArgs;
use crate::error::Refused;
use crate::exit::Exit;
use crate::plan::selection::is_in;
use crate::plan::{Class, FileChange, Plan, PlanOptions, Selection};
use crate::rendered::Rendered;
use crate::report::Mode;
use crate::state::State;

/// Paths of the command line, found among the files of a project.
#[derive(Debug)]
struct ChosenPaths<'a> {
    run: &'a RunArgs,
    known: &'a HashSet<&'a str>,
    root: PathBuf,
    here: PathBuf,
    unknown: Vec<String>,
}

/// The switches of the command line, as far as the state knows their paths.
pub fn known(run: &RunArgs, state: &State) -> PlanOptions {
    ChosenPaths::new(run, state.root(), &recorded(state)).options()
}

/// The inputs of planning. Entries of the state without a file are removed from it.
///
/// # Errors
/// A refusal (exit status 2) with every path of a file that is not Formwork's, or what reading the
/// state failed with.
pub fn options(
    run: &Run<'_>,
    request: &Request,
    rendered: &Rendered,
    state: &mut State,
) -> Result<PlanOptions> {
    let paths = rendered.files.iter().map(|file| file.path.as_str());
    let mut known: HashSet<&str> = paths.collect();
    state.settle_records(|path| known.contains(path))?;
    known.extend(recorded(state));
    let mut chosen = ChosenPaths::new(run.chosen, run.root, &known);
    let options = chosen.options();
    Refused::unless_empty(Exit::Usage, chosen.unknown)?;
    let units = request.units.clone().map(|mut units| {
        units.insert(OWN_TEMPLATES.to_owned());
        units
    });
    Ok(PlanOptions {
        units,
        manifests: request.edits.clone(),
        reads_only: run.mode != Mode::Generate,
        ..options
    })
}

fn recorded(state: &State) -> HashSet<&str> {
    state.entries().map(|entry| entry.path.as_str()).collect()
}

impl<'a> ChosenPaths<'a> {
    /// For the project at `root`, with the paths of its files.
    fn new(run: &'a RunArgs, root: &Path, known: &'a HashSet<&'a str>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        ChosenPaths {
            run,
            known,
            root: real(root),
            here: real(&here),
            unknown: Vec::new(),
        }
    }

    fn options(&mut self) -> PlanOptions {
        let run = self.run;
        PlanOptions {
            ours: self.selection("--ours", run.ours.as_deref()),
            theirs: self.selection("--theirs", run.theirs.as_deref()),
            restore: self.selection("--restore", run.restore.as_deref()),
            adopt: self.selection("--adopt", run.adopt.as_deref()),
            ..PlanOptions::default()
        }
    }

    fn selection(&mut self, switch: &str, paths: Option<&[PathBuf]>) -> Selection {
        match paths {
            None => Selection::None,
            Some([]) => Selection::All,
            Some(paths) => {
                let found = paths.iter().filter_map(|path| self.find(switch, path));
                Selection::These(found.collect())
            }
        }
    }

    /// Below the project: as seen from here, else as reports print it.
    fn find(&mut self, switch: &str, path: &Path) -> Option<String> {
        let from_here = below(&self.root, &self.here.join(path));
        let from_root = below(&self.root, &self.root.join(path));
        let places = [from_here, from_root];
        let mut places = places.into_iter().flatten();
        let found = places.find(|place| self.known.iter().any(|known| is_in(known, place)));
        if found.is_none() {
            let problem = unknown(switch, path, self.known);
            self.unknown.push(problem);
        }
        found
    }
}

fn unknown(switch: &str, path: &Path, known: &HashSet<&str>) -> String {
    let shown = path.display().to_string();
    let end = format!("/{shown}");
    let mut known: Vec<&str> = known.iter().copied().collect();
    known.sort_unstable();
    let mut ends = known.iter().filter(|known| known.ends_with(&end)).copied();
    let near = match (ends.next(), ends.next()) {
        (Some(one), None) => Some(one),
        _ => nearest(&shown, known.iter().copied()),
    };
    let hint = near.map_or_else(
        || "`formwork status` and the report name them".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    format!("{switch} {shown}: no file of Formwork's has this path: {hint}")
}

/// The path below `root` with `/`; `None` where it is not below it.
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

/// The notice about a path that needed no change.
pub fn idle(options: &PlanOptions, plan: &Plan) -> Vec<String> {
    let switches = [
        ("--ours", &options.ours),
        ("--theirs", &options.theirs),
        ("--restore", &options.restore),
        ("--adopt", &options.adopt),
    ];
    let mut notices = Vec::new();
    for (switch, selection) in switches {
        let Selection::These(paths) = selection else {
            continue;
        };
        for path in paths {
            let files = || plan.files.iter().filter(|file| is_of(file, path));
            if files().all(|file| is_idle(file.class)) {
                let why = files().map(|file| file.reason.as_str());
                let why = why.filter(|why| !why.is_empty()).min();
                let why = why.unwrap_or("it is as rendered");
                notices.push(format!("{switch} {path}: there was nothing to do: {why}"));
            }
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
        let known = HashSet::from(["src/a/controller.rs", "src/b/model.rs"]);
        let said = |path: &str| unknown("--restore", Path::new(path), &known);
        assert!(said("controller.rs").ends_with("did you mean `src/a/controller.rs`?"));
        assert!(said("src/b/modle.rs").ends_with("did you mean `src/b/model.rs`?"));
        assert!(said("nothing/like/it").contains("formwork status"));
    }
}
