//! THE table: a type of the manifest, and what it is in Rust, in each database, in rules, in OpenAPI
//! and JSON Schema. Everything else asks here.

mod literal;
mod row;

pub(crate) use literal::json_tokens;
pub use literal::{is_zero, json, rust, rust_words, sql};
pub use row::{LONGEST_STRING, MOST_DIGITS, TypeRow, column, parse, rust_type};
