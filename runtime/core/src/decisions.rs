//! Decisions about actions while a service runs.

use std::sync::Arc;

use formwork_data::{Result, value::DateTime};
use futures_util::future::BoxFuture;

use crate::state::ServiceState;

/// Decides which registered actions are on, and their contexts, and tells the registry.
pub trait Decisions: Send + Sync {
    /// Reads the decisions again where they are too old for a request.
    fn keep_up<'a>(
        &'a self,
        app: &'a Arc<ServiceState>,
        now: DateTime,
    ) -> BoxFuture<'a, Result<()>>;

    /// Reads the decisions now.
    fn refresh<'a>(&'a self, app: &'a ServiceState) -> BoxFuture<'a, Result<()>>;
}

/// The decisions that a service uses: a part of its state.
pub(crate) struct DecisionsInUse(pub Arc<dyn Decisions>);

impl ServiceState {
    /// Reads decisions about actions again where they are too old for a request.
    ///
    /// # Errors
    ///
    /// 503 where the decisions were never read.
    pub(crate) async fn keep_up(self: &Arc<Self>, now: DateTime) -> Result<()> {
        match self.part::<DecisionsInUse>() {
            Some(decisions) => decisions.0.keep_up(self, now).await,
            None => Ok(()),
        }
    }

    /// Reads the decisions about actions now.
    pub async fn look_up(&self) {
        if let Some(decisions) = self.part::<DecisionsInUse>()
            && let Err(error) = decisions.0.refresh(self).await
        {
            tracing::warn!(%error, "the settings of resources were not read");
        }
    }
}
