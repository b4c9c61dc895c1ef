//! The program around a service: `serve`, `migrate`, `user:create` and the other commands.

mod command;
mod copy;
mod migrate;
mod routes;
mod serve;
mod token;
mod user;

use std::{fmt, process::ExitCode, sync::Arc, time::Duration};

use clap::ArgMatches;
use formwork_core::{command::Command, config::Config, extension::Extension};
use formwork_data::{
    database::{self, Db},
    error::{Error, Result},
};

use crate::{
    app::{self, App},
    log,
    service::{Service, service},
};

/// Runs the command the program was started with; `serve` without one. As [`Service::console`], of
/// a service that has extensions alone.
pub fn console(extensions: Vec<Box<dyn Extension>>) -> ExitCode {
    service(extensions).console()
}

impl Service {
    /// Runs the command the program was started with; `serve` without one.
    ///
    /// Results go to standard output, everything else to standard error. Exit status: 0 done, 1
    /// failed, 2 wrong usage or configuration.
    pub fn console(mut self) -> ExitCode {
        let parts = app::parts();
        let mut own: Vec<Command> = parts.iter().flat_map(|part| part.commands()).collect();
        own.extend(self.take_commands());
        let lacking: Vec<&str> = app::lacking_commands().map(|(name, _)| name).collect();
        let command = match command::with(&own, &lacking) {
            Ok(command) => command,
            Err(mistake) => return wrong(&mistake),
        };
        let matches = command.get_matches();
        let config = match Config::load_with(|app| self.mistakes_of(app)) {
            Ok(config) => config,
            Err(error) => return wrong(&error),
        };
        log::start(&config.log);
        let outcome = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::internal(format!("the runtime does not start: {error}")))
            .and_then(|runtime| {
                let outcome = runtime.block_on(run(config, self, &own, &matches));
                // Running work had its configured time.
                runtime.shutdown_timeout(CLOSING);
                outcome
            });
        match outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {}", migrate::error_message(&error));
                ExitCode::FAILURE
            }
        }
    }
}

/// Wrong usage or configuration.
fn wrong(mistake: &dyn fmt::Display) -> ExitCode {
    eprintln!("{mistake}");
    ExitCode::from(2)
}

/// The time that connections of the database, and work outside of the event loop, have to end.
const CLOSING: Duration = Duration::from_secs(2);

async fn run(
    mut config: Config,
    service: Service,
    own: &[Command],
    matches: &ArgMatches,
) -> Result<()> {
    let (name, arguments) = matches.subcommand().unwrap_or(("serve", matches));
    // The limit is for requests: a command's statements may take as long as they need, and wait for
    // each other's locks.
    if name != "serve" {
        config.database.statement_timeout = None;
    }
    if let Some((_, error)) = app::lacking_commands().find(|(lacking, _)| *lacking == name) {
        return Err(Error::internal(error));
    }
    let own = own.iter().find(|command| command.name() == name);
    let app = match name {
        "migrate" if only_looks(arguments) => migrate::untouching(config, service).await?,
        _ if own.is_some_and(|command| !command.needs_database()) => {
            start_without_database(config, service).await?
        }
        _ => service.start(config).await?,
    };
    let outcome = match own {
        Some(command) => command.run(app.context(), arguments.clone()).await,
        None => dispatch(&app, name, arguments).await,
    };
    if tokio::time::timeout(CLOSING, app.db().close())
        .await
        .is_err()
    {
        tracing::warn!("stopped: connections of the database were still in use");
    }
    outcome
}

/// The service, whose actions that are switched off are known if its database can be read; without
/// one, all registered actions are on, and no file is made.
async fn start_without_database(config: Config, service: Service) -> Result<Arc<App>> {
    if !database::is_missing(&config.database.url)? {
        match Db::connect(&config.database).await {
            Ok(db) => {
                let app = service.on(config, db)?;
                app.look_up().await;
                return Ok(app);
            }
            Err(error) => {
                tracing::warn!(%error, "the database was not read: actions that are switched off are described too");
            }
        }
    }
    service.on(config, Db::nowhere().await?)
}

/// Whether `migrate` only shows migrations.
fn only_looks(arguments: &ArgMatches) -> bool {
    arguments.get_flag("status") || arguments.get_flag("dry-run")
}

async fn dispatch(app: &Arc<App>, name: &str, arguments: &ArgMatches) -> Result<()> {
    match name {
        "migrate" if arguments.get_flag("status") => migrate::status(app).await,
        "migrate" if arguments.get_flag("dry-run") => {
            migrate::dry_run(app, arguments.get_one("to").copied()).await
        }
        "migrate" => match arguments.get_one("to") {
            Some(version) => migrate::migrate_to(app, *version).await,
            None => migrate::migrate(app).await,
        },
        "seed" => migrate::seed(app).await,
        "copy" => copy::run(app, arguments).await,
        "token" => token::run(app, arguments).await,
        "user" => user::run(app, arguments).await,
        "routes" => {
            app.look_up().await;
            routes::print(app);
            Ok(())
        }
        _ => serve::serve(app, arguments.get_one("addr").map(String::as_str)).await,
    }
}
