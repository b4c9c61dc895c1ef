//! What the templates of a project see.

use serde::Serialize;

use super::code;
use crate::project::Project;

/// The project's root crate.
#[derive(Debug, Clone, Serialize)]
pub struct ProjectView {
    package: String,
    library: String,
    /// The dependency on the runtime as TOML.
    runtime: String,
    /// Databases as `formwork.yaml` lists them.
    databases: Vec<&'static str>,
    api_prefix: String,
    customers: String,
    /// The vector `extensions` returns.
    extensions: String,
}

impl ProjectView {
    /// The view of a project; `runtime` is the dependency on the runtime as TOML.
    pub fn new(project: &Project, runtime: &str) -> Self {
        let extensions = project.extensions.iter();
        let extensions =
            extensions.map(|one| format!("Box::new({}::{})", path(&one.library), one.type_name));
        let databases = project.databases.iter();
        Self {
            package: project.package.clone(),
            library: project.library.clone(),
            runtime: runtime.to_owned(),
            databases: databases
                .map(|database| crate::schema::database_name(*database))
                .collect(),
            api_prefix: project.api_prefix.clone(),
            customers: project.customers_table.clone().unwrap_or_default(),
            extensions: code::vector(extensions),
        }
    }
}

/// The path of an extension's crate: the module `service` of the root crate hides one of this name.
fn path(library: &str) -> String {
    match library {
        "service" => "::service".to_owned(),
        library => library.to_owned(),
    }
}
