//! The default actions, for controllers that do not override them.
//!
//! Each is the provided method of [`RestController`](crate::controller::RestController) of the same
//! name; an override calls it for the behaviour it adds to. A route of a project's own calls it for any
//! resource: the check of the route counts, ownership and locations hold, and the query string of the
//! caller is that of the action.

mod acting;
mod after;
mod change;
mod hooks;
mod incoming;
mod links;
mod list;
mod named;
mod record;
mod render;
mod slice;
mod unfolded;

pub use change::{delete_row, destroy, store, update, write_relations};
pub use hooks::{ChangeKind, Hooks, RecordKey};
pub use list::index;
pub use record::{create, edit, show};
