//! The state of the admin area.

use std::sync::Arc;

use formwork_core::state::ServiceState;
use formwork_data::error::{Error, Result};

use super::settings::Settings;

/// The area of a service.
#[derive(Debug, Default)]
pub(super) struct Area {
    /// The known decisions.
    pub settings: Arc<Settings>,
}

/// The area of this service.
pub(super) fn area(app: &ServiceState) -> Result<&Area> {
    app.part()
        .ok_or_else(|| Error::internal("this service has no admin area"))
}
