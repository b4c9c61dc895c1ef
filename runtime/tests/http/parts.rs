//! Resources whose model is all that a test looks at: the model is its own repository, request and
//! transformer.

/// Implements the parts of a resource for its model. Members of the repository follow the attributes.
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
macro_rules! parts_of {
    ($model:ident) => {
        type Model = $model;
        type Repository = $model;
        type Request = $model;
        type Transformer = $model;
    };
}

/// Builds the record of a resource: key, name, description, controller and actions.
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
