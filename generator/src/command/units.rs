//! Units of a project: its locks, and what a run is for.

use std::collections::BTreeSet;

/// The unit of the project itself.
pub const PROJECT: &str = "project";
/// The unit of ejected templates; no extension's folder has a hyphen.
pub const OWN_TEMPLATES: &str = "own-templates";

/// The resource's own unit, and the aggregates that list it.
pub fn of(folder: &str, key: Option<&str>) -> BTreeSet<String> {
    let own = key.map(|key| format!("{folder}.{key}"));
    own.into_iter()
        .chain([PROJECT.to_owned(), folder.to_owned()])
        .collect()
}
