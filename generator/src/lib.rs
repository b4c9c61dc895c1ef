//! Formwork generator.

pub mod apply;
pub mod cargo;
pub mod cargo_toml;
pub mod cli;
pub mod column;
pub mod command;
pub mod diagnostic;
pub mod digest;
pub mod error;
pub mod exit;
pub mod format;
pub mod former;
#[cfg(feature = "import")]
pub mod import;
pub mod manifest;
pub mod merge;
pub mod moment;
pub mod name;
pub mod output;
pub mod plan;
pub mod project;
pub mod render;
pub mod rendered;
pub mod report;
pub mod resolve;
pub mod run;
pub mod schema;
pub mod state;
pub mod suggestion;
pub mod view;

#[cfg(test)]
mod tests;
