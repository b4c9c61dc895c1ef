//! The validated project as data, for templates that a project has written or changed itself: words and values
//! as the manifest has them, with what it left out filled in.

mod api;
mod attribute;
mod relation;

use serde::Serialize;

use api::ApiData;
use attribute::{AttributeData, ColumnData};
use relation::RelationData;

use crate::project::{Extension, Model, Project, Resource};
use crate::schema::database_name;

/// What `formwork.yaml` says of the project.
#[derive(Debug, Serialize)]
pub struct ProjectData<'p> {
    package: &'p str,
    library: &'p str,
    databases: Vec<&'static str>,
    api_prefix: &'p str,
    /// Null where the project has no customer accounts.
    customers_table: Option<&'p str>,
}

/// An extension with everything it registers.
#[derive(Debug, Serialize)]
pub struct ExtensionData<'p> {
    id: &'p str,
    folder: &'p str,
    package: &'p str,
    library: &'p str,
    type_name: &'p str,
    resources: Vec<ResourceData<'p>>,
    models: Vec<ResourceData<'p>>,
}

/// A resource or supporting model.
#[derive(Debug, Serialize)]
pub struct ResourceData<'p> {
    key: &'p str,
    was: Option<&'p str>,
    /// Folder of its extension.
    extension: &'p str,
    title: &'p str,
    description: &'p str,
    module: &'p str,
    model_name: &'p str,
    table: &'p str,
    primary_key: ColumnData<'p>,
    /// Columns that identify a row together with the key.
    key_with: &'p [String],
    timestamps: bool,
    managed: bool,
    attributes: Vec<AttributeData<'p>>,
    relations: Vec<RelationData<'p>>,
    indexes: &'p [Vec<String>],
    /// Null for a supporting model.
    api: Option<ApiData<'p>>,
}

impl<'p> ProjectData<'p> {
    /// The data of a project.
    pub fn new(project: &'p Project) -> Self {
        let Project {
            package,
            library,
            databases,
            api_prefix,
            customers_table,
            outputs: _,
            extensions: _,
        } = project;
        let databases = databases.iter();
        Self {
            package,
            library,
            databases: databases.map(|one| database_name(*one)).collect(),
            api_prefix,
            customers_table: customers_table.as_deref(),
        }
    }
}

impl<'p> ExtensionData<'p> {
    /// The data of an extension.
    pub fn new(extension: &'p Extension) -> Self {
        let all = |list: &'p [Resource]| {
            let all = list.iter();
            all.map(|one| ResourceData::new(extension, one)).collect()
        };
        Self {
            id: &extension.id,
            folder: &extension.folder,
            package: &extension.package,
            library: &extension.library,
            type_name: &extension.type_name,
            resources: all(&extension.resources),
            models: all(&extension.models),
        }
    }
}

impl<'p> ResourceData<'p> {
    /// The data of a resource or supporting model.
    pub fn new(extension: &'p Extension, resource: &'p Resource) -> Self {
        let Model {
            table,
            key,
            timestamps,
            managed,
            attributes,
            relations,
            indexes,
            table_was: _,
        } = &resource.model;
        Self {
            key: &resource.key,
            was: resource.was.as_deref(),
            extension: &extension.folder,
            title: &resource.title,
            description: &resource.description,
            module: &resource.names.module,
            model_name: &resource.names.model,
            table,
            primary_key: ColumnData::of_key(key),
            key_with: &key.with,
            timestamps: *timestamps,
            managed: *managed,
            attributes: attributes
                .iter()
                .map(|attribute| AttributeData::new(resource, attribute))
                .collect(),
            relations: relations.iter().map(RelationData::new).collect(),
            indexes,
            api: resource.api.as_ref().map(ApiData::new),
        }
    }
}
