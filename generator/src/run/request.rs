//! The description of a run, and its result.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::command_source::CommandSource;
use crate::cli::RunArgs;
use crate::manifest::Sources;
use crate::plan::{ManifestEdit, Plan};
use crate::report::Mode;

/// The unit of the project itself.
pub const PROJECT: &str = "project";
/// The unit of ejected templates; no extension's folder has a hyphen.
pub const OWN_TEMPLATES: &str = "own-templates";

/// The description of a run.
pub struct Run<'a> {
    /// The command, as answers for programs name it.
    pub command: &'static str,
    /// Folder of the project.
    pub root: &'a Path,
    /// Whether the run writes or only checks, and the words of its report.
    pub mode: Mode,
    /// Whether the report shows the differences as well.
    pub diff: bool,
    /// The switches of the command line.
    pub args: RunArgs,
    /// The purpose of the run; computed again when the run begins again.
    pub purpose: Purpose<'a>,
}

/// The purpose of a run.
pub enum Purpose<'a> {
    /// The files that manifests describe: they are resolved, rendered and planned.
    Render(&'a dyn Fn() -> Result<Request>),
    /// Files that no manifest describes: manifests of a database, templates to change. Their
    /// command plans them itself.
    Plan(&'a dyn Fn() -> Result<Plan>),
}

/// The input of a render.
#[derive(Debug)]
pub struct Request {
    /// The manifests, with the changes of the command.
    pub sources: Sources,
    /// The same as changes of files.
    pub edits: Vec<ManifestEdit>,
    /// Only these units; everything when `None`.
    pub units: Option<BTreeSet<String>>,
    /// The command line that made `edits`.
    pub command: Option<CommandSource>,
    /// The part of the project to destroy.
    pub destroyed: Option<Destroyed>,
}

/// The part of a project that a run destroys.
#[derive(Debug)]
pub struct Destroyed {
    /// As people call it: `shop.dishes`, or `shop`.
    pub name: String,
    /// Units whose tables are dropped.
    pub units: BTreeSet<String>,
    /// The folder of an extension whose crate is removed as well.
    pub extension: Option<String>,
    /// Notices about it.
    pub notices: Vec<String>,
}

/// The result of a run, done or planned.
#[derive(Debug)]
pub struct Done {
    /// The plan.
    pub plan: Plan,
    /// Warnings about the manifests, for programs.
    pub diagnostics: Vec<Value>,
}

impl<'a> Run<'a> {
    /// Describes a run that writes, without switches.
    pub fn new(command: &'static str, root: &'a Path, purpose: Purpose<'a>) -> Run<'a> {
        Run {
            command,
            root,
            mode: Mode::Generate,
            diff: false,
            args: RunArgs::default(),
            purpose,
        }
    }
}

impl Request {
    /// Requests everything the manifests describe.
    pub fn all(sources: Sources) -> Request {
        Request {
            sources,
            edits: Vec::new(),
            units: None,
            command: None,
            destroyed: None,
        }
    }
}

/// Returns the unit of a resource, if one is named, and those of the files that list it.
pub fn units_of(folder: &str, key: Option<&str>) -> BTreeSet<String> {
    let own = key.map(|key| format!("{folder}.{key}"));
    own.into_iter()
        .chain([PROJECT.to_owned(), folder.to_owned()])
        .collect()
}
