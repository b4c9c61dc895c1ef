//! The YAML as written: texts and trees with their places. `resolve` checks it.

pub mod edit;
pub mod schema;
pub mod shorthand;
mod sources;
pub mod vocabulary;
pub mod yaml;

pub use schema::schema_json;
pub use sources::{
    CONFIG_FILE, ManifestFile, ManifestKind, Sources, is_project, manifest_path, nearest_project,
};
pub use yaml::{Node, Span, Value};
