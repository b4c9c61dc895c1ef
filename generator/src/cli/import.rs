//! The arguments of `formwork import`.

use clap::Args;

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
