//! Definitions that Formwork's generator and runtime share.
//!
//! * [`config`]: the keys of `formwork.yaml`, the kind of value each holds, and its default;
//! * [`action`]: the default actions, and the contexts that say who may call them;
//! * [`rule`]: the rules of an attribute and their arguments;
//! * [`constraint_name`]: the names of indexes and constraints;
//! * [`table`]: the tables that the runtime makes for itself;
//! * [`inflect`]: singular and plural, and names as people write them;
//! * [`did_you_mean`]: the known word nearest to an unknown one.

#![forbid(unsafe_code)]

pub mod action;
pub mod config;
pub mod constraint_name;
pub mod did_you_mean;
pub mod inflect;
pub mod rule;
pub mod table;
