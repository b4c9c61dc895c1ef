//! One case: its project, the run, and the result.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use formwork_tests::project::{Project, Ran};
use formwork_tests::{checkout, printed};
use walkdir::WalkDir;

/// A placeholder for the folder of the checkout, which a poured `Cargo.toml` names.
const CHECKOUT: &str = "<checkout>";

/// A folder of `fixtures/upgrade/`.
pub struct Case {
    folder: PathBuf,
    name: String,
}

impl Case {
    /// Returns all cases, by name.
    pub fn all() -> Vec<Case> {
        let folder = checkout().join("fixtures/upgrade");
        let entries = WalkDir::new(folder).max_depth(1).min_depth(1);
        let entries = entries.sort_by_file_name().into_iter().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_dir());
        let case = |entry: walkdir::DirEntry| Case {
            name: entry.file_name().to_string_lossy().into_owned(),
            folder: entry.into_path(),
        };
        folders.map(case).collect()
    }

    /// Returns the name of its folder.
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
        let project = Project::new(&self.name);
        project.take(&self.folder.join("before"));
        let poured = project.run(&["generate"]);
        assert_eq!(poured.exit, 0, "{}: {poured:?}", self.name);
        self.edit(&project);
        project
    }

    /// Whether the user's own lines compile.
    pub fn compiles(&self) -> bool {
        self.text("compiles").trim() != "no"
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

    /// Returns what is expected of a run: the exit status, and every file that was edited or that `watched` names.
    /// Byte order marks, carriage returns and missing newlines are visible, because snapshots do not keep them.
    pub fn result(&self, project: &Project, ran: &Ran) -> String {
        let mut paths = self.edited();
        paths.extend(self.text("watched").lines().map(str::to_owned));
        let mut result = format!("exit {}\n", ran.exit);
        for path in paths {
            let text = fs::read_to_string(project.root().join(&path));
            let text = text.map_or("(no file)\n".to_owned(), |text| visible(&text));
            result += &format!("\n=== {path}\n{text}");
        }
        result + "===\n"
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

/// Returns a text with visible control characters, the same in every checkout.
fn visible(text: &str) -> String {
    let text = text.replace(&checkout().display().to_string(), CHECKOUT);
    let text = text.replace('\u{feff}', "<BOM>").replace('\r', "<CR>");
    match text.ends_with('\n') {
        true => text,
        false => text + "<no newline>\n",
    }
}

/// What no patch says.
fn take_step(project: &Project, step: &str) {
    let (word, path) = step.split_once(' ').unwrap_or((step, ""));
    match word {
        "crlf" => project.write(path, &project.read(path).replace('\n', "\r\n")),
        "bom" => project.write(path, &format!("\u{feff}{}", project.read(path))),
        "unterminated" => project.write(path, project.read(path).trim_end()),
        // `cargo fmt --all` would format the runtime of this checkout, too.
        "format" => {
            let sources = files(project.root()).into_iter();
            let sources = sources.filter(|it| it.ends_with(".rs") && !it.starts_with(".formwork"));
            let mut rustfmt = Command::new("rustfmt");
            rustfmt.arg("--edition=2024").args(sources);
            printed(rustfmt.current_dir(project.root()));
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
