//! The arguments of `formwork new`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::examples;

/// `formwork new`.
#[derive(Debug, Args)]
#[command(after_help = examples::NEW)]
pub struct NewProjectArgs {
    /// The folder to make
    pub dir: PathBuf,
    /// The package's name; by default the folder's
    #[arg(long)]
    pub name: Option<String>,
    /// Databases to compile drivers and emit migrations for: sqlite, postgres, mysql
    #[arg(long, value_delimiter = ',', default_value = "sqlite")]
    pub database: Vec<String>,
    /// Starts from an example
    #[arg(long, value_enum)]
    pub example: Option<Example>,
}

/// Examples `new` can start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Example {
    /// Eight resources in five extensions: menus, orders, reservations
    Restaurant,
    /// Tickets of organisations, with layers, uploads, webhooks, single sign-on and tasks of its own
    Helpdesk,
}

impl Example {
    /// The name of its folder in `formwork_examples`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Restaurant => "restaurant",
            Self::Helpdesk => "helpdesk",
        }
    }
}
