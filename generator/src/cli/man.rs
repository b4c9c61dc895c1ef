//! The arguments of `formwork man`.

use std::path::PathBuf;

use clap::Args;

use super::examples;

/// `formwork man`.
#[derive(Debug, Args)]
#[command(after_help = examples::MAN)]
pub struct ManArgs {
    /// The command the page is about: `generate resource`; formwork itself when left out
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub command: Vec<String>,
    /// Writes the page of every command into this folder
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}
