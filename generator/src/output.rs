//! THE table: template → path → owner → artefact. Every template is listed once.

pub use crate::project::Scope;
use crate::project::{Extension, Project, Resource};
use crate::rendered::Owner;

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Template, below `templates/`.
    pub template: &'static str,
    /// Path below the project; `<folder>` is the extension's, `<module>` and `<key>` the resource's.
    pub path: &'static str,
    /// Owner of the file.
    pub owner: Owner,
    /// Last part of the artefact's id.
    pub artefact: &'static str,
    /// Scope of the template.
    pub scope: Scope,
}

const fn row(
    scope: Scope,
    template: &'static str,
    path: &'static str,
    owner: Owner,
    artefact: &'static str,
) -> Output {
    Output {
        template,
        path,
        owner,
        artefact,
        scope,
    }
}

/// The repository, which a resource with a repository of the user's own does not have.
pub const REPOSITORY: &str = "resource/repository.rs.tera";

/// The reference docs of a resource, which its controller includes.
pub const DOCS: &str = "resource/docs.md.tera";

/// The accessors of relations, which a resource without relations does not have.
pub const RELATIONS: &str = "resource/relations.rs.tera";

/// Containers of the service and its database server, which a project on SQLite alone does not need.
pub const COMPOSE: &str = "project/compose.yaml.tera";

/// The table.
pub const OUTPUTS: &[Output] = {
    use Owner::{Formwork, Once, Structured, User};
    use Scope::{Extension, Model, Project};
    &[
        row(
            Project,
            "project/Cargo.toml.tera",
            "Cargo.toml",
            Structured,
            "cargo",
        ),
        row(
            Project,
            "project/lib.rs.tera",
            "src/lib.rs",
            Formwork,
            "lib",
        ),
        row(
            Project,
            "project/service.rs.tera",
            "src/service.rs",
            Once,
            "service",
        ),
        row(Project, "project/main.rs.tera", "src/main.rs", Once, "main"),
        row(
            Project,
            "project/formwork.yaml.tera",
            "formwork.yaml",
            Once,
            "config",
        ),
        row(
            Project,
            "project/README.md.tera",
            "README.md",
            Once,
            "readme",
        ),
        row(
            Project,
            "project/env.example.tera",
            ".env.example",
            Once,
            "environment",
        ),
        row(
            Project,
            "project/Dockerfile.tera",
            "Dockerfile",
            Once,
            "dockerfile",
        ),
        row(
            Project,
            "project/dockerignore.tera",
            ".dockerignore",
            Once,
            "dockerignore",
        ),
        row(Project, COMPOSE, "compose.yaml", Once, "compose"),
        row(
            Project,
            "project/gitignore.tera",
            ".gitignore",
            Once,
            "gitignore",
        ),
        row(
            Extension,
            "extension/Cargo.toml.tera",
            "extensions/<folder>/Cargo.toml",
            Structured,
            "cargo",
        ),
        row(
            Extension,
            "extension/lib.rs.tera",
            "extensions/<folder>/src/lib.rs",
            User,
            "lib",
        ),
        row(
            Extension,
            "extension/api_resources.rs.tera",
            "extensions/<folder>/src/api_resources/mod.rs",
            Formwork,
            "api_resources",
        ),
        row(
            Extension,
            "extension/models.rs.tera",
            "extensions/<folder>/src/models/mod.rs",
            Formwork,
            "models",
        ),
        row(
            Extension,
            "extension/migrations.rs.tera",
            "extensions/<folder>/src/migrations.rs",
            Formwork,
            "migrations",
        ),
        of_resource(
            "resource/mod.rs.tera",
            "extensions/<folder>/src/api_resources/<module>/mod.rs",
            "mod",
        ),
        of_resource(
            "resource/controller.rs.tera",
            "extensions/<folder>/src/api_resources/<module>/controller.rs",
            "controller",
        ),
        of_resource(
            "resource/model.rs.tera",
            "extensions/<folder>/src/api_resources/<module>/model.rs",
            "model",
        ),
        of_resource(
            "resource/columns.rs.tera",
            "extensions/<folder>/src/api_resources/<module>/columns.rs",
            "columns",
        ),
        of_resource(
            RELATIONS,
            "extensions/<folder>/src/api_resources/<module>/relations.rs",
            "relations",
        ),
        of_resource(
            REPOSITORY,
            "extensions/<folder>/src/api_resources/<module>/repository.rs",
            "repository",
        ),
        of_resource(
            "resource/request.rs.tera",
            "extensions/<folder>/src/api_resources/<module>/request.rs",
            "request",
        ),
        of_resource(
            "resource/transformer.rs.tera",
            "extensions/<folder>/src/api_resources/<module>/transformer.rs",
            "transformer",
        ),
        of_resource(DOCS, "extensions/<folder>/docs/<key>.md", "docs"),
        of_resource(
            "resource/test.rs.tera",
            "tests/<folder>_<module>.rs",
            "test",
        ),
        row(
            Model,
            "model/model.rs.tera",
            "extensions/<folder>/src/models/<module>.rs",
            User,
            "model",
        ),
    ]
};

