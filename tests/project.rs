//! Projects that tests make: poured by the real binary into a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::{cargo, checkout, formwork};

/// The files of a project: paths below it, and contents.
pub type Files = Vec<(PathBuf, Vec<u8>)>;

/// A poured project in a temporary folder.
pub struct Project {
    _folder: TempDir,
    root: PathBuf,
}

impl Project {
    /// `formwork new <name>`.
    pub fn new(name: &str) -> Self {
        Self::new_on(name, "sqlite")
    }

    /// `formwork new <name> --database <databases>`.
    pub fn new_on(name: &str, databases: &str) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let output = formwork()
            .args(["new", name, "--quiet", "--database", databases])
            .current_dir(folder.path())
            .output();
        let output = output.expect("formwork starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Self::at(folder, name)
    }

    /// The project `<folder>/<name>`, which is removed with this value.
    pub fn at(folder: TempDir, name: &str) -> Self {
        let root = folder.path().join(name);
        Self {
            _folder: folder,
            root,
        }
    }

    /// Returns a copy of the project that `generate` makes; it is made once a process.
    pub fn copy_of_one(files: &OnceLock<Files>, generate: fn() -> Self) -> Self {
        let files = files.get_or_init(|| {
            let project = generate();
            let below = |path: &Path| path.strip_prefix(&project.root).expect("a file").to_owned();
            let files = project.snapshot().into_iter();
            files
                .map(|(path, bytes, _)| (below(&path), bytes))
                .collect()
        });
        let project = Self::at(TempDir::new().expect("a temporary folder"), "bistro");
        for (path, bytes) in files {
            let file = project.root.join(path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, bytes).expect("a file is written");
        }
        project
    }

    /// A copy of a poured project, without what was built or served in it.
    pub fn copy_of(fixture: &Path) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let root = folder.path().join("copy");
        let project = Self {
            _folder: folder,
            root,
        };
        let is_source = |entry: &walkdir::DirEntry| {
            entry.depth() != 1
                || !["target", "data"]
                    .map(Some)
                    .contains(&entry.file_name().to_str())
        };
        for entry in walkdir::WalkDir::new(fixture)
            .into_iter()
            .filter_entry(is_source)
        {
            let entry = entry.expect("a fixture");
            let path = entry.path().strip_prefix(fixture).expect("below it");
            let copy = project.root.join(path);
            match entry.file_type().is_dir() {
                true => fs::create_dir_all(copy).expect("a folder"),
                false => drop(fs::copy(entry.path(), copy).expect("a copy")),
            }
        }
        project
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `formwork generate resource shop <resource> <attributes>`.
    #[track_caller]
    pub fn add(&self, resource: &str, attributes: &[&str]) {
        let command = ["generate", "resource", "shop", resource];
        self.run(&[&command, attributes].concat()).exits(0);
    }

    /// Runs formwork in it.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    /// Runs formwork in it, with variables of the environment.
    pub fn run_with(&self, args: &[&str], variables: &[(&str, &Path)]) -> Ran {
        let mut run = formwork();
        run.args(args).current_dir(&self.root);
        // The clock of migrations is fixed, so that tests can name versions. `--amend` builds the project,
        // and with another clock than before C would be compiled again.
        if !args.contains(&"--amend") {
            run.env("SOURCE_DATE_EPOCH", "1790000000");
        }
        let output = run.envs(variables.iter().copied()).output();
        Ran::of(output.expect("formwork starts"))
    }

    /// Returns a cargo command in it that shares what is compiled with other projects: versions and features of the
    /// runtime are the same.
    ///
    /// Projects that are built at the same time need extensions of other names: cargo names what it compiles by paths
    /// below the project.
    pub fn cargo(&self, args: &[&str]) -> Command {
        lock(&self.root);
        let mut cargo = cargo(&args[..1]);
        cargo.args(FEATURES).args(&args[1..]);
        cargo.current_dir(&self.root);
        cargo
    }

    /// Writes the shared features into its `Cargo.toml`, for builds that formwork starts.
    pub fn share_features(&self) {
        lock(&self.root);
        let [_, features] = FEATURES;
        let features = features.replace("formwork/", "").replace(',', "\", \"");
        let shared = format!("formwork = {{ workspace = true, features = [\"{features}\"] }}");
        self.edit("Cargo.toml", "formwork.workspace = true", &shared);
    }

