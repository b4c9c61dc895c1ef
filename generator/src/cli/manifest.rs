//! The commands of `formwork manifest`.

use clap::Subcommand;

/// `formwork manifest`.
#[derive(Debug, Subcommand)]
pub enum ManifestCommand {
    /// Shows all mistakes with their places
    Check,
    /// Prints the JSON Schema of a resource manifest
    Schema,
}
