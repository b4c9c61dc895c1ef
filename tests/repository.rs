//! Projects under git, and branches of them that are merged.

use std::path::Path;

use crate::project::{Project, Ran};

/// The manifest every repository starts with.
pub const DISHES: &str = "extensions/shop/resources/dishes.yaml";

/// A project under git, and the fixed time of its migrations.
pub struct Repository {
    /// The project.
    pub project: Project,
    moment: std::cell::Cell<u64>,
}

impl Repository {
    /// With one resource, committed.
    pub fn with_dishes() -> Repository {
        Repository::with_dishes_on("sqlite")
    }

    /// As [`Repository::with_dishes`], for these kinds of databases.
    pub fn with_dishes_on(kinds: &str) -> Repository {
        let project = Project::new_on("bistro", kinds);
        let repository = Repository {
            project,
            moment: std::cell::Cell::new(1_790_000_000),
        };
        repository.make("shop", "dishes").exits(0);
        repository.project.begin_repository();
        repository
    }

    /// `generate resource` with one attribute.
    pub fn make(&self, extension: &str, name: &str) -> Ran {
        self.run(&[
            "generate",
            "resource",
            extension,
            name,
            "title:string:required",
        ])
    }

    /// Runs formwork; each run is a minute after the last.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.moment.set(self.moment.get() + 60);
        let second = self.moment.get().to_string();
        self.project
            .run_with(args, &[("SOURCE_DATE_EPOCH", Path::new(&second))])
    }

    /// One person's work on a branch from `main`.
    pub fn branch(&self, name: &str, work: impl Fn(&Repository)) {
        self.project.git(&["switch", "-q", "main"]);
        self.project.git(&["switch", "-qc", name]);
        work(self);
        self.run(&["generate", "--check"]).exits(0);
        self.project.commit(name);
    }

    /// Merges both branches into `main`, and returns the paths that git could not merge.
    pub fn merge(&self, branches: &[&str]) -> Vec<String> {
        self.project.git(&["switch", "-q", "main"]);
        let mut conflicts = Vec::new();
        for branch in branches {
            let (done, _) = self.project.try_git(&["merge", "-q", "--no-edit", branch]);
            let found = self
                .project
                .git(&["diff", "--name-only", "--diff-filter=U"]);
            assert!(done || !found.is_empty());
            conflicts.extend(found.lines().map(str::to_owned));
            if !done {
                return conflicts;
            }
        }
        conflicts
    }

    /// After the merge one run repairs the state, and the next changes nothing.
    pub fn mend(&self) {
        self.run(&["generate"]).exits(0);
        let before = self.project.snapshot();
        self.run(&["generate", "--check"]).exits(0);
        self.run(&["generate"]).exits(0);
        assert_eq!(before, self.project.snapshot());
        for entry in walkdir::WalkDir::new(self.project.root()) {
            let entry = entry.expect("a file");
            let is_git = entry
                .path()
                .components()
                .any(|part| part.as_os_str() == ".git");
            if entry.file_type().is_file() && !is_git {
                let text = std::fs::read_to_string(entry.path()).expect("text");
                let marked = text.lines().any(|line| line.starts_with("<<<<<<< "));
                assert!(!marked, "{} holds markers", entry.path().display());
            }
        }
    }

    /// Versions in the aggregate of an extension, in their order.
    pub fn versions(&self, extension: &str) -> Vec<String> {
        let text = self
            .project
            .read(&format!("extensions/{extension}/src/migrations.rs"));
        let versions = text.split("version: ").skip(1);
        versions
            .map(|rest| rest.split(',').next().unwrap_or_default().to_owned())
            .collect()
    }
}

/// Whether a file is Formwork's alone: the state, and aggregates with the banner.
pub fn is_formworks(path: &str) -> bool {
    path.starts_with(".formwork/")
        || path.ends_with("/mod.rs")
        || path.ends_with("/migrations.rs")
        || path == "src/lib.rs"
}
