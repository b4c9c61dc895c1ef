//! Renders a project: templates and views in, files in memory out.
//!
//! The texts are as the templates leave them; planning formats what differs from the last run.

mod edits;
mod mistake;
mod set;
mod templates;

use std::collections::BTreeSet;

use anyhow::Result;
use rayon::join;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use tera::Context;

use set::Set;
pub use templates::{BuiltIn, Template, Templates};

use crate::manifest;
use crate::output::{self, Output, Scope, Target};
use crate::project::{Database, Extension, Project, Resource};
use crate::rendered::{Content, Owner, Rendered, RenderedFile, TomlEdit};
use crate::schema::{self, MigrationOptions, Migrations, Previous, database_name};
use crate::view::{ExtensionView, ProjectView, ResourceView, extension_data, resource_data};

/// Options of rendering.
#[derive(Debug, Clone, Default)]
pub struct RenderOptions<'a> {
    /// The dependency on the runtime as TOML, for a new `Cargo.toml`.
    pub runtime: String,
    /// The built-in templates, and the project's own.
    pub templates: Templates,
    /// Folders of extensions that an earlier run poured to, and that do not exist any more.
    pub gone: Vec<String>,
    /// The entries of aggregates, if they are fewer than the project's.
    pub listed: Option<Project>,
    /// How migrations are emitted.
    pub migrations: MigrationOptions<'a>,
    /// Paths of migrations and docs that were deleted: code that includes them would not compile.
    pub missing: BTreeSet<String>,
}

/// Renders everything a project consists of: its files, and the migrations that lead there from `previous`.
///
/// # Errors
/// A template of the project's own that does not parse or uses an unknown name; [`Refused`] for a
/// change that no migration can make.
///
/// [`Refused`]: crate::error::Refused
pub fn render(
    project: &Project,
    previous: &Previous,
    options: &RenderOptions<'_>,
) -> Result<Rendered> {
    let set = Set::parse(&options.templates)?;
    let (migrations, resources) = join(
        || schema::migrations(project, previous, &options.migrations),
        || of_resources(&set, project, &options.missing),
    );
    let mut migrations = migrations?;
    migrations.leave_out(|path| options.missing.contains(path));
    let mut files = aggregates(&set, project, &migrations, options)?;
    files.extend(resources?);
    files.extend(sql(&migrations));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let manifests = project.registered();
    let manifests = manifests
        .map(|(extension, resource)| (unit(extension, resource), resource.manifest_text.clone()));
    let mut state_files = migrations.state_files;
    state_files.insert(SCHEMA_FILE.to_owned(), Some(manifest::schema_json()));
    Ok(Rendered {
        files,
        manifests: manifests.collect(),
        tables: migrations.tables,
        state_files,
        was: project.former_units(),
        renamed: migrations.renamed,
        relations: project.former_relations(),
        notices: abandoned(&migrations.abandoned)
            .into_iter()
            .chain(migrations.lacking)
            .collect(),
        refused: migrations.refused,
    })
}

fn abandoned(tables: &[String]) -> Option<String> {
    let list = tables.join(", ");
    (!tables.is_empty())
        .then(|| format!("no manifest describes these tables any more; they stay: {list} (`formwork destroy` drops them)"))
}

/// The files of the project and of its extensions, which list what is below them.
fn aggregates(
    set: &Set<'_>,
    project: &Project,
    migrations: &Migrations,
    options: &RenderOptions<'_>,
) -> Result<Vec<RenderedFile>> {
    let listed = options.listed.as_ref().unwrap_or(project);
    let mut files = of_project(set, listed, options)?;
    for extension in &listed.extensions {
        files.extend(of_extension(set, project, extension, migrations)?);
    }
    Ok(files)
}

/// The JSON Schema of manifests, to which they point their editors.
const SCHEMA_FILE: &str = "resource.schema.json";

fn unit(extension: &Extension, resource: &Resource) -> String {
    format!("{}.{}", extension.folder, resource.key)
}

fn of_project(
    set: &Set<'_>,
    project: &Project,
    options: &RenderOptions<'_>,
) -> Result<Vec<RenderedFile>> {
    let mut context = context("project", &ProjectView::new(project, &options.runtime));
    if set.has_own() {
        let extensions = project.extensions.iter().map(extension_data);
        insert_data(&mut context, project, &extensions.collect());
    }
    let place = RenderUnit {
        unit: "project".to_owned(),
        id: "project".to_owned(),
        ..RenderUnit::default()
    };
    let edits = edits::of_project(project, &options.gone);
    let on_server = project.databases.iter().any(|one| *one != Database::Sqlite);
    let rows = output::of(Scope::Project);
    let rows = rows.filter(|row| row.template != output::COMPOSE || on_server);
    let built_in = rows.map(|row| file(set, row, &context, &place, &edits));
    built_in
        .chain(own(set, project, Scope::Project, &context, &place))
        .collect()
}

fn of_extension(
    set: &Set<'_>,
    project: &Project,
    extension: &Extension,
    migrations: &Migrations,
) -> Result<Vec<RenderedFile>> {
    let mut context = context("extension", &ExtensionView::new(extension, &migrations.all));
    if set.has_own() {
        insert_data(&mut context, project, &extension_data(extension));
    }
    let place = RenderUnit {
        unit: extension.folder.clone(),
        id: extension.folder.clone(),
        target: Target::extension(extension),
    };
    let edits = edits::of_extension(extension);
    let built_in = output::of(Scope::Extension).map(|row| file(set, row, &context, &place, &edits));
    built_in
        .chain(own(set, project, Scope::Extension, &context, &place))
        .collect()
}

