//! The command line, declared; [`crate::command`] runs the commands.

mod destroy;
mod examples;
mod generate;
#[cfg(feature = "import")]
mod import;
mod new;
pub mod read;

pub use self::destroy::{DestroyArgs, DestroyCommand, DestroyRunArgs, DestroyedArgs};
pub use self::generate::{
    GenerateArgs, GenerateCommand, ModelArgs, NewArgs, ResourceArgs, RunArgs,
};
#[cfg(feature = "import")]
pub use self::import::ImportArgs;
pub use self::new::{Example, NewProjectArgs};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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

/// `formwork demo`.
#[derive(Debug, Args)]
#[command(after_help = examples::DEMO)]
pub struct DemoArgs {
    /// Folder the restaurant is written to
    #[arg(long, value_name = "DIR", default_value = "demo")]
    pub path: PathBuf,
    /// The port to serve on; if it is taken, the next free one
    #[arg(long, default_value_t = 8000)]
    pub port: u16,
    /// An empty database on a server, in the place of a file for SQLite: postgres://… or mysql://…
    #[arg(long, value_name = "URL")]
    #[cfg_attr(not(feature = "import"), arg(hide = true))]
    pub database_url: Option<String>,
    /// Builds, migrates and seeds, but does not serve
    #[arg(long)]
    pub no_serve: bool,
}

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

/// `formwork templates`.
#[derive(Debug, Subcommand)]
pub enum TemplatesCommand {
    /// Lists the templates and what they pour
    #[command(after_help = examples::TEMPLATES_LIST)]
    List,
    /// Copies a template into the project, where it wins over the built-in one
    #[command(after_help = examples::TEMPLATES_EJECT)]
    Eject {
        /// Path of the template, as `list` prints it
        #[arg(id = "template", value_name = "PATH")]
        path: String,
    },
    /// Compares ejected templates with the built-in ones
    #[command(after_help = examples::TEMPLATES_DIFF)]
    Diff {
        /// Path of one template, as `list` prints it; all that are ejected when left out
        #[arg(id = "template", value_name = "PATH")]
        path: Option<String>,
    },
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
