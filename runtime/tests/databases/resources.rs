//! Resources of tests.

use std::marker::PhantomData;

use formwork::{
    prelude::*,
    resource::{Controller, action::ActionEntry},
};
use serde::Serialize;

/// Shows records as they are.
pub struct Plain<M>(PhantomData<fn() -> M>);

impl<M: Model> Transformer for Plain<M> {
    type Model = M;

    fn transform<'a>(record: &'a Loaded<M>, _ctx: &'a Context) -> impl Serialize + 'a {
        record.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<M>();
    }
}

/// A resource that is called by its key.
pub fn resource(
    key: &'static str,
    controller: impl Controller + 'static,
    actions: &'static [ActionEntry],
) -> ApiResource {
    ApiResource {
        key,
        name: key,
        description: "",
        controller: Box::new(controller),
        actions,
    }
}
