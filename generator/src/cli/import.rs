//! The arguments of `formwork import`.

use clap::Args;

use super::examples;

/// `formwork import`.
#[derive(Debug, Args)]
#[command(after_help = examples::IMPORT)]
pub struct ImportArgs {
    /// The database to read
    #[arg(long, value_name = "URL", env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: String,
    /// The extension that gets the manifests
    #[arg(long, default_value = "app")]
    pub ext: String,
    /// Only these tables
    #[arg(long, value_delimiter = ',')]
    pub tables: Vec<String>,
    /// Seconds for reading rows of all tables together; 0 reads no rows
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub look_seconds: u32,
    /// Cut from the names of tables: ti_
    #[arg(long, default_value = "", hide_default_value = true)]
    pub prefix: String,
    /// Writes nothing; exit status 5 where manifests and database differ
    #[arg(long)]
    pub check: bool,
    /// Writes nothing, and lists the changes of a run
    #[arg(long, conflicts_with = "check")]
    pub dry_run: bool,
    /// Shows the differences
    #[arg(long)]
    pub diff: bool,
}
