//! Claims about the caller of a request.

use std::{any::Any, fmt, sync::Arc};

/// Claims about a caller, of a type of the project's own.
#[derive(Clone, Default)]
pub struct Claims(Option<Arc<dyn Any + Send + Sync>>);

impl Claims {
    /// Claims of this type.
    pub(crate) fn new<T: Send + Sync + 'static>(claims: T) -> Self {
        Self(Some(Arc::new(claims)))
    }

    /// The claims, where they are of this type.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_deref()?.downcast_ref()
    }
}

impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Claims(…)"
        } else {
            "Claims"
        })
    }
}
