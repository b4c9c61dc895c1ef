//! Manifests to [`Project`], or every mistake at once. The only module that rejects manifests.

mod accounts;
mod across;
mod action;
mod api;
mod attribute;
mod column_type;
mod columns;
mod config;
mod document_types;
mod draft;
mod extension;
mod file;
mod former;
mod index_limits;
mod link;
mod listed;
mod literal;
mod model;
mod names;
mod outputs;
mod reader;
mod registry;
mod relation;
mod report;
mod rule;
mod rule_fit;
mod rule_list;
mod target;
mod writes;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::diagnostic::{Code, Diagnostic, Severity, locate};
use crate::manifest::{CONFIG_FILE, ManifestFile, ManifestKind, Sources, Span};
use crate::project::{Database, Extension, OwnOutput, Project, Resource};

use config::Config;
use draft::Draft;
pub use listed::{Listed, ListedRelation, list};
use outputs::OutputDraft;
use registry::Registry;
use report::Diagnostics;

/// A project, and the warnings about its manifests.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Legal by construction.
    pub project: Project,
    /// By file and place.
    pub warnings: Vec<Diagnostic>,
}

/// Resolves the sources of a project.
///
/// # Errors
/// Every mistake in every file, and the warnings among them, by file and place.
pub fn resolve(sources: &Sources) -> Result<Resolved, Vec<Diagnostic>> {
    let diagnostics = Diagnostics::default();
    let mut config = config::read(sources.config(), diagnostics.report(CONFIG_FILE));
    let files: Vec<ManifestFile<'_>> = sources.manifests().collect();
    let mut drafts = read_all(&files, &diagnostics);
    let registry = Registry::new(&drafts, &diagnostics);
    for draft in &mut drafts {
        link::link(draft, &registry, diagnostics.report(draft.path));
    }
    across::pivots(&mut drafts, &registry, &diagnostics);
    across::prefixed(&drafts, &config.table_prefix, &diagnostics);
    across::names(&drafts, &diagnostics);
    across::exists(&drafts, &registry, &diagnostics);
    document_types::check(&drafts, &registry, &diagnostics);
    former::check(&drafts, &diagnostics);
    index_limits::check(&drafts, &config.databases, &diagnostics);
    accounts::check(&config, &drafts, &registry, &diagnostics);
    let outputs = std::mem::take(&mut config.outputs);
    let mut project = assemble(sources, config, drafts, &diagnostics);
    outputs::check(&outputs, &project, sources, diagnostics.report(CONFIG_FILE));
    let outputs = outputs.into_iter();
    project.outputs = outputs.filter_map(OutputDraft::output).collect();
    let mut warnings = diagnostics.into_inner();
    locate(&mut warnings, sources);
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if warnings.iter().any(is_error) {
        return Err(warnings);
    }
    Ok(Resolved { project, warnings })
}

/// Reads the configuration; its errors are passed over.
fn read_config(sources: &Sources) -> Config {
    config::read(sources.config(), Diagnostics::default().report(CONFIG_FILE))
}

/// Returns the kinds of database that the sources name.
pub fn databases(sources: &Sources) -> BTreeSet<Database> {
    read_config(sources).databases
}

/// Returns the schemas in which PostgreSQL looks for tables, if the sources name some.
pub fn search_path(sources: &Sources) -> Option<String> {
    read_config(sources).search_path
}

/// Returns the prefix of the runtime's own tables; empty by default.
pub fn table_prefix(sources: &Sources) -> String {
    read_config(sources).table_prefix
}

/// Returns the outputs that `formwork.yaml` adds, as far as they can be read.
pub fn own_outputs(sources: &Sources) -> Vec<OwnOutput> {
    let outputs = read_config(sources).outputs.into_iter();
    outputs.filter_map(OutputDraft::output).collect()
}

/// Reads the manifests, on all processors.
fn read_all<'s>(files: &[ManifestFile<'s>], diagnostics: &Diagnostics) -> Vec<Draft<'s>> {
    let read = files.par_iter().map(|file| file::read(*file));
    let read: Vec<(Draft<'s>, Diagnostics)> = read.collect();
    let drafts = read.into_iter().map(|(draft, found)| {
        diagnostics.append(found);
        draft
    });
    drafts.collect()
}

fn assemble(
    sources: &Sources,
    config: Config,
    drafts: Vec<Draft<'_>>,
    diagnostics: &Diagnostics,
) -> Project {
    let (package, library) = extension::project(sources, diagnostics.report("Cargo.toml"));
    let mut extensions = extensions(sources, &library, diagnostics);
    for draft in drafts {
        let extension = extensions.get_mut(draft.folder);
        if let (Some(extension), Some(resource)) = (extension, draft.resource) {
            match draft.kind {
                ManifestKind::Resource => extension.resources.push(resource),
                ManifestKind::Model => extension.models.push(resource),
            }
        }
    }
    let by_key = |a: &Resource, b: &Resource| a.key.cmp(&b.key);
    for extension in extensions.values_mut() {
        extension.resources.sort_by(by_key);
        extension.models.sort_by(by_key);
    }
    Project {
        package,
        library,
        databases: config.databases,
        api_prefix: config.api_prefix,
        customers_table: config.customers.map(|word| word.text),
        outputs: Vec::new(),
        extensions: extensions.into_values().collect(),
    }
}

fn extensions(
    sources: &Sources,
    library: &str,
    diagnostics: &Diagnostics,
) -> BTreeMap<String, Extension> {
    let mut extensions: BTreeMap<String, Extension> = BTreeMap::new();
    for folder in sources.extension_folders() {
        let path = format!("extensions/{folder}/Cargo.toml");
        let report = diagnostics.report(&path);
        let Some(names) = extension::names(sources, folder, report) else {
            continue;
        };
        let mut others = extensions.values();
        let other = others.find(|other| other.library == names.library);
        let other = other.map(|other| other.folder.as_str());
        let project = (names.library == library).then_some("the project itself");
        if let Some(other) = other.or(project) {
            let message = format!("the crate `{}` is {other} already", names.library);
            let help = "rename the extension";
            report.reject(Code::NameCollision, Span::default(), message, help);
        }
        extensions.insert(folder.to_owned(), empty(names));
    }
    extensions
}

fn empty(names: crate::name::ExtensionNames) -> Extension {
    Extension {
        id: names.id,
        folder: names.folder,
        package: names.package,
        library: names.library,
        type_name: names.type_name,
        resources: Vec::new(),
        models: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
