//! The document while it is built: the parts that every service describes, and what is added.

use std::{mem, sync::Arc};

use formwork_core::{config::ApiConfig, state::ServiceState};
use formwork_data::error::Result;

use super::{
    document::{Document, OrRef, PathItem},
    operation::{add_errors, error_content, headers},
    reach::{Effective, Reach},
    schema::Named,
};

/// The document while it is built.
pub(super) struct Builder<'a> {
    pub reach: Reach<'a>,
    pub api: &'a ApiConfig,
    pub document: Document,
    /// Operation ids of routes so far.
    ids: Vec<String>,
}

impl<'a> Builder<'a> {
    pub fn new(app: &'a Arc<ServiceState>, effective: &'a Effective) -> Result<Self> {
        let registry = app.registry();
        Ok(Self {
            reach: Reach {
                registry,
                effective,
            },
            api: &app.config().api,
            document: Document::common()?,
            ids: Vec::new(),
        })
    }

    /// Adds what depends on the configuration: title, addresses, headers, bodies of errors.
    pub fn configure(&mut self) {
        let (api, document) = (self.api, &mut self.document);
        document.info.title.clone_from(&api.title);
        document.info.version.clone_from(&api.version);
        if let Some(base) = &api.base_url {
            document.servers[0].url.clone_from(base);
        }
        for (name, response) in &mut document.components.responses {
            let own = mem::replace(&mut response.headers, headers(api));
            response.headers.extend(own);
            if name != "NotModified" {
                response.content = error_content(api);
            }
        }
        for scheme in document.components.security_schemes.values_mut() {
            scheme.description = scheme.description.replace("{prefix}", &api.prefix);
        }
    }

    /// Adds the routes of tokens and of health, which are outside of the prefix.
    pub fn common_paths(&mut self, paths: Named<PathItem>) {
        for (path, mut item) in paths {
            if path.starts_with("/health/") {
                self.document.paths.insert(path, item);
                continue;
            }
            for operation in item.operations.values_mut() {
                for response in operation.responses.values_mut() {
                    if let OrRef::Here(response) = response {
                        response.headers = headers(self.api);
                    }
                }
                if self.api.rate_limit > 0 {
                    add_errors(&mut operation.responses, &[429]);
                }
            }
            self.path(&path, item);
        }
    }

    /// Returns a path below the API's prefix.
    pub fn prefixed(&self, path: &str) -> String {
        format!("{}{path}", self.api.prefix)
    }

    /// Adds a path below the API's prefix.
    pub fn path(&mut self, path: &str, item: PathItem) {
        self.document.paths.insert(self.prefixed(path), item);
    }

    /// Returns an operation id that no route has so far: `/a/{b}` and `/a/b` would share theirs.
    pub fn unique_id(&mut self, id: String) -> String {
        let known = self.ids.iter().filter(|known| **known == id).count();
        self.ids.push(id.clone());
        match known {
            0 => id,
            before => format!("{id}.{}", before + 1),
        }
    }
}
