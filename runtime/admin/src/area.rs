//! The state of the admin area.

use std::sync::Arc;

use formwork_core::state::ServiceState;
use formwork_data::error::{Error, Result};

use super::{pages::Pages, settings::Settings};

/// The area of a service.
#[derive(Debug)]
pub(super) struct Area {
    /// Its templates.
    pub pages: Pages,
    /// The known decisions.
    pub settings: Arc<Settings>,
}

impl Area {
    /// An area without decisions yet.
    pub fn new() -> Result<Self> {
        Ok(Self {
            pages: Pages::new()?,
            settings: Arc::default(),
        })
    }
}

/// The area of this service.
pub(super) fn area(app: &ServiceState) -> Result<&Area> {
    app.part()
        .ok_or_else(|| Error::internal("this service has no admin area"))
}