    /// Makes one program of its integration tests, so that they are linked once, and one of each folder of them; returns
    /// the command that runs them.
    pub fn test(&self) -> Command {
        let entries = fs::read_dir(self.root.join("tests")).expect("tests");
        let names = entries.map(|entry| entry.expect("a file").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("text"))
            .collect();
        names.sort();
        let (mut all, mut targets) = (String::new(), vec!["all".to_owned()]);
        for name in names {
            match name.strip_suffix(".rs") {
                Some(module) => all += &format!("#[path = \"../{name}\"]\nmod {module};\n"),
                None => targets.push(name),
            }
        }
        self.write("tests/all/main.rs", &all);
        let mut cargo_toml =
            self.read("Cargo.toml")
                .replacen("[package]\n", "[package]\nautotests = false\n", 1);
        let mut test = vec!["test"];
        for target in &targets {
            cargo_toml +=
                &format!("\n[[test]]\nname = \"{target}\"\npath = \"tests/{target}/main.rs\"\n");
            test.extend(["--test", target]);
        }
        self.write("Cargo.toml", &cargo_toml);
        self.cargo(&test)
    }

    /// Text of a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Whether a file is there.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Writes a file, its folders as well.
    pub fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file is written");
    }

    /// Replaces the only occurrence of `before`.
    pub fn edit(&self, path: &str, before: &str, after: &str) {
        let text = self.read(path);
        assert_eq!(
            text.matches(before).count(),
            1,
            "{before:?} in {path}:\n{text}"
        );
        self.write(path, &text.replace(before, after));
    }

    /// Removes a file or a folder.
    pub fn remove(&self, path: &str) {
        let removed = self.root.join(path);
        let outcome = if removed.is_dir() {
            fs::remove_dir_all(&removed)
        } else {
            fs::remove_file(&removed)
        };
        outcome.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Copies a folder of fixtures into it.
    pub fn take(&self, fixture: &Path) {
        for entry in walkdir::WalkDir::new(fixture) {
            let entry = entry.expect("a fixture");
            let path = entry
                .path()
                .strip_prefix(fixture)
                .expect("below the fixture");
            if entry.file_type().is_file() {
                self.write(
                    &path.to_string_lossy(),
                    &fs::read_to_string(entry.path()).expect("text"),
                );
            }
        }
    }

    /// Path, content and time of change of every file but the lock of runs: what a run may not touch.
    pub fn snapshot(&self) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
        let mut files = Vec::new();
        for entry in walkdir::WalkDir::new(&self.root).sort_by_file_name() {
            let entry = entry.expect("a file");
            if entry.file_type().is_file() && entry.file_name() != "run.lock" {
                let changed = entry
                    .metadata()
                    .expect("metadata")
                    .modified()
                    .expect("a time");
                files.push((
                    entry.path().to_owned(),
                    fs::read(entry.path()).expect("a file"),
                    changed,
                ));
            }
        }
        files
    }
}

/// The features of the runtime in every project that tests compile: with one list it is compiled once for all.
pub const FEATURES: [&str; 2] = [
    "--features",
    "formwork/default,formwork/multipart,formwork/mysql,formwork/oidc,formwork/postgres,formwork/testing,formwork/ws",
];

/// Locks a project to the versions that were tested, so that everything that is compiled is shared.
pub fn lock(root: &Path) {
    let locked = root.join("Cargo.lock");
    if !locked.exists() {
        fs::copy(checkout().join("Cargo.lock"), locked).expect("the lock file is copied");
    }
}

/// What a run of formwork printed, and its exit status.
#[derive(Debug)]
pub struct Ran {
    /// Exit status.
    pub exit: i32,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            exit: output.status.code().expect("an exit status"),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Fails the test where the exit status is another; returns itself for more.
    #[track_caller]
    pub fn exits(self, exit: i32) -> Self {
        assert_eq!(self.exit, exit, "{}\n{}", self.output, self.errors);
        self
    }

    /// Fails the test where the text is not in what was printed.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        let printed = format!("{}\n{}", self.output, self.errors);
        assert!(printed.contains(text), "{text:?} is not in:\n{printed}");
        self
    }
}
