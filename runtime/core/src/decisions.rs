//! Decisions about actions while a service runs.

use std::{future::Future, pin::Pin, sync::Arc};

use formwork_data::{Result, value::DateTime};

use crate::state::ServiceState;

/// Work of a part of the service.
pub type Working<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// Decides which registered actions are on, and their contexts, and tells the registry.
pub trait Decisions: Send + Sync {
    /// Reads the decisions again where they are too old for a request.
    fn keep_up<'a>(&'a self, app: &'a Arc<ServiceState>, now: DateTime) -> Working<'a>;

    /// Reads the decisions now.
    fn refresh<'a>(&'a self, app: &'a ServiceState) -> Working<'a>;
}
