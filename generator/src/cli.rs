//! The command line, declared; [`crate::command`] runs the commands.

mod demo;
mod destroy;
mod examples;
mod generate;
#[cfg(feature = "import")]
mod import;
mod man;
mod manifest;
mod new;
pub mod read;
mod templates;

pub use self::demo::DemoArgs;
pub use self::destroy::{DestroyArgs, DestroyCommand, DestroyRunArgs, DestroyedArgs};
pub use self::generate::{
    GenerateArgs, GenerateCommand, ModelArgs, NewArgs, ResourceArgs, RunArgs,
};
#[cfg(feature = "import")]
pub use self::import::ImportArgs;
pub use self::man::ManArgs;
pub use self::manifest::ManifestCommand;
pub use self::new::{Example, NewProjectArgs};
pub use self::templates::TemplatesCommand;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Options that every command has.
const GLOBAL: &str = "Global options";

/// Pours a REST service from resource manifests, and keeps your edits when it pours again.
#[derive(Debug, Parser)]
#[command(
    name = "formwork",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = examples::FORMWORK
)]
pub struct Cli {
    /// The project; by default the nearest parent folder with a formwork.yaml
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Prints errors only
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,
    /// Format of the report
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// The same command line, as one that writes.
    #[arg(skip)]
    pub again: String,
}

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs; its keys are stable.
    Json,
}

/// The commands of `formwork`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Builds, seeds and serves the example service, the restaurant
    Demo(DemoArgs),
    /// Makes a new project that builds, runs and passes its tests
    New(NewProjectArgs),
    /// Renders everything the manifests describe, or makes an extension or a resource
    Generate(GenerateArgs),
    /// Removes a resource, a model or an extension; files that you edited stay
    Destroy(DestroyArgs),
    /// Shows what generate would do, and which files are edited
    #[command(after_help = examples::STATUS)]
    Status,
    /// Writes manifests for the tables of a live database
    #[cfg(feature = "import")]
    Import(ImportArgs),
    /// Checks the manifests, or prints their JSON Schema
    #[command(after_help = examples::MANIFEST)]
    Manifest {
        /// The command for the manifests.
        #[command(subcommand)]
        command: ManifestCommand,
    },
    /// Lists, ejects or compares the templates
    #[command(after_help = examples::TEMPLATES)]
    Templates {
        /// The command for the templates.
        #[command(subcommand)]
        command: TemplatesCommand,
    },
    /// Prints the script by which a shell completes commands, names and paths
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell to complete in.
        shell: clap_complete::Shell,
    },
    /// Prints a manual page, or writes those of all commands
    Man(ManArgs),
}

impl Command {
    /// Its words, as answers for programs name it.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Demo(_) => "demo",
            Command::New(_) => "new",
            Command::Generate(_) => "generate",
            Command::Destroy(_) => "destroy",
            Command::Status => "status",
            #[cfg(feature = "import")]
            Command::Import(_) => "import",
            Command::Manifest { command } => match command {
                ManifestCommand::Check => "manifest check",
                ManifestCommand::Schema => "manifest schema",
            },
            Command::Templates { command } => match command {
                TemplatesCommand::List => "templates list",
                TemplatesCommand::Eject { .. } => "templates eject",
                TemplatesCommand::Diff { .. } => "templates diff",
            },
            Command::Completions { .. } => "completions",
            Command::Man(_) => "man",
        }
    }
}

/// Commands that answer with a report on files.
pub const REPORTING: &[&str] = &["destroy", "generate", "import", "status", "templates eject"];
