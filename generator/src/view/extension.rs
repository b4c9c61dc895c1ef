//! What the templates of an extension see.

use serde::Serialize;

use super::code::Code;
use super::{docs, text};
use crate::column::rust_words;
use crate::project::{Extension, Resource};
use crate::schema::{Emitted, database_name};

/// An extension: its crate, and its aggregates.
#[derive(Debug, Clone, Serialize)]
pub struct ExtensionView {
    id: String,
    folder: String,
    package: String,
    library: String,
    type_name: String,
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

impl ExtensionView {
    /// The view of an extension, with every migration it ever emitted, in order.
    pub fn new(extension: &Extension, migrations: &[Emitted]) -> Self {
        let own = migrations
            .iter()
            .filter(|emitted| emitted.folder == extension.folder);
        Self {
            id: extension.id.clone(),
            folder: extension.folder.clone(),
            package: extension.package.clone(),
            library: extension.library.clone(),
            type_name: extension.type_name.clone(),
            resources: extension.resources.iter().map(MemberView::new).collect(),
            models: extension.models.iter().map(MemberView::new).collect(),
            resource_records: vector(extension.resources.iter().map(record).collect()),
            model_records: vector(extension.models.iter().map(supporting).collect()),
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
    let files = emitted.databases.iter().map(|database| {
        let path = format!("../{}", emitted.path_in_extension(*database));
        let text = Code::word(format!("include_str!({})", rust_words(&path)));
        Code::Call(
            String::new(),
            vec![Code::text(database_name(*database)), text],
        )
    });
    let fields = [
        ("version", Code::word(emitted.version.to_string())),
        ("name", Code::text(&emitted.name)),
        ("sql", Code::List(files.collect())),
    ];
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Code::Record("Migration".to_owned(), fields.collect()).lay_out(4, 4, 1)
}

fn vector(items: Vec<Code>) -> String {
    if items.is_empty() {
        return "Vec::new()".to_owned();
    }
    Code::Macro("vec".to_owned(), items, true).lay_out(4, 4, 0)
}

/// The registration record of a resource (specification, section 2.5).
fn record(resource: &Resource) -> Code {
    let names = &resource.names;
    let described = text::sentence(&resource.description);
    let described = if described.is_empty() {
        resource.title.clone()
    } else {
        described
    };
    let entries = resource.api.as_ref().map(docs::entries).unwrap_or_default();
    let actions = entries.iter().map(|entry| Code::text(entry)).collect();
    let controller = Code::word(format!("{}::{}", names.module, names.controller));
    let fields = [
        ("key", Code::text(&resource.key)),
        ("name", Code::text(&resource.title)),
        ("description", Code::word(rust_words(&described))),
        ("controller", Code::call("Box::new", [controller])),
        ("actions", Code::Macro("actions".to_owned(), actions, false)),
    ];
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Code::Record("ApiResource".to_owned(), fields.collect())
}

fn supporting(resource: &Resource) -> Code {
    let name = format!("SupportingModel::of::<{}>", resource.names.model);
    Code::call(&name, [Code::text(&resource.key)])
}
