//! Data for the templates of an extension.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{code, text};
use crate::column::rust_words;
use crate::project::{ActionEntry, Context, Database, Extension, Resource};
use crate::schema::{Emitted, database_name};

/// An extension: its crate, and its aggregates.
#[derive(Debug, Clone, Serialize)]
pub struct ExtensionView<'e> {
    /// Its names.
    #[serde(flatten)]
    extension: &'e Extension,
    resources: Vec<MemberView>,
    models: Vec<MemberView>,
    /// The vector `api_resources::register` returns.
    resource_records: String,
    /// The vector `models::register` returns.
    model_records: String,
    /// Entries of `MIGRATIONS`.
    migrations: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct MemberView {
    key: String,
    module: String,
    model: String,
}

impl<'e> ExtensionView<'e> {
    /// The view of an extension, with every migration it ever emitted, in order.
    pub fn new(extension: &'e Extension, migrations: &[Emitted]) -> Self {
        let own = migrations
            .iter()
            .filter(|emitted| emitted.folder == extension.folder);
        Self {
            extension,
            resources: extension.resources.iter().map(MemberView::new).collect(),
            models: extension.models.iter().map(MemberView::new).collect(),
            resource_records: code::vector(extension.resources.iter().map(record)),
            model_records: code::vector(extension.models.iter().map(supporting)),
            migrations: own.map(migration).collect(),
        }
    }
}

impl MemberView {
    fn new(resource: &Resource) -> Self {
        Self {
            key: resource.key.clone(),
            module: resource.names.module.clone(),
            model: resource.names.model.clone(),
        }
    }
}

fn migration(emitted: &Emitted) -> String {
    // On the disk they come in the order of their folders.
    let databases: BTreeSet<Database> = emitted.databases.iter().copied().collect();
    let files = databases.iter().map(|database| {
        let path = format!("../{}", emitted.path_in_extension(*database));
        let text = format!("include_str!({})", rust_words(&path));
        code::call("", [code::text(database_name(*database)), text])
    });
    let fields = [
        ("version", emitted.version.to_string()),
        ("name", code::text(&emitted.name)),
        ("sql", code::list(files)),
    ];
    code::record("Migration", fields)
}

/// The registration record of a resource (specification, section 2.5).
fn record(resource: &Resource) -> String {
    let names = &resource.names;
    let described = text::sentence(&resource.description);
    let described = if described.is_empty() {
        resource.title.clone()
    } else {
        described
    };
    let entries = resource.api.iter().flat_map(|api| &api.actions);
    let actions: Vec<String> = entries.map(|it| code::text(&entry(it))).collect();
    let fields = [
        ("key", code::text(&resource.key)),
        ("name", code::text(&resource.title)),
        ("description", rust_words(&described)),
        (
            "controller",
            format!("Box::new({}::{})", names.module, names.controller),
        ),
        // The macro takes no comma after the last one, and rustfmt adds none.
        ("actions", format!("actions![{}]", actions.join(", "))),
    ];
    code::record("ApiResource", fields)
}

/// `index`, `destroy:admin`.
fn entry(of: &ActionEntry) -> String {
    match of.context {
        Context::All => of.action.name().to_owned(),
        context => format!("{}:{}", of.action.name(), context.name()),
    }
}

fn supporting(resource: &Resource) -> String {
    let name = format!("SupportingModel::of::<{}>", resource.names.model);
    code::call(&name, [code::text(&resource.key)])
}
