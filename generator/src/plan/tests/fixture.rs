use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use tempfile::TempDir;

use crate::apply::{self, RunLock};
use crate::exit::Exit;
use crate::plan::{Class, Plan, PlanOptions, SelectedPaths, Selection, Switch, plan};
use crate::rendered::{Content, Owner, Rendered, RenderedFile};
use crate::state::State;

/// Returns the selection of one switch for every file.
pub(crate) fn all(switch: Switch) -> Selection {
    Selection::default().with(switch, SelectedPaths::All)
}

/// A project on disk, and what is rendered to it.
pub(crate) struct Project {
    pub(crate) root: TempDir,
    pub(crate) files: Vec<RenderedFile>,
    pub(crate) options: PlanOptions,
}

impl Project {
    /// Poured once, from these files of the user's.
    pub(crate) fn poured(files: &[(&str, &str)]) -> Project {
        let mut project = Project::empty();
        for (path, text) in files {
            project.render(path, text);
        }
        project.generate();
        project
    }

    pub(crate) fn empty() -> Project {
        Project {
            root: tempfile::tempdir().unwrap(),
            files: Vec::new(),
            options: PlanOptions::default(),
        }
    }

    /// From now on, `text` is rendered to `path`.
    pub(crate) fn render(&mut self, path: &str, text: &str) {
        self.render_as(path, text, Owner::User);
    }

    pub(crate) fn render_as(&mut self, path: &str, text: &str, owner: Owner) {
        self.render_artefact(path, &format!("shop/{path}"), text, owner);
    }

    pub(crate) fn render_artefact(&mut self, path: &str, artefact: &str, text: &str, owner: Owner) {
        self.files
            .retain(|file| file.path != path && file.artefact != artefact);
        self.files.push(RenderedFile {
            template: None,
            path: path.to_owned(),
            artefact: artefact.to_owned(),
            unit: "shop.menus".to_owned(),
            owner,
            content: Content::Text(text.to_owned()),
        });
    }

    pub(crate) fn stop_rendering(&mut self, path: &str) {
        self.files.retain(|file| file.path != path);
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.at(path)).ok()
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.at(path)).unwrap();
    }

    pub(crate) fn base(&self, path: &str) -> Option<String> {
        self.read(&format!(".formwork/base/{path}"))
    }

    pub(crate) fn lock(&self) -> String {
        self.read(".formwork/lock/shop.menus.lock")
            .unwrap_or_default()
    }

    pub(crate) fn rendering(&self) -> Rendered {
        Rendered {
            files: self.files.clone(),
            ..Rendered::default()
        }
    }

    pub(crate) fn try_plan(&self) -> anyhow::Result<Plan> {
        let state = State::load(self.root.path())?;
        plan(self.rendering(), state, &self.options)
    }

    pub(crate) fn plan(&self) -> Plan {
        self.try_plan().unwrap()
    }

    pub(crate) fn generate(&self) -> Plan {
        self.try_generate().unwrap()
    }

    /// Plans and writes as a command does.
    pub(crate) fn try_generate(&self) -> anyhow::Result<Plan> {
        let root = self.root.path();
        let lock = RunLock::take(root, apply::PATIENCE)?;
        let finished = apply::recover(root, &lock)?;
        let mut plan = self.try_plan()?;
        if !plan.is_blocked() {
            apply::apply(&plan, root, &lock)?;
        }
        plan.notices.splice(0..0, finished);
        Ok(plan)
    }

    /// Generates, with options for this run alone.
    pub(crate) fn generate_with(&mut self, set: impl Fn(&mut PlanOptions)) -> Plan {
        set(&mut self.options);
        let plan = self.generate();
        self.options = PlanOptions::default();
        plan
    }

    /// Every path below the project with its time of change and its content, but for the lock of a run.
    pub(crate) fn snapshot(&self) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
        walkdir::WalkDir::new(self.root.path())
            .sort_by_file_name()
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_name() != "run.lock")
            .map(|entry| {
                let content = fs::read(entry.path()).unwrap_or_default();
                (
                    entry.path().to_owned(),
                    entry.metadata().unwrap().modified().unwrap(),
                    content,
                )
            })
            .collect()
    }

    /// Asserts that another run plans no change and writes no file.
    #[track_caller]
    pub(crate) fn assert_settled(&self) {
        let before = self.snapshot();
        let plan = self.generate();
        assert!(plan.is_empty(), "{:?} {:?}", plan.files, plan.state);
        assert_eq!(self.snapshot(), before);
    }
}

/// Asserts class and exit status for one path.
#[track_caller]
pub(crate) fn assert_class(plan: &Plan, path: &str, class: Class, exit: Exit) {
    let change = plan.files.iter().find(|file| file.path == path);
    assert_eq!(
        change.map(|file| file.class),
        Some(class),
        "{:?}",
        plan.files
    );
    assert_eq!(plan.exit(), exit);
}
