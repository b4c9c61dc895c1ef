//! The arguments of `formwork demo`.

use std::path::PathBuf;

use clap::Args;

use super::examples;

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
