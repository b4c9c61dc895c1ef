//! The validated model of a project: legal by construction, ordered, and free of YAML, templates
//! and disk. If a [`Project`] exists, every template renders.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

mod api;
mod attribute;
mod relation;
mod rule;

pub use api::*;
pub use attribute::*;
pub use relation::*;
pub use rule::*;

/// A database kind a project emits migrations for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Database {
    /// Embedded SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL or MariaDB.
    Mysql,
}

/// Everything the manifests of a project describe.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Project {
    /// Package name of the project's root crate, `bistro`.
    pub package: String,
    /// Its library name, `bistro`.
    pub library: String,
    /// Databases migrations are emitted for.
    pub databases: BTreeSet<Database>,
    /// Path prefix of the API, `/api`.
    pub api_prefix: String,
    /// The table of customer accounts (`auth.customers`), where the project has one.
    pub customers_table: Option<String>,
    /// Outputs that the project adds (`generate.outputs`).
    #[serde(skip)]
    pub outputs: Vec<OwnOutput>,
    /// Extensions, sorted by folder.
    #[serde(skip)]
    pub extensions: Vec<Extension>,
}

/// The part of a project that a template is rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The project.
    Project,
    /// Each extension.
    Extension,
    /// Each resource with routes.
    Resource,
    /// Each supporting model.
    Model,
}

impl Scope {
    /// The words of `for:` in `formwork.yaml`, in the order of [`Scope::ALL`].
    pub const WORDS: &'static [&'static str] = &["project", "extension", "resource", "model"];
    /// Every scope.
    pub const ALL: [Self; 4] = [Self::Project, Self::Extension, Self::Resource, Self::Model];
}

/// A file that a template of the project's own is poured to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnOutput {
    /// The template, below the project's `templates/`.
    pub template: String,
    /// The file, below the project; with `{extension}`, `{resource}` and `{module}` in it.
    pub pattern: String,
    /// Scope of the template.
    pub scope: Scope,
}

/// One extension: a crate that registers resources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extension {
    /// Name as users write it, `igniter.cart` or `shop`.
    pub id: String,
    /// Folder below `extensions/`, `igniter_cart`.
    pub folder: String,
    /// Package name, `igniter-cart`.
    pub package: String,
    /// Library name, `igniter_cart`.
    pub library: String,
    /// Name of the type that implements `Extension`, `Cart`.
    pub type_name: String,
    /// Resources with routes, sorted by key.
    #[serde(skip)]
    pub resources: Vec<Resource>,
    /// Supporting models (no routes), sorted by key.
    #[serde(skip)]
    pub models: Vec<Resource>,
}

/// A resource, or a supporting model when it has no [`Api`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Resource {
    /// Registered key and path segment, `menus`.
    pub key: String,
    /// `was:` the key it had before, `dishes`.
    pub was: Option<String>,
    /// Display name, `Menus`.
    pub title: String,
    /// One or more sentences for doc comments and registration.
    pub description: String,
    /// Rust names, made legal once.
    #[serde(skip)]
    pub names: Names,
    /// The table and its row.
    #[serde(flatten)]
    pub model: Model,
    /// Its API; `None` for a supporting model.
    pub api: Option<Api>,
    /// Path of the manifest below the project, with `/`.
    #[serde(skip)]
    pub manifest_path: String,
    /// The manifest's text.
    #[serde(skip)]
    pub manifest_text: String,
}

/// Rust names of a resource; legal identifiers, no keyword, no collision with the prelude.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Names {
    /// Module and folder, `menus`.
    pub module: String,
    /// Controller type, `Menus` (`SeriesController` where singular and plural are equal).
    pub controller: String,
    /// Model type, `Menu`.
    #[serde(rename = "model_name")]
    pub model: String,
    /// Repository type, `MenuRepository`.
    pub repository: String,
    /// Request type, `MenuRequest`.
    pub request: String,
    /// Transformer type, `MenuTransformer`.
    pub transformer: String,
    /// The trait of its relations, `MenuRelations`.
    pub relations: String,
    /// A local variable that holds one record, `menu`.
    pub variable: String,
    /// One record in words, `menu` (`menu item option`).
    pub singular_words: String,
    /// Several records in words, `menus`.
    pub plural_words: String,
}

/// The table and its row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Model {
    /// Table name.
    pub table: String,
    /// The former name of the table: its own `was:`, or the former key if the table is named after
    /// it.
    #[serde(skip)]
    pub table_was: Option<String>,
    /// Primary key.
    #[serde(rename = "primary_key")]
    pub key: Key,
    /// Whether `created_at` and `updated_at` (nullable datetimes) are kept.
    pub timestamps: bool,
    /// False: another program's table, without migrations.
    pub managed: bool,
    /// Columns in the order of the manifest (without key and timestamps), `belongs_to` columns included.
    pub attributes: Vec<Attribute>,
    /// Relations in the order of the manifest.
    pub relations: Vec<Relation>,
    /// Further indexes: lists of columns.
    pub indexes: Vec<Vec<String>>,
}

/// Primary key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Column and field name, `menu_id`.
    pub name: String,
    /// `was:` the name the column had before.
    #[serde(skip)]
    pub was: Option<String>,
    /// `BigInt` (generated by the database), `Uuid` (generated by the runtime) or `String(n)` (sent by the client).
    pub kind: ColumnType,
    /// The columns that identify a row together with it, in tables of another program without routes.
    #[serde(skip)]
    pub with: Vec<String>,
}

impl Project {
    /// The resource or supporting model registered under `key`, with its extension. (Every relation
    /// asks for its target: a search through all of them would make a run grow with their square.)
    pub fn find(&self, key: &str) -> Option<(&Extension, &Resource)> {
        let among =
            |sorted: &'_ [Resource]| sorted.binary_search_by(|one| one.key.as_str().cmp(key));
        self.extensions.iter().find_map(|extension| {
            let (resources, models) = (&extension.resources, &extension.models);
            let resource = among(resources).ok().map(|at| &resources[at]);
            let found = resource.or_else(|| among(models).ok().map(|at| &models[at]));
            found.map(|found| (extension, found))
        })
    }

    /// Every resource and supporting model with its extension, by folder, then resources before models, by key.
    pub fn registered(&self) -> impl Iterator<Item = (&Extension, &Resource)> {
        self.extensions.iter().flat_map(|extension| {
            extension
                .resources
                .iter()
                .chain(&extension.models)
                .map(move |resource| (extension, resource))
        })
    }

    /// Units by present name with the one they had before: `was:` on resources and models.
    pub fn former_units(&self) -> BTreeMap<String, String> {
        let named = self.registered().filter_map(|(extension, resource)| {
            let (folder, was) = (&extension.folder, resource.was.as_ref()?);
            Some((
                format!("{folder}.{}", resource.key),
                format!("{folder}.{was}"),
            ))
        });
        named.filter(|(now, was)| now != was).collect()
    }

    /// Relations with a former name, `was:`: unit, former and new name.
    pub fn former_relations(&self) -> Vec<(String, String, String)> {
        let named = self.registered().flat_map(|(extension, resource)| {
            let unit = format!("{}.{}", extension.folder, resource.key);
            let relations = resource.model.relations.iter();
            relations.filter_map(move |relation| {
                Some((unit.clone(), relation.was.clone()?, relation.name.clone()))
            })
        });
        named.collect()
    }
}
