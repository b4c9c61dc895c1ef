//! The only table of types: a type of the manifest, and its form in Rust, in each database, in
//! rules, in OpenAPI and JSON Schema.

mod literal;
mod row;

pub(crate) use literal::json_tokens;
pub use literal::{is_uuid, is_zero, json, rust, rust_words, sql, text};
pub use row::{LONGEST_BOUND, LONGEST_STRING, MOST_DIGITS, TypeRow, column, parse, rust_type};
