//! Writing records as clients see them, in both renderings.
//!
//! Rendering streams: a transformer's value is written into the answer member by member, without a
//! map or a value per record.

mod adapter;
mod data;
mod document;
mod errors;
mod graph;
mod object;
mod rows;
mod shapes;

pub use data::write_list;
pub(crate) use data::write_record;
pub(crate) use document::Document;
pub(crate) use errors::write_errors;
pub(crate) use rows::RowsOf;
