//! One case: how it is played, and what is expected of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use walkdir::WalkDir;

use crate::checkout;
use crate::project::{Project, Ran};

/// A placeholder for the folder of the checkout, which a poured `Cargo.toml` names.
const CHECKOUT: &str = "<checkout>";

/// A folder of `fixtures/upgrade/`.
pub struct Case {
    folder: PathBuf,
    name: String,
}

impl Case {
    /// All of them, by name.
    pub fn all() -> Vec<Case> {
        let entries = fs::read_dir(checkout().join("fixtures/upgrade")).expect("fixtures/upgrade");
        let folders = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_dir());
        let case = |folder: PathBuf| Case {
            name: folder
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
            folder,
        };
        let mut cases: Vec<Case> = folders.map(case).collect();
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        cases
    }

    /// The name of its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Pours, edits, changes the manifests, and runs.
    pub fn play(&self) -> (Project, Ran) {
        let sentence = self.text("case.md");
        assert!(
            sentence.trim().ends_with('.'),
            "{}: case.md is a sentence",
            self.name
        );
        let project = self.before_run();
        let ran = self.run(&project);
        (project, ran)
    }

    /// Changes the manifests, and runs.
    pub fn run(&self, project: &Project) -> Ran {
        self.change_manifests(project);
        let args = self.text("args");
        let args: Vec<&str> = if args.is_empty() {
            vec!["generate"]
        } else {
            args.split_whitespace().collect()
        };
        project.run(&args)
    }

    /// The project as its user left it.
    pub fn before_run(&self) -> Project {
        let project = self.poured_earlier().unwrap_or_else(|| {
            let project = Project::new(&self.name);
            project.take(&self.folder.join("before"));
            let poured = project.run(&["generate"]);
            assert_eq!(poured.exit, 0, "{}: {poured:?}", self.name);
            project
        });
        self.edit(&project);
        project
    }

    /// The project as its user left it, where an earlier Formwork poured it: it compiles as it is.
    pub fn of_before(&self) -> Option<Project> {
        self.folder
            .join("poured")
            .exists()
            .then(|| self.before_run())
    }

    fn poured_earlier(&self) -> Option<Project> {
        let poured = self.folder.join("poured");
        let project = poured.exists().then(|| Project::copy_of(&poured))?;
        for path in ["Cargo.toml", ".formwork/base/Cargo.toml"] {
            let here = checkout().display().to_string();
            project.write(path, &project.read(path).replace(CHECKOUT, &here));
        }
        Some(project)
    }

    /// Whether the user's own lines compile.
    pub fn compiles(&self) -> bool {
        self.text("compiles").trim() != "no"
    }

    /// The arguments of `cargo test` for the tests of the project that are run.
    pub fn tests(&self) -> Option<Vec<String>> {
        let tests = self.text("tests");
        let mut tests = tests.split_whitespace().peekable();
        tests.peek()?;
        let tests = tests.flat_map(|test| ["--test", test]);
        let package = ["--package", &self.name];
        Some(
            package
                .into_iter()
                .chain(tests)
                .map(str::to_owned)
                .collect(),
        )
    }

    /// Whether a file of the project holds conflict markers.
    pub fn has_markers(&self, project: &Project) -> bool {
        let texts = files(project.root())
            .into_iter()
            .filter(|path| !path.starts_with(".formwork/"));
        texts
            .into_iter()
            .any(|path| read(project.root(), &path).contains("\n>>>>>>> theirs (formwork)"))
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    fn edit(&self, project: &Project) {
        let patch = self.folder.join("edits.patch");
        if patch.exists() {
            let output = Command::new("git")
                .args(["apply", "--whitespace=nowarn", "-C1"])
                .arg(&patch)
                .current_dir(project.root())
                .output()
                .expect("git starts");
            assert!(
                output.status.success(),
                "{}: {}",
                self.name,
                String::from_utf8_lossy(&output.stderr)
            );
        }
        for step in self.text("steps").lines() {
            take_step(project, step);
        }
    }

    fn change_manifests(&self, project: &Project) {
        let after = self.folder.join("after");
        if !after.exists() {
            return;
        }
        let kept = files(&after);
        for path in files(&self.folder.join("before")).difference(&kept) {
            project.remove(path);
        }
        project.take(&after);
    }

    /// Files that were edited, as the patch and the steps name them.
    fn edited(&self) -> BTreeSet<String> {
        let patch = self.text("edits.patch");
        let sides = patch.lines().filter_map(|line| {
            line.strip_prefix("+++ b/")
                .or_else(|| line.strip_prefix("--- a/"))
        });
        let steps = self.text("steps");
        let steps = steps
            .lines()
            .filter_map(|step| step.split_once(' '))
            .map(|(_, path)| path);
        sides
            .chain(steps)
            .map(|path| path.trim().to_owned())
            .collect()
    }

    /// Files whose text is expected: those that were edited, and those that are named already.
    fn watched(&self) -> BTreeSet<String> {
        let mut watched = files(&self.folder.join("expected"));
        watched.remove("exit");
        watched.extend(self.edited());
        watched
    }

    /// Writes what came out as what is expected.
    pub fn bless(&self, project: &Project, exit: i32) {
        let folder = self.folder.join("expected");
        for path in self.watched() {
            let file = folder.join(&path);
            if let Some(text) = outcome(project, &path) {
                fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                fs::write(file, text).expect("a file is written");
            } else if file.exists() {
                fs::remove_file(file).expect("a file is removed");
            }
        }
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("exit"), format!("{exit}\n")).expect("the exit status is written");
    }

    /// Where the outcome is not as expected.
    pub fn differences(&self, project: &Project, ran: &Ran) -> Vec<String> {
        let mut wrong = Vec::new();
        let expected = self.text("expected/exit");
        if expected.trim() != ran.exit.to_string() {
            wrong.push(format!(
                "{}: exit {} instead of {expected}{ran:?}",
                self.name, ran.exit
            ));
        }
        for path in self.watched() {
            let wanted = fs::read_to_string(self.folder.join("expected").join(&path)).ok();
            let there = outcome(project, &path);
            if there != wanted {
                let text = |text: Option<String>| text.unwrap_or_else(|| "(no file)".to_owned());
                wrong.push(format!(
                    "{}: {path} is\n{}\ninstead of\n{}",
                    self.name,
                    text(there),
                    text(wanted)
                ));
            }
        }
        wrong
    }

    /// Lines that the user added, and that the project has lost. `--theirs` asks for it.
    pub fn lost_lines(&self, project: &Project) -> Vec<String> {
        if self.text("args").contains("--theirs") {
            return Vec::new();
        }
        let files = files(project.root())
            .into_iter()
            .filter(|path| !path.starts_with(".formwork/base/"));
        let texts: Vec<String> = files.map(|path| read(project.root(), &path)).collect();
        let there: BTreeSet<&str> = texts
            .iter()
            .flat_map(|text| text.lines())
            .map(str::trim)
            .collect();
        let patch = self.text("edits.patch");
        let added = patch
            .lines()
            .filter(|line| !line.starts_with("+++"))
            .filter_map(|line| line.strip_prefix('+'));
        let lost = added.map(str::trim).filter(|line| !there.contains(line));
        lost.map(|line| format!("{}: {line:?} is lost", self.name))
            .collect()
    }
}

