//! Formwork generator.

pub mod diagnostic;
pub mod manifest;
pub mod name;
pub mod project;
pub mod resolve;
pub mod suggestion;
pub mod apply;
pub mod cargo_toml;
pub mod error;
pub mod exit;
pub mod format;
pub mod merge;
pub mod plan;
pub mod rendered;
pub mod report;
pub mod state;
