//! The arguments of `formwork destroy`.

use clap::{Args, Subcommand};

use super::examples;

/// `formwork destroy`.
#[derive(Debug, Args)]
#[command(after_help = examples::DESTROY)]
pub struct DestroyArgs {
    /// The part to destroy.
    #[command(subcommand)]
    pub command: DestroyCommand,
}

/// The parts that `formwork destroy` removes.
#[derive(Debug, Subcommand)]
pub enum DestroyCommand {
    /// Removes a resource, and drops its table
    #[command(after_help = examples::DESTROY_RESOURCE)]
    Resource(DestroyedArgs),
    /// Removes a supporting model, and drops its table
    #[command(after_help = examples::DESTROY_MODEL)]
    Model(DestroyedArgs),
    /// Removes all resources and models of an extension; its crate, once no table of it is left
    #[command(after_help = examples::DESTROY_EXTENSION)]
    Extension {
        /// The extension
        ext: String,
        /// How to run.
        #[command(flatten)]
        run: DestroyRunArgs,
    },
}

/// `formwork destroy resource` and `formwork destroy model`.
#[derive(Debug, Args)]
pub struct DestroyedArgs {
    /// The extension
    pub ext: String,
    /// Its resource or model
    pub name: String,
    /// How to run.
    #[command(flatten)]
    pub run: DestroyRunArgs,
}

/// How a run that destroys behaves.
#[derive(Debug, Clone, Copy, Args)]
pub struct DestroyRunArgs {
    /// Writes nothing, and lists the changes of a run
    #[arg(long)]
    pub dry_run: bool,
    /// Shows the differences as well
    #[arg(long)]
    pub diff: bool,
}
