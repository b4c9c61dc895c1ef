//! Columns: the types of a model's fields, and the visitor that walks over them.

mod definition;
mod fields;
mod key;
mod text_enum;
mod visitors;

pub use definition::{Column, ColumnInfo, Kind};
pub use key::{Key, is_no_segment, no_segment};
pub use visitors::{Columns, Describe, KeyOf, Owned, Pick, Read, Stamp, Values};
