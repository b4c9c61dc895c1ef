//! The commands of `formwork templates`.

use clap::Subcommand;

use super::examples;

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
