//! The commands of `formwork templates`.

use clap::Subcommand;

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
