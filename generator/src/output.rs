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

macro_rules! outputs {
    ($($scope:ident $owner:ident $artefact:literal $template:expr => $path:literal;)*) => {
        &[$(Output {
            template: $template,
            path: $path,
            owner: Owner::$owner,
            artefact: $artefact,
            scope: Scope::$scope,
        }),*]
    };
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
pub const OUTPUTS: &[Output] = outputs! {
    Project   Structured "cargo"         "project/Cargo.toml.tera"         => "Cargo.toml";
    Project   Formwork   "lib"           "project/lib.rs.tera"             => "src/lib.rs";
    Project   Once       "service"       "project/service.rs.tera"         => "src/service.rs";
    Project   Once       "main"          "project/main.rs.tera"            => "src/main.rs";
    Project   Once       "config"        "project/formwork.yaml.tera"      => "formwork.yaml";
    Project   Once       "readme"        "project/README.md.tera"          => "README.md";
    Project   Once       "environment"   "project/env.example.tera"        => ".env.example";
    Project   Once       "dockerfile"    "project/Dockerfile.tera"         => "Dockerfile";
    Project   Once       "dockerignore"  "project/dockerignore.tera"       => ".dockerignore";
    Project   Once       "compose"       COMPOSE                           => "compose.yaml";
    Project   Once       "gitignore"     "project/gitignore.tera"          => ".gitignore";
    Extension Structured "cargo"         "extension/Cargo.toml.tera"       => "extensions/<folder>/Cargo.toml";
    Extension User       "lib"           "extension/lib.rs.tera"           => "extensions/<folder>/src/lib.rs";
    Extension Formwork   "api_resources" "extension/api_resources.rs.tera" => "extensions/<folder>/src/api_resources/mod.rs";
    Extension Formwork   "models"        "extension/models.rs.tera"        => "extensions/<folder>/src/models/mod.rs";
    Extension Formwork   "migrations"    "extension/migrations.rs.tera"    => "extensions/<folder>/src/migrations.rs";
    Resource  User       "mod"           "resource/mod.rs.tera"            => "extensions/<folder>/src/api_resources/<module>/mod.rs";
    Resource  User       "controller"    "resource/controller.rs.tera"     => "extensions/<folder>/src/api_resources/<module>/controller.rs";
    Resource  User       "model"         "resource/model.rs.tera"          => "extensions/<folder>/src/api_resources/<module>/model.rs";
    Resource  User       "columns"       "resource/columns.rs.tera"        => "extensions/<folder>/src/api_resources/<module>/columns.rs";
    Resource  User       "relations"     RELATIONS                         => "extensions/<folder>/src/api_resources/<module>/relations.rs";
    Resource  User       "repository"    REPOSITORY                        => "extensions/<folder>/src/api_resources/<module>/repository.rs";
    Resource  User       "request"       "resource/request.rs.tera"        => "extensions/<folder>/src/api_resources/<module>/request.rs";
    Resource  User       "transformer"   "resource/transformer.rs.tera"    => "extensions/<folder>/src/api_resources/<module>/transformer.rs";
    Resource  User       "docs"          DOCS                              => "extensions/<folder>/docs/<key>.md";
    Resource  User       "test"          "resource/test.rs.tera"           => "tests/<folder>_<module>.rs";
    Model     User       "model"         "model/model.rs.tera"             => "extensions/<folder>/src/models/<module>.rs";
};

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