const fn of_resource(template: &'static str, path: &'static str, artefact: &'static str) -> Output {
    row(Scope::Resource, template, path, Owner::User, artefact)
}

/// The subject of a rendered template, and the values of its path's placeholders.
#[derive(Debug, Clone, Copy, Default)]
pub struct Target<'p> {
    folder: &'p str,
    module: &'p str,
    key: &'p str,
}

impl<'p> Target<'p> {
    /// An extension.
    pub fn extension(extension: &'p Extension) -> Self {
        Self {
            folder: &extension.folder,
            ..Self::default()
        }
    }

    /// A resource or supporting model.
    pub fn resource(extension: &'p Extension, resource: &'p Resource) -> Self {
        Self {
            folder: &extension.folder,
            module: &resource.names.module,
            key: &resource.key,
        }
    }

    /// The path of a built-in row.
    pub fn path(&self, pattern: &str) -> String {
        let path = pattern.replace("<folder>", self.folder);
        path.replace("<module>", self.module)
            .replace("<key>", self.key)
    }

    /// The path of an output that the project adds.
    pub fn own_path(&self, pattern: &str) -> String {
        let path = pattern.replace("{extension}", self.folder);
        path.replace("{module}", self.module)
            .replace("{resource}", self.key)
    }
}

/// The targets of a scope: the project, or its extensions, resources or models.
pub fn targets(project: &Project, scope: Scope) -> Vec<Target<'_>> {
    let extensions = project.extensions.iter();
    let registered = project.registered();
    let with_api = |with: bool| {
        let all = registered.filter(move |(_, one)| one.api.is_some() == with);
        all.map(|(extension, one)| Target::resource(extension, one))
            .collect()
    };
    match scope {
        Scope::Project => vec![Target::default()],
        Scope::Extension => extensions.map(Target::extension).collect(),
        Scope::Resource => with_api(true),
        Scope::Model => with_api(false),
    }
}

/// The rows of a scope, in order.
pub fn of(scope: Scope) -> impl Iterator<Item = &'static Output> {
    OUTPUTS.iter().filter(move |output| output.scope == scope)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_template_is_listed_once_and_every_row_has_a_template() {
        let listed: Vec<&str> = OUTPUTS.iter().map(|output| output.template).collect();
        let unique: BTreeSet<String> = listed.iter().map(ToString::to_string).collect();
        assert_eq!(unique.len(), listed.len(), "a template stands there twice");
        let there: BTreeSet<String> = formwork_templates::all().map(|(path, _)| path).collect();
        assert_eq!(unique, there);
    }

    #[test]
    fn no_two_rows_of_a_scope_share_path_or_artefact() {
        for output in OUTPUTS {
            let same = of(output.scope)
                .filter(|other| other.path == output.path || other.artefact == output.artefact);
            assert_eq!(same.count(), 1, "{output:?}");
        }
    }
}
