//! Somebody else is at work in the project as well.

use super::*;

/// A disk on which somebody else saves files after a step.
struct SharedDisk<'a> {
    at: usize,
    save: &'a (dyn Fn() + Sync),
    step: AtomicUsize,
}

impl SharedDisk<'_> {
    fn after(&self, done: io::Result<()>) -> io::Result<()> {
        if self.step.fetch_add(1, Ordering::SeqCst) == self.at {
            (self.save)();
        }
        done
    }
}

impl Disk for SharedDisk<'_> {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        OsDisk.create_folder(path)
    }
    fn write(&self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        self.after(OsDisk.write(path, content, mode))
    }
    fn sync(&self, _: &Path) -> io::Result<()> {
        self.after(Ok(()))
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.after(Ok(()))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.after(OsDisk.rename(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        OsDisk.remove(path)
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        OsDisk.remove_folder(path)
    }
}

#[test]
fn a_file_saved_while_a_run_writes_is_never_overwritten() {
    let outdated = Cell::new(0);
    for at in 0.. {
        let project = project();
        let saved = ["b.md", "fresh/e.md", "gone/c.md"];
        let save = || {
            for path in saved {
                let text = project.read(path).unwrap_or_default();
                project.write(path, &format!("{text}mine\n"));
            }
        };
        let disk = SharedDisk {
            at,
            save: &save,
            step: AtomicUsize::new(0),
        };
        let done = write(&project.plan(), project.root.path(), &disk);
        if disk.step.into_inner() <= at {
            break;
        }
        if let Err(error) = done {
            assert!(error.is::<Outdated>(), "{error:#}");
            outdated.set(outdated.get() + 1);
        }
        for _ in 0..2 {
            for path in saved {
                let text = project.read(path).unwrap_or_default();
                assert!(text.contains("mine"), "step {at}, {path}: {text}");
            }
            project.generate();
        }
        assert!(project.read("b.md").unwrap().contains("ONE"), "step {at}");
    }
    assert!(outdated.get() > 20, "{outdated:?}");
}

#[test]
fn foreign_files_in_the_journals_folder_are_kept() {
    let project = project();
    let mine = project.at(".formwork/journal/0/mine");
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "mine\n").unwrap();
    // A step's name is taken: nothing is written.
    let before = tree(&project);
    project.try_generate().unwrap_err();
    assert_eq!(tree(&project), before);
    fs::rename(mine.parent().unwrap(), project.at(".formwork/journal/own")).unwrap();
    let notices = project.generate().notices;
    assert_eq!(notices, Vec::<String>::new());
    let mine = project.at(".formwork/journal/own/mine");
    assert_eq!(fs::read_to_string(mine).unwrap(), "mine\n");
    fs::remove_dir_all(project.at(".formwork/journal")).unwrap();
    assert_eq!(tree(&project), finished());
}
