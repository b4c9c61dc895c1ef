//! The table of a model.

use std::marker::PhantomData;

/// The table of a model, whose rows are changed: [`Model`](super::Model) does not know how.
pub(super) struct Table<M>(PhantomData<fn() -> M>);

impl<M> Table<M> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}
