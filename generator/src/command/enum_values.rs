//! The values of enums at the last run.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::manifest::{ManifestKind, Sources, manifest_path};
use crate::project::Project;
use crate::resolve;
use crate::schema::EnumValues;
use crate::state::State;

/// Returns the values of enums in the manifests that changed since the last run, by unit and column.
///
/// # Errors
/// An error while reading the state.
pub fn at_last_run(project: &Project, state: &State) -> Result<EnumValues> {
    let former = project.former_units();
    let mut all = BTreeMap::new();
    for (extension, resource) in project.registered() {
        let unit = format!("{}.{}", extension.folder, resource.key);
        let is_renamed = state.manifest(&unit).is_none();
        let known = former.get(&unit).filter(|_| is_renamed).unwrap_or(&unit);
        let text = state.file(&format!("manifests/{known}.yaml"))?;
        let Some(text) = text.filter(|text| *text != resource.manifest_text) else {
            continue;
        };
        let path = manifest_path(&extension.folder, ManifestKind::Resource, &resource.key);
        let listed = resolve::list(&Sources::from_texts([(path, text)]));
        all.extend(listed.into_iter().map(|one| (unit.clone(), one.enums)));
    }
    Ok(all)
}
