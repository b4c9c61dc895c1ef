//! Extensions, and the arguments of their hooks.

pub use formwork_core::{
    command::{Command, Running},
    decisions::{Decisions, Working},
    extension::{Extension, Permission, Seeding, registry},
    registry::{Entry, Registry, Resource},
    shared::{Asking, Shared, SharedCounts, Window},
    state::ServiceState,
    type_map::TypeMap,
};
