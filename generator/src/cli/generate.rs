//! The arguments of `formwork generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::examples;

/// `formwork generate`.
#[derive(Debug, Args)]
#[command(subcommand_precedence_over_arg = true, after_help = examples::GENERATE)]
pub struct GenerateArgs {
    /// The part to make; by default everything the manifests describe.
    #[command(subcommand)]
    pub command: Option<GenerateCommand>,
    /// How to run.
    #[command(flatten)]
    pub run: RunArgs,
}

/// How a run behaves (docs/guide/regeneration.md).
#[derive(Debug, Clone, Default, Args)]
pub struct RunArgs {
    /// Writes nothing; exit status 5 when a run would change something
    #[arg(long, global = true)]
    pub check: bool,
    /// Writes nothing, and lists the changes of a run
    #[arg(long, global = true, conflicts_with = "check")]
    pub dry_run: bool,
    /// Shows the differences as well
    #[arg(long, global = true)]
    pub diff: bool,
    /// Keeps your side of each conflict: every file, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub ours: Option<Vec<PathBuf>>,
    /// Takes the rendered side of each conflict: every file, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub theirs: Option<Vec<PathBuf>>,
    /// Keeps files that were there before, and treats them as edited: every one, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub adopt: Option<Vec<PathBuf>>,
    /// Renders files again that you deleted: every one, or those named here
    #[arg(long, global = true, value_name = "PATH", num_args = 0..)]
    pub restore: Option<Vec<PathBuf>>,
    /// Replaces migrations that are neither committed nor run by one new migration
    #[arg(long, global = true)]
    pub amend: bool,
    /// Emits migrations that destroy data
    #[arg(long, global = true)]
    pub allow_destructive: bool,
}

/// The parts that `formwork generate` makes.
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

/// Arguments of a new resource or model.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The extension, `name` or `author.name`, created if it is missing; may be left out if there is only one
    #[arg(id = "ext", value_name = "EXT")]
    first: Option<String>,
    /// The name: `menus`, `Menus` and `menu` are the same
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
        self.named().and(self.first.as_deref())
    }

    /// The name of the resource or model, where it is given.
    pub fn name(&self) -> Option<&str> {
        self.named().or(self.first.as_deref())
    }

    /// Attributes and relations.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let second = self.second.as_deref().filter(|word| word.contains(':'));
        second
            .into_iter()
            .chain(self.further.iter().map(String::as_str))
    }

    /// The second word, unless it is an attribute: then the first is not an extension.
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
    /// Name, attributes and table.
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
    /// Name, attributes and table.
    #[command(flatten)]
    pub new: NewArgs,
}
