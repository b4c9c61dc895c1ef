//! Extensions, and the arguments of their hooks.

pub use formwork_core::{
    command::Command,
    decisions::Decisions,
    extension::{BoxFuture, Extension, Permission, registry},
    registry::{Entry, Registry, Resource},
    shared::{Shared, SharedCounts, Window},
    state::ServiceState,
    type_map::TypeMap,
};
