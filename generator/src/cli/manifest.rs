//! The commands of `formwork manifest`.

use clap::Subcommand;

use super::examples;

/// `formwork manifest`.
#[derive(Debug, Subcommand)]
pub enum ManifestCommand {
    /// Shows all mistakes with their places
    #[command(after_help = examples::MANIFEST_CHECK)]
    Check,
    /// Prints the JSON Schema of a resource manifest
    #[command(after_help = examples::MANIFEST_SCHEMA)]
    Schema,
}