fn of_resources(
    set: &Set<'_>,
    project: &Project,
    missing: &BTreeSet<String>,
) -> Result<Vec<RenderedFile>> {
    let all: Vec<(&Extension, &Resource)> = project.registered().collect();
    let all = all.into_par_iter();
    let rendered: Vec<Result<Vec<RenderedFile>>> = all
        .map(|resource| of_resource(set, project, missing, resource))
        .collect();
    let files: Result<Vec<Vec<RenderedFile>>> = rendered.into_iter().collect();
    Ok(files?.into_iter().flatten().collect())
}

fn of_resource(
    set: &Set<'_>,
    project: &Project,
    missing: &BTreeSet<String>,
    (extension, resource): (&Extension, &Resource),
) -> Result<Vec<RenderedFile>> {
    let place = RenderUnit {
        unit: unit(extension, resource),
        id: format!("{}/{}", extension.folder, resource.key),
        target: Target::resource(extension, resource),
    };
    let view = ResourceView::new(project, resource);
    let mut docs = output::of(Scope::Resource).filter(|row| row.template == output::DOCS);
    let view = match docs.any(|row| missing.contains(&place.target.path(set.output(row)))) {
        true => view.without_docs(),
        false => view,
    };
    let mut context = context("resource", &view);
    if set.has_own() {
        insert_data(&mut context, project, &resource_data(extension, resource));
    }
    let scope = if resource.api.is_some() {
        Scope::Resource
    } else {
        Scope::Model
    };
    let built_in = output::of(scope)
        .filter(|row| is_poured(row, resource))
        .map(|row| file(set, row, &context, &place, &[]));
    built_in
        .chain(own(set, project, scope, &context, &place))
        .collect()
}

/// Whether a resource has the file of this row.
fn is_poured(row: &Output, resource: &Resource) -> bool {
    let api = resource.api.as_ref();
    match row.template {
        output::REPOSITORY => api.is_some_and(|api| api.repository.is_none()),
        output::RELATIONS => !resource.model.relations.is_empty(),
        _ => true,
    }
}

/// The unit and the artefacts of a render, and the values of the path's placeholders.
#[derive(Debug, Clone, Default)]
struct RenderUnit<'p> {
    unit: String,
    id: String,
    target: Target<'p>,
}

/// The files of the outputs that the project adds. A template that renders an empty text makes no
/// file.
fn own<'a>(
    set: &'a Set<'_>,
    project: &'a Project,
    scope: Scope,
    context: &'a Context,
    place: &'a RenderUnit<'_>,
) -> impl Iterator<Item = Result<RenderedFile>> + 'a {
    let outputs = project.outputs.iter();
    let outputs = outputs.filter(move |output| output.scope == scope);
    outputs.filter_map(move |output| {
        let text = match set.render(&output.template, context) {
            Ok(text) if text.trim().is_empty() => return None,
            Ok(text) => text,
            Err(error) => return Some(Err(error)),
        };
        Some(Ok(RenderedFile {
            path: place.target.own_path(&output.pattern),
            artefact: format!("{}/own/{}", place.id, output.template),
            unit: place.unit.clone(),
            template: set.digest(&output.template),
            owner: Owner::User,
            content: Content::Text(format!("{}\n", text.trim_end())),
        }))
    })
}

fn file(
    set: &Set<'_>,
    row: &Output,
    context: &Context,
    place: &RenderUnit<'_>,
    edits: &[TomlEdit],
) -> Result<RenderedFile> {
    let text = set.render(row.template, context)?;
    let text = format!("{}\n", text.trim_end());
    let content = match row.owner {
        Owner::Structured => Content::Toml {
            initial: text,
            edits: edits.to_vec(),
        },
        _ => Content::Text(text),
    };
    Ok(RenderedFile {
        path: place.target.path(set.output(row)),
        artefact: format!("{}/{}", place.id, row.artefact),
        unit: place.unit.clone(),
        template: set.digest(row.template),
        owner: row.owner,
        content,
    })
}

/// The migrations of this run; earlier ones stay as they are.
fn sql(migrations: &Migrations) -> Vec<RenderedFile> {
    let new = migrations.new.iter().flat_map(|migration| {
        let emitted = &migration.emitted;
        migration
            .sql
            .iter()
            .map(move |(database, text)| RenderedFile {
                path: emitted.path(*database),
                artefact: format!(
                    "{}/{}/{}/{}",
                    emitted.folder,
                    emitted.unit.split_once('.').map_or("", |(_, key)| key),
                    emitted.version,
                    database_name(*database)
                ),
                unit: emitted.unit.clone(),
                template: None,
                owner: Owner::Migration,
                content: Content::Text(text.clone()),
            })
    });
    new.collect()
}

fn context<V: Serialize>(name: &'static str, view: &V) -> Context {
    let mut context = Context::new();
    context.insert(name, view);
    context
}

/// `data` of a project is the list of its extensions, so that its own facts need a name beside it.
fn insert_data(context: &mut Context, project: &Project, data: &Value) {
    context.insert("data", data);
    context.insert("project_data", project);
}

#[cfg(test)]
mod tests;
