//! A run that is stopped at any step, fails at any step, or meets another.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::*;
use crate::plan::PlanOptions;
use crate::plan::tests::fixture::Project;

/// A disk that fails at step `fails_at`; killed, every step after it fails as well.
struct FaultyDisk {
    fails_at: usize,
    killed: bool,
    step: Cell<usize>,
}

impl FaultyDisk {
    fn new(fails_at: usize, killed: bool) -> FaultyDisk {
        FaultyDisk {
            fails_at,
            killed,
            step: Cell::new(0),
        }
    }

    fn step(&self, act: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let step = self.step.replace(self.step.get() + 1);
        if step == self.fails_at || self.killed && step > self.fails_at {
            return Err(io::Error::other("stopped by the test"));
        }
        act()
    }
}

impl Disk for FaultyDisk {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step(|| OsDisk.create_folder(path))
    }
    fn write(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        // A kill in the middle of a write leaves half of it.
        if self.step.get() == self.fails_at {
            let _ = fs::write(path, &content[..content.len() / 2]);
        }
        self.step(|| OsDisk.write(path, content, mode))
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        self.step(|| OsDisk.sync(path))
    }
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.step(|| OsDisk.sync_folder(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|| OsDisk.rename(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|| OsDisk.remove(path))
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step(|| OsDisk.remove_folder(path))
    }
}

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";
const EDITED: &str = "ONE\ntwo\nthree\nfour\nfive\n";

/// A project with something of everything to do: create, update, merge, move, delete.
fn project() -> Project {
    let mut project = Project::poured(&[
        ("keep/a.md", OLD),
        ("b.md", OLD),
        ("gone/c.md", OLD),
        ("old/d.md", OLD),
    ]);
    project.write("b.md", EDITED);
    project.write("old/d.md", EDITED);
    project.render("keep/a.md", "new\n");
    project.render("b.md", &OLD.replace("five", "FIVE"));
    project.stop_rendering("gone/c.md");
    project.render_artefact(
        "moved/d.md",
        "shop/old/d.md",
        &OLD.replace("five", "FIVE"),
        crate::rendered::Owner::User,
    );
    project.render("fresh/e.md", "fresh\n");
    project
}

type Tree = Vec<(PathBuf, Vec<u8>)>;

/// Files and contents, without the lock of a run.
fn tree(project: &Project) -> Tree {
    let root = project.root.path();
    project
        .snapshot()
        .into_iter()
        .filter(|(path, ..)| path.is_file() && !path.ends_with("run.lock"))
        .map(|(path, _, content)| (path.strip_prefix(root).unwrap().to_owned(), content))
        .collect()
}

fn finished() -> Tree {
    let project = project();
    project.generate();
    tree(&project)
}

/// Calls `check` for each step at which a run can be stopped.
fn at_each_step(killed: bool, check: impl Fn(&Project, anyhow::Error)) -> usize {
    for step in 0.. {
        let project = project();
        let disk = FaultyDisk::new(step, killed);
        match write(&project.plan(), project.root.path(), &disk) {
            Ok(()) => return step,
            Err(error) => check(&project, error),
        }
    }
    unreachable!()
}

#[test]
fn a_run_that_is_killed_at_any_step_is_finished_or_rolled_back_by_the_next() {
    let finished = finished();
    let steps = at_each_step(true, |project, _| {
        let lines =
            ["b.md", "old/d.md", "moved/d.md"].map(|path| project.read(path).unwrap_or_default());
        assert!(
            lines[0].contains("ONE") && (lines[1].contains("ONE") || lines[2].contains("ONE")),
            "edits are whole"
        );
        let plan = project.generate();
        assert_eq!(plan.exit(), Exit::Done);
        assert_eq!(tree(project), finished);
        project.assert_settled();
    });
    assert!(steps > 30, "{steps}");
}

#[test]
fn a_run_that_fails_at_any_step_leaves_everything_as_it_was_or_is_finished_by_the_next() {
    let (before, finished) = (tree(&project()), finished());
    let taken_back = Cell::new(0);
    at_each_step(false, |project, error| {
        assert_eq!(Exit::of(&error), Exit::Failed);
        if !Journal::is_left(project.root.path()) {
            assert_eq!(tree(project), before, "{error:#}");
            taken_back
                .set(taken_back.get() + usize::from(error.to_string() == "nothing was written"));
        }
        project.generate();
        assert_eq!(tree(project), finished, "{error:#}");
    });
    assert!(
        taken_back.get() > 10,
        "{taken_back:?} failures in the middle were taken back"
    );
}

#[test]
fn what_was_edited_after_a_kill_is_merged_and_not_overwritten() {
    at_each_step(true, |project, _| {
        let committed = project.at(".formwork/journal/commit").exists();
        let text = project.read("b.md").unwrap();
        project.write("b.md", &text.replace("three", "after the kill"));
        project.generate();
        let text = project.read("b.md").unwrap();
        assert_eq!(
            text, "ONE\ntwo\nafter the kill\nfour\nFIVE\n",
            "committed: {committed}"
        );
        project.assert_settled();
    });
}

#[test]
fn files_that_changed_since_planning_are_not_overwritten() {
    let project = project();
    let plan = project.plan();
    project.write("b.md", "changed meanwhile\n");
    let before = tree(&project);
    let error = apply(&plan, project.root.path()).unwrap_err();
    assert_eq!(
        error.downcast_ref::<Outdated>(),
        Some(&Outdated("b.md".to_owned()))
    );
    assert_eq!(tree(&project), before);
    // `run` plans again.
    let stale = Cell::new(Some(plan));
    run(project.root.path(), || {
        stale.take().map_or_else(|| project.try_plan(), Ok)
    })
    .unwrap();
    assert!(project.read("b.md").unwrap().contains("changed meanwhile"));
}

#[test]
fn two_runs_at_once_end_as_one() {
    let project = project();
    let (root, files) = (project.root.path(), &project.files);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(move || {
                    run(root, || {
                        let rendering = crate::plan::Rendering {
                            files,
                            ..Default::default()
                        };
                        let state = crate::state::State::load(root)?;
                        crate::plan::plan(root, &rendering, &state, &PlanOptions::default())
                    })
                })
            })
            .collect();
        for run in runs {
            assert_eq!(run.join().unwrap().unwrap().exit(), Exit::Done);
        }
    });
    assert_eq!(tree(&project), finished());
    project.assert_settled();
}

#[test]
fn a_lock_that_another_process_holds_stops_a_run_with_its_number() {
    let project = project();
    fs::create_dir_all(project.at(".formwork")).unwrap();
    let lock = project.at(".formwork/run.lock");
    fs::write(&lock, "4711\n").unwrap();
    let holder = fs::File::open(&lock).unwrap();
    holder.lock().unwrap();
    let error = RunLock::take(project.root.path(), Duration::from_millis(50)).unwrap_err();
    assert_eq!(Exit::of(&error), Exit::Failed);
    assert!(error.to_string().contains("process 4711"), "{error}");
    drop(holder);
    project.generate();
    assert_eq!(tree(&project), finished());
}