/// A file of the project, the same in every checkout.
fn outcome(project: &Project, path: &str) -> Option<String> {
    let text = fs::read_to_string(project.root().join(path)).ok()?;
    Some(text.replace(&checkout().display().to_string(), CHECKOUT))
}

/// What no patch says.
fn take_step(project: &Project, step: &str) {
    let (word, path) = step.split_once(' ').unwrap_or((step, ""));
    match word {
        "crlf" => project.write(path, &project.read(path).replace('\n', "\r\n")),
        "bom" => project.write(path, &format!("\u{feff}{}", project.read(path))),
        "unterminated" => project.write(path, project.read(path).trim_end()),
        "format" => {
            let cargo = Command::new("cargo")
                .args(["fmt", "--all"])
                .current_dir(project.root())
                .output();
            assert!(cargo.expect("cargo starts").status.success(), "cargo fmt");
        }
        "remove" => project.remove(path),
        _ => panic!("unknown step {step:?}"),
    }
}

/// Paths of all files below a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let below = |path: &Path| {
        path.strip_prefix(folder)
            .expect("below the folder")
            .to_string_lossy()
            .into_owned()
    };
    files.map(|entry| below(entry.path())).collect()
}

fn read(root: &Path, path: &str) -> String {
    fs::read(root.join(path))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}
