//! `copy`: the rows of another database of the same service.

use clap::ArgMatches;
use formwork_data::{
    copy,
    database::{self, DatabaseOptions, Db},
    error::{Error, Result},
    migration,
    model::Schema,
};

use crate::app::App;

/// Copies all rows of the database at `--from` into that of the service.
pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<()> {
    let from = arguments.get_one::<String>("from").map(String::as_str);
    let from = source(app, from.unwrap_or_default()).await?;
    migration::require_applied(app.db(), app.migrations()).await?;
    let entries = app.registry().entries();
    let models: Vec<&Schema> = entries.map(|(_, entry)| entry.source.schema()).collect();
    let replace = arguments.get_flag("replace");
    let copied = copy::copy(&from, app.db(), &models, replace).await?;
    for table in &copied {
        println!("{:>8}  {}", table.rows, table.name);
    }
    let rows: u64 = copied.iter().map(|table| table.rows).sum();
    println!("{rows} rows copied.");
    from.close().await;
    Ok(())
}

/// The database that is copied, whose settings are those of the service. A file that is not there would
/// be made.
async fn source(app: &App, url: &str) -> Result<Db> {
    if database::is_missing(url)? {
        return Err(Error::internal(format!("there is no database at `{url}`")));
    }
    let options = DatabaseOptions {
        url: url.to_owned(),
        ..app.config().database.clone()
    };
    Db::connect(&options).await
}
