//! The command line (command-line.md), declared; what the commands do is in [`crate::command`].

mod examples;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

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
    /// Says nothing but mistakes
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,
    /// Form of the report
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs; its keys are stable.
    Json,
}

/// What `formwork` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Builds, seeds and serves the example service, the restaurant
    Demo(DemoArgs),
    /// Makes a new project that builds, runs and passes its tests
    New(NewProjectArgs),
    /// Renders everything the manifests describe, or makes an extension or a resource
    Generate(GenerateArgs),
    /// Removes a resource, a model or an extension: what is as generated goes, what you edited stays
    Destroy(DestroyArgs),
    /// Says what a run of generate would do, and which files are edited
    #[command(after_help = examples::STATUS)]
    Status,
    /// Writes manifests for the tables of a live database
    #[command(hide = true)]
    Import(ImportArgs),
    /// Checks the manifests, or prints their JSON Schema
    #[command(after_help = examples::MANIFEST)]
    Manifest {
        /// What to do with the manifests.
        #[command(subcommand)]
        command: ManifestCommand,
    },
    /// Lists, ejects or compares the templates
    #[command(after_help = examples::TEMPLATES)]
    Templates {
        /// What to do with the templates.
        #[command(subcommand)]
        command: TemplatesCommand,
    },
    /// Prints a completion script
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
    /// Where the restaurant is laid out
    #[arg(long, value_name = "DIR", default_value = "demo")]
    pub path: PathBuf,
    /// The port it is served on; where it is taken, the next one that is free
    #[arg(long, default_value_t = 8000)]
    pub port: u16,
    /// Builds, migrates and seeds, but does not serve
    #[arg(long)]
    pub no_serve: bool,
}

/// `formwork new`.
#[derive(Debug, Args)]
#[command(after_help = examples::NEW)]
pub struct NewProjectArgs {
    /// The folder to make
    pub dir: PathBuf,
    /// The package's name; by default the folder's
    #[arg(long)]
    pub name: Option<String>,
    /// Databases to compile drivers and emit migrations for
    #[arg(long, value_delimiter = ',', default_value = "sqlite", hide = true)]
    pub database: Vec<String>,
    /// Starts from an example
    #[arg(long, value_enum)]
    pub example: Option<Example>,
}

/// Examples `new` can start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Example {
    /// Eight resources in five extensions.
    Restaurant,
}

/// `formwork generate`.
#[derive(Debug, Args)]
#[command(subcommand_precedence_over_arg = true, after_help = examples::GENERATE)]
pub struct GenerateArgs {
    /// What to make; everything the manifests describe when left out.
    #[command(subcommand)]
    pub what: Option<GenerateCommand>,
    /// How to run.
    #[command(flatten)]
    pub run: RunArgs,
}

/// How a run behaves (regeneration.md "Commands").
#[derive(Debug, Clone, Default, Args)]
pub struct RunArgs {
    /// Writes nothing; exit status 5 when a run would change something
    #[arg(long, global = true)]
    pub check: bool,
    /// Writes nothing, and says what would be done
    #[arg(long, global = true, conflicts_with = "check")]
    pub dry_run: bool,
    /// Shows the differences as well
    #[arg(long, global = true)]
    pub diff: bool,
    /// Keeps your side of what both of you changed: every file, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub ours: Option<Vec<PathBuf>>,
    /// Takes the rendered side of what both of you changed: every file, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub theirs: Option<Vec<PathBuf>>,
    /// Keeps files that were there before, and regards them as edited: every one, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub adopt: Option<Vec<PathBuf>>,
    /// Renders files again that you deleted: every one, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub restore: Option<Vec<PathBuf>>,
    /// Replaces migrations that are neither committed nor run by one for what is wanted now
    #[arg(long, global = true)]
    pub amend: bool,
    /// Emits migrations that destroy data
    #[arg(long, global = true)]
    pub allow_destructive: bool,
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

/// What `formwork generate` can make.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Makes an extension: a crate that registers resources
    #[command(after_help = examples::EXTENSION)]
    Extension {
        /// `name` or `author.name`
        ext: String,
    },
    /// Makes a resource, or renders it again
    Resource(ResourceArgs),
    /// Makes a supporting model, which has no routes, or renders it again
    Model(ModelArgs),
}

/// What a new resource or model is made of.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The extension, `name` or `author.name`, made where it is missing; may be left out where there is only one
    #[arg(id = "ext", value_name = "EXT")]
    first: String,
    /// What is made: `menus`, `Menus` and `menu` name the same
    #[arg(id = "name", value_name = "NAME")]
    second: Option<String>,
    /// Attributes: `menu_name:string:required menu_price:decimal:15,4:required:min=0`
    #[arg(value_name = "ATTR:TYPE[:MODIFIER…]")]
    further: Vec<String>,
    /// The table; by default the key
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,
}

impl NewArgs {
    /// The extension, where it is named.
    pub fn extension(&self) -> Option<&str> {
        self.named().map(|_| self.first.as_str())
    }

    /// What is made.
    pub fn name(&self) -> &str {
        self.named().unwrap_or(&self.first)
    }

    /// Attributes and relations.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let second = self.second.as_deref().filter(|word| word.contains(':'));
        second
            .into_iter()
            .chain(self.further.iter().map(String::as_str))
    }

    /// The second word, unless that is an attribute: then the first is no extension.
    fn named(&self) -> Option<&str> {
        self.second.as_deref().filter(|word| !word.contains(':'))
    }
}

