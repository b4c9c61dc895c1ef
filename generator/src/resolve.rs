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
mod former_values;
mod index_limits;
mod link;
mod listed;
mod literal;
mod model;
mod names;
mod outputs;
mod registry;
mod relation;
mod report;
mod row_limits;
mod rule;
mod rule_actions;
mod rule_fit;
mod rule_list;
mod target;
mod writes;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::diagnostic::{Code, Diagnostic, Severity, locate};
use crate::manifest::{ManifestFile, ManifestKind, Sources};
use crate::project::{Database, Extension, OwnOutput, Project, Resource};

use config::Config;
use draft::Draft;
pub use listed::{Listed, ListedRelation, list};
use outputs::OutputDraft;
use registry::Registry;
use report::Report;

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
    let mut found = Vec::new();
    let mut report = Report::new("formwork.yaml");
    let mut config = config::read(sources.config(), &mut report);
    found.append(&mut report.found);
    let files: Vec<ManifestFile<'_>> = sources.manifests().collect();
    let mut drafts = read_all(&files, &mut found);
    let registry = Registry::of(&drafts, &mut found);
    for draft in &mut drafts {
        let mut report = Report::new(draft.path);
        link::link(draft, &registry, &mut report);
        found.append(&mut report.found);
    }
    across::pivots(&mut drafts, &registry, &mut found);
    across::prefixed(&drafts, &config.table_prefix, &mut found);
    across::names(&drafts, &mut found);
    across::exists(&drafts, &registry, &mut found);
    document_types::check(&drafts, &registry, &mut found);
    former::check(&drafts, &mut found);
    index_limits::check(&drafts, &config.databases, &mut found);
    row_limits::check(&drafts, &config.databases, &mut found);
    accounts::check(&config, &drafts, &registry, &mut found);
    let outputs = std::mem::take(&mut config.outputs);
    let mut project = assemble(sources, config, drafts, &mut found);
    outputs::check(&outputs, &project, sources, &mut found);
    project.outputs = outputs
        .into_iter()
        .filter_map(OutputDraft::output)
        .collect();
    locate(&mut found, sources);
    let failed = found.iter().any(|found| found.severity == Severity::Error);
    if failed {
        Err(found)
    } else {
        Ok(Resolved {
            project,
            warnings: found,
        })
    }
}

/// The kinds of database that the sources name; mistakes in the configuration are passed over.
pub fn databases(sources: &Sources) -> BTreeSet<Database> {
    config::read(sources.config(), &mut Report::new("formwork.yaml")).databases
}

/// The schemas in which PostgreSQL looks for tables, if the sources name some.
pub fn search_path(sources: &Sources) -> Option<String> {
    config::read(sources.config(), &mut Report::new("formwork.yaml")).search_path
}

/// Prefix of the runtime's own tables; empty by default.
pub fn table_prefix(sources: &Sources) -> String {
    config::read(sources.config(), &mut Report::new("formwork.yaml")).table_prefix
}

/// Reads the manifests, on all processors.
fn read_all<'s>(files: &[ManifestFile<'s>], found: &mut Vec<Diagnostic>) -> Vec<Draft<'s>> {
    let files = files.par_iter();
    let results: Vec<(Draft<'s>, Vec<Diagnostic>)> = files.map(|file| file::read(*file)).collect();
    let mut drafts = Vec::with_capacity(results.len());
    for (draft, mut mistakes) in results {
        found.append(&mut mistakes);
        drafts.push(draft);
    }
    drafts
}

fn assemble(
    sources: &Sources,
    config: Config,
    drafts: Vec<Draft<'_>>,
    found: &mut Vec<Diagnostic>,
) -> Project {
    let mut report = Report::new("Cargo.toml");
    let (package, library) = extension::project(sources, &mut report);
    found.append(&mut report.found);
    let mut extensions = extensions(sources, &library, found);
    for draft in drafts {
        let Some(resource) = draft.resource else {
            continue;
        };
        let Some(extension) = extensions.get_mut(draft.folder) else {
            continue;
        };
        match draft.kind {
            ManifestKind::Resource => extension.resources.push(resource),
            ManifestKind::Model => extension.models.push(resource),
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

/// The outputs that `formwork.yaml` adds, as far as they can be read.
pub fn own_outputs(sources: &Sources) -> Vec<OwnOutput> {
    let config = config::read(sources.config(), &mut Report::new("formwork.yaml"));
    let outputs = config.outputs.into_iter();
    outputs.filter_map(OutputDraft::output).collect()
}

fn extensions(
    sources: &Sources,
    library: &str,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Extension> {
    let mut extensions: BTreeMap<String, Extension> = BTreeMap::new();
    for folder in sources.extension_folders() {
        let path = format!("extensions/{folder}/Cargo.toml");
        let mut report = Report::new(&path);
        if let Some(names) = extension::names(sources, folder, &mut report) {
            let same = extensions
                .values()
                .find(|other| other.library == names.library);
            let other = same.map(|other| other.folder.as_str());
            if let Some(other) =
                other.or((names.library == library).then_some("the project itself"))
            {
                let message = format!("the crate `{}` is {other} already", names.library);
                report
                    .error(Code::NameCollision, Default::default(), message)
                    .help("rename the extension");
            }
            extensions.insert(folder.to_owned(), empty(names));
        }
        found.append(&mut report.found);
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
