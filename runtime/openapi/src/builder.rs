//! The document while it is built, and its parts.

use std::sync::Arc;

use formwork_core::{config::ApiConfig, state::ServiceState};

use super::{
    document::{Components, Named, PathItem},
    effective::Effective,
    reach::Reach,
};

/// The document while it is built.
pub(super) struct Builder<'a> {
    pub reach: Reach<'a>,
    pub api: &'a ApiConfig,
    pub components: Components,
    pub paths: Named<PathItem>,
    /// Operation ids of routes so far.
    ids: Vec<String>,
}

impl<'a> Builder<'a> {
    pub fn new(app: &'a Arc<ServiceState>, effective: &'a Effective) -> Self {
        let registry = app.registry();
        Self {
            reach: Reach {
                registry,
                effective,
            },
            api: &app.config().api,
            components: Components::default(),
            paths: Named::default(),
            ids: Vec::new(),
        }
    }

    /// A path below the API's prefix.
    pub fn prefixed(&self, path: &str) -> String {
        format!("{}{path}", self.api.prefix)
    }

    /// Adds a path below the API's prefix.
    pub fn path(&mut self, path: &str, item: PathItem) {
        self.paths.insert(self.prefixed(path), item);
    }

    /// An operation id that no route has so far: `/a/{b}` and `/a/b` would share theirs.
    pub fn fresh(&mut self, id: String) -> String {
        let known = self.ids.iter().filter(|known| **known == id).count();
        self.ids.push(id.clone());
        match known {
            0 => id,
            before => format!("{id}.{}", before + 1),
        }
    }
}
