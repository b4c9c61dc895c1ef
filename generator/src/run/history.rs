//! Records of earlier runs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::manifest::{ManifestKind, Sources, manifest_path};
use crate::project::Project;
use crate::resolve;
use crate::schema::Previous;
use crate::state::State;

/// Records of earlier runs.
#[derive(Debug)]
pub struct History {
    /// Files as they were rendered.
    pub state: State,
    /// Tables and migrations.
    pub previous: Previous,
}

impl History {
    /// Reads the records of the project at `root`.
    ///
    /// # Errors
    /// A refusal where the state is damaged, or what reading it failed with.
    pub fn read(root: &Path) -> Result<History> {
        let state = State::load(root)?;
        let previous = Previous::read(&state)?;
        Ok(History { state, previous })
    }

    /// Leaves out an extension that is destroyed with its crate.
    pub fn forget_extension(&mut self, folder: &str) {
        self.previous.forget_extension(folder);
        self.state.release_extension(folder);
    }

    /// Reads the values of enums in the manifests that changed since the last run, by unit and column.
    ///
    /// # Errors
    /// An error while reading the state.
    pub fn read_enum_values(&mut self, project: &Project) -> Result<()> {
        let former = project.former_units();
        let mut all = BTreeMap::new();
        for (extension, resource) in project.registered() {
            let unit = format!("{}.{}", extension.folder, resource.key);
            let is_renamed = self.state.manifest(&unit).is_none();
            let recorded = former.get(&unit).filter(|_| is_renamed).unwrap_or(&unit);
            let text = self.state.file(&format!("manifests/{recorded}.yaml"))?;
            let Some(text) = text.filter(|text| *text != resource.manifest_text) else {
                continue;
            };
            let path = manifest_path(&extension.folder, ManifestKind::Resource, &resource.key);
            let listed = resolve::list(&Sources::from_texts([(path, text)]));
            all.extend(listed.into_iter().map(|one| (unit.clone(), one.enums)));
        }
        self.previous.enum_values = all;
        Ok(())
    }
}
