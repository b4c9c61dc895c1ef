//! Data for the templates of a project.

use std::collections::BTreeSet;

use serde::Serialize;

use super::code;
use crate::project::{Database, Project};
use crate::schema::database_name;

/// The project's root crate.
#[derive(Debug, Clone, Serialize)]
pub struct ProjectView<'p> {
    /// Its names, and its databases as `formwork.yaml` lists them.
    #[serde(flatten)]
    project: &'p Project,
    /// The dependency on the runtime as TOML.
    runtime: String,
    has_sqlite: bool,
    /// Whether that server is PostgreSQL.
    on_postgres: bool,
    /// The first database that is a server; empty where SQLite is the only one.
    server: &'static str,
    server_scheme: &'static str,
    /// Where `compose.yaml` lets that server listen.
    server_url: &'static str,
    customers: String,
    /// The vector `extensions` returns.
    extensions: String,
}

impl<'p> ProjectView<'p> {
    /// The view of a project; `runtime` is the dependency on the runtime as TOML.
    pub fn new(project: &'p Project, runtime: &str) -> Self {
        let extensions = project.extensions.iter();
        let extensions =
            extensions.map(|one| format!("Box::new({}::{})", path(&one.library), one.type_name));
        let server = server(&project.databases);
        Self {
            project,
            runtime: runtime.to_owned(),
            has_sqlite: project.databases.contains(&Database::Sqlite),
            on_postgres: server == Some(Database::Postgres),
            server: server.map_or("", database_name),
            server_scheme: server.map_or("", scheme),
            server_url: server.map_or("", server_url),
            customers: project.customers_table.clone().unwrap_or_default(),
            extensions: code::vector(extensions),
        }
    }
}

/// The first database that is a server.
pub fn server(databases: &BTreeSet<Database>) -> Option<Database> {
    let mut servers = databases.iter().filter(|one| **one != Database::Sqlite);
    servers.next().copied()
}

fn scheme(database: Database) -> &'static str {
    server_url(database).split(':').next().unwrap_or_default()
}

/// The address of the server that `compose.yaml` starts.
pub fn server_url(database: Database) -> &'static str {
    match database {
        Database::Sqlite => "",
        Database::Postgres => "postgres://service:service@127.0.0.1:5432/service",
        Database::Mysql => "mysql://service:service@127.0.0.1:3306/service",
    }
}

/// The path of an extension's crate: the module `service` of the root crate hides one of this name.
fn path(library: &str) -> String {
    match library {
        "service" => "::service".to_owned(),
        library => library.to_owned(),
    }
}