/// `formwork generate resource`.
#[derive(Debug, Args)]
#[command(
    after_help = examples::RESOURCE,
    override_usage = "formwork generate resource [OPTIONS] [EXT] <NAME> [ATTR:TYPE[:MODIFIER…]]..."
)]
pub struct ResourceArgs {
    /// What it is made of.
    #[command(flatten)]
    pub new: NewArgs,
    /// Actions with their contexts: `index,show,destroy:admin`
    #[arg(long, value_delimiter = ',', value_name = "ACTION[:CONTEXT]")]
    pub actions: Vec<String>,
    /// A repository type of your own, `crate::shop::DishRepository`
    #[arg(long, value_name = "PATH")]
    pub repository: Option<String>,
}

/// `formwork generate model`.
#[derive(Debug, Args)]
#[command(
    after_help = examples::MODEL,
    override_usage = "formwork generate model [OPTIONS] [EXT] <NAME> [ATTR:TYPE[:MODIFIER…]]..."
)]
pub struct ModelArgs {
    /// What it is made of.
    #[command(flatten)]
    pub new: NewArgs,
}

/// `formwork destroy`.
#[derive(Debug, Args)]
#[command(after_help = examples::DESTROY)]
pub struct DestroyArgs {
    /// What to destroy.
    #[command(subcommand)]
    pub what: DestroyCommand,
}

/// What `formwork destroy` can remove.
#[derive(Debug, Subcommand)]
pub enum DestroyCommand {
    /// Removes a resource, and drops its table
    Resource(DestroyedArgs),
    /// Removes a supporting model, and drops its table
    Model(DestroyedArgs),
    /// Removes all resources and models of an extension; its crate, once no table of it is left
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
    /// Writes nothing, and says what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// Shows the differences as well
    #[arg(long)]
    pub diff: bool,
}

/// `formwork import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The database to read
    #[arg(long, value_name = "URL")]
    pub database_url: String,
    /// The extension that gets the manifests
    #[arg(long)]
    pub ext: Option<String>,
    /// Only these tables
    #[arg(long, value_delimiter = ',')]
    pub tables: Vec<String>,
}

/// `formwork manifest`.
#[derive(Debug, Subcommand)]
pub enum ManifestCommand {
    /// Shows all mistakes with their places
    Check,
    /// Prints the JSON Schema of a resource manifest
    Schema,
}

/// `formwork templates`.
#[derive(Debug, Subcommand)]
pub enum TemplatesCommand {
    /// Lists the templates and what they pour
    List,
    /// Copies a template into the project, where it wins over the built-in one
    Eject {
        /// Path of the template, as `list` prints it
        #[arg(id = "template", value_name = "PATH")]
        path: String,
    },
    /// Compares ejected templates with the built-in ones
    Diff,
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
            Command::Import(_) => "import",
            Command::Manifest { command } => match command {
                ManifestCommand::Check => "manifest check",
                ManifestCommand::Schema => "manifest schema",
            },
            Command::Templates { command } => match command {
                TemplatesCommand::List => "templates list",
                TemplatesCommand::Eject { .. } => "templates eject",
                TemplatesCommand::Diff => "templates diff",
            },
            Command::Completions { .. } => "completions",
            Command::Man(_) => "man",
        }
    }
}

/// Commands that answer with a report on files.
pub const REPORTING: &[&str] = &["destroy", "generate", "status", "templates eject"];

impl Cli {
    /// Reads the arguments; `generate shop dishes` is `generate resource shop dishes`.
    ///
    /// # Errors
    /// What clap says of arguments that cannot be read, and of those that ask for help.
    pub fn read(arguments: &[OsString]) -> Result<Cli, clap::Error> {
        let error = match Cli::try_parse_from(arguments) {
            Ok(cli) => return Ok(cli),
            Err(error) => error,
        };
        match with_resource(arguments, &error) {
            Some(arguments) => Cli::try_parse_from(arguments),
            None => Err(error),
        }
    }
}

/// The arguments with the word that may be left out, where the error is that it was, and no other word was mistyped.
fn with_resource(arguments: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    let ContextValue::String(word) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    let place = arguments
        .iter()
        .position(|one| one.to_str() == Some(word))?;
    let before = arguments[..place].iter();
    let is_generate = before
        .filter_map(|one| one.to_str())
        .any(|one| one == "generate");
    if !is_generate || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let mut arguments = arguments.to_vec();
    arguments.insert(place, "resource".into());
    Some(arguments)
}

/// Whether arguments that cannot be read ask for JSON.
pub fn wants_json(arguments: &[String]) -> bool {
    let pairs = arguments.windows(2);
    let mut pairs = pairs.map(|pair| (pair[0].as_str(), pair[1].as_str()));
    pairs.any(|pair| pair == ("--format", "json"))
        || arguments.iter().any(|one| one == "--format=json")
}

/// The command that arguments name, as [`Command::name`] does; empty where they name none.
pub fn name_in(arguments: &[String]) -> String {
    let mut command = Cli::command();
    let mut words: Vec<String> = Vec::new();
    for argument in arguments {
        if let Some(found) = command.find_subcommand(argument).cloned() {
            words.push(argument.clone());
            command = found;
        }
    }
    let is_of_two = matches!(
        words.first().map(String::as_str),
        Some("manifest" | "templates")
    );
    words.truncate(if is_of_two { 2 } else { 1 });
    words.join(" ")
}
