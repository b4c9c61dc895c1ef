//! Columns: the types of a model's fields, and the visitor that walks over them.

mod definition;
mod fields;
mod key;
mod text;
mod text_enum;
mod visitors;
mod walk;

pub use definition::{Column, ColumnInfo, Kind};
pub use key::{Key, is_no_segment, no_segment};
pub use visitors::{Describe, KeyOf, Owned, Pick, Read, Stamp, Values};
pub use walk::Columns;
