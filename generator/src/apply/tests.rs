//! A run that is stopped at any step, fails at any step, or meets another.

mod shared;
mod syncs;

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::plan::tests::fixture::Project;

/// The fault at a given step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// This step alone.
    Once,
    /// The process is gone: every step from there.
    Killed,
    /// The disk is full; renames, removals and folders that exist still succeed.
    Full,
}

/// A disk with a fault.
struct FaultyDisk {
    at: usize,
    fault: Fault,
    step: AtomicUsize,
}

impl FaultyDisk {
    fn new(at: usize, fault: Fault) -> FaultyDisk {
        FaultyDisk {
            at,
            fault,
            step: AtomicUsize::new(0),
        }
    }

    fn step(&self, takes_room: bool, act: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let step = self.step.fetch_add(1, Ordering::SeqCst);
        let fails = match self.fault {
            Fault::Once => step == self.at,
            Fault::Killed => step >= self.at,
            Fault::Full => step >= self.at && takes_room,
        };
        if fails {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        act()
    }
}

impl Disk for FaultyDisk {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step(!path.exists(), || OsDisk.create_folder(path))
    }
    fn write(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        // A write that stops in the middle leaves half of it.
        if self.step.load(Ordering::SeqCst) == self.at {
            let _ = fs::write(path, &content[..content.len() / 2]);
        }
        self.step(true, || OsDisk.write(path, content, mode))
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        // No test can observe a sync, and waiting for it takes minutes.
        self.step(path.exists(), || Ok(()))
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.step(false, || Ok(()))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(false, || OsDisk.rename(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(false, || OsDisk.remove(path))
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step(false, || OsDisk.remove_folder(path))
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
fn at_each_step(fault: Fault, check: impl Fn(&Project, anyhow::Error)) -> usize {
    for step in 0.. {
        let project = project();
        let disk = FaultyDisk::new(step, fault);
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
    let steps = at_each_step(Fault::Killed, |project, _| {
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
    for fault in [Fault::Once, Fault::Full] {
        let taken_back = Cell::new(0);
        at_each_step(fault, |project, error| {
            assert_eq!(Exit::of(&error), Exit::Failed);
            if !Journal::is_left(project.root.path()) {
                assert_eq!(tree(project), before, "{error:#}");
                let said = error.to_string() == "nothing was written";
                taken_back.set(taken_back.get() + usize::from(said));
            }
            project.generate();
            assert_eq!(tree(project), finished, "{error:#}");
        });
        // A full disk is noticed before any file is changed, except for the folders of new files.
        let least = if fault == Fault::Once { 10 } else { 0 };
        assert!(
            taken_back.get() >= least,
            "{fault:?}: {taken_back:?} failures were taken back"
        );
    }
}

#[test]
fn a_recovery_that_is_killed_as_well_is_finished_by_the_next() {
    let finished = finished();
    let recoveries = Cell::new(0);
    let kill = |step: usize| {
        let project = project();
        let disk = FaultyDisk::new(step, Fault::Killed);
        write(&project.plan(), project.root.path(), &disk)
            .is_err()
            .then_some(project)
    };
    // Every second step, and within the recovery from there every second: all pairs take too long.
    for step in (0..).step_by(2) {
        if kill(step).is_none() {
            break;
        }
        for of_recovery in (0..).step_by(2) {
            let project = kill(step).filter(|project| Journal::is_left(project.root.path()));
            let Some(project) = project else { break };
            let disk = FaultyDisk::new(of_recovery, Fault::Killed);
            if recover::recover(project.root.path(), &disk).is_ok() {
                break;
            }
            recoveries.set(recoveries.get() + 1);
            project.generate();
            assert_eq!(tree(&project), finished, "{step}, {of_recovery}");
        }
    }
    assert!(recoveries.get() > 200, "{recoveries:?}");
}

#[test]
fn many_files_are_synced_at_once_and_a_failure_among_them_is_seen() {
    let many = || {
        let mut project = Project::empty();
        for number in 0..100 {
            project.render(&format!("folder{}/{number}.md", number % 7), OLD);
        }
        project
    };
    let project = many();
    let disk = FaultyDisk::new(usize::MAX, Fault::Once);
    write(&project.plan(), project.root.path(), &disk).unwrap();
    let steps = disk.step.into_inner();
    assert!(project.plan().is_empty());
    for at in (0..steps).step_by(41) {
        let project = many();
        let before = tree(&project);
        let disk = FaultyDisk::new(at, Fault::Once);
        let error = write(&project.plan(), project.root.path(), &disk).unwrap_err();
        if !Journal::is_left(project.root.path()) {
            assert_eq!(tree(&project), before, "{error:#}");
        }
        project.generate();
        project.assert_settled();
    }
}

#[test]
fn edits_made_after_a_kill_are_merged() {
    at_each_step(Fault::Killed, |project, _| {
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
    let lock = RunLock::take(project.root.path(), PATIENCE).unwrap();
    let error = apply(&plan, project.root.path(), &lock).unwrap_err();
    assert_eq!(
        error.downcast_ref::<Outdated>(),
        Some(&Outdated("b.md".to_owned()))
    );
    assert_eq!(tree(&project), before);
}

#[test]
fn concurrent_runs_give_the_result_of_one_run() {
    let project = project();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| project.try_generate()))
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
    let error =
        RunLock::take(project.root.path(), std::time::Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.exit, Exit::Failed);
    assert!(error.to_string().contains("process 4711"), "{error}");
    drop(holder);
    project.generate();
    assert_eq!(tree(&project), finished());
}
