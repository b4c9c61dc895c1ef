//! Resources of tests, of whose model a test looks at little else than its columns.

use std::marker::PhantomData;

use formwork::{
    prelude::*,
    resource::{Controller, action::ActionEntry},
};
use serde::Serialize;

/// Shows records as they are.
#[allow(dead_code, reason = "not each crate of tests needs it")]
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

/// Returns a resource that is called by its key.
#[allow(dead_code, reason = "not each crate of tests needs it")]
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

/// Implements the parts of a resource for its model, which is all of them. Members of the repository follow the attributes.
#[allow(unused_macros, reason = "not each crate of tests needs it")]
macro_rules! parts {
    ($model:ident [$($attribute:expr),* $(,)?] $($repository:tt)*) => {
        impl Repository for $model {
            type Model = Self;
            $($repository)*
        }

        impl ResourceRequest for $model {
            type Model = Self;

            const ATTRIBUTES: &'static [Attribute] = &[$($attribute),*];
        }

        impl Transformer for $model {
            type Model = Self;

            fn transform<'a>(record: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
                record.record()
            }

            fn shape(to: &mut Shape) {
                to.flatten::<Self>();
            }
        }
    };
}

/// Names the parts in a controller.
#[allow(unused_macros, reason = "not each crate of tests needs it")]
macro_rules! parts_of {
    ($model:ident) => {
        type Model = $model;
        type Repository = $model;
        type Request = $model;
        type Transformer = $model;
    };
}

/// Builds the record of a resource: key, name, description, controller and actions.
#[allow(unused_macros, reason = "not each crate of tests needs it")]
macro_rules! resource {
    ($key:literal $name:literal $description:literal ($controller:expr) [$($action:literal)*]) => {
        ApiResource {
            key: $key,
            name: $name,
            description: $description,
            controller: Box::new($controller),
            actions: actions![$($action),*],
        }
    };
}
