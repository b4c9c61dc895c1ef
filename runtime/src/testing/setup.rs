//! A service before its start.

use std::{env, sync::Arc};

use chrono::{SubsecRound, Utc};
use formwork_core::config::Config;
use formwork_data::{database::Db, value::DateTime};
use tokio::runtime::Runtime;

use super::database::TemporaryDatabase;
use crate::app::{App, Clock};

/// A service of a project before its start: `Service::setup(bistro::service())`.
#[must_use]
pub struct Setup {
    service: crate::Service,
    config: Option<Config>,
    clock: Clock,
    limited: bool,
    own_database: bool,
}

impl Setup {
    pub(super) fn of(service: crate::Service) -> Self {
        Self {
            service,
            config: None,
            clock: Arc::new(|| Utc::now().trunc_subsecs(0)),
            limited: false,
            own_database: true,
        }
    }

    /// With this configuration, instead of the project's.
    pub fn config(self, config: Config) -> Self {
        Self {
            config: Some(config),
            ..self
        }
    }

    /// With this clock, instead of the system's.
    pub fn clock(self, clock: impl Fn() -> DateTime + Send + Sync + 'static) -> Self {
        Self {
            clock: Arc::new(clock),
            ..self
        }
    }

    /// With the limit on requests that is configured.
    pub fn limited(self) -> Self {
        Self {
            limited: true,
            ..self
        }
    }

    /// Uses the database of the configuration, and does not remove it.
    pub fn on_database(self) -> Self {
        Self {
            own_database: false,
            ..self
        }
    }

    /// The service, and what it runs on.
    pub(super) fn assemble(self) -> (Runtime, Arc<App>, Option<TemporaryDatabase>) {
        let load = || Config::load().expect("the configuration");
        let mut config = self.config.unwrap_or_else(load);
        if !self.limited {
            config.api.rate_limit = 0;
        }
        let database = self.own_database.then(|| {
            let server = server().unwrap_or_else(|| config.database.url.clone());
            let on_server = !server.starts_with("sqlite:");
            let database = TemporaryDatabase::beside(&server, on_server);
            config.database.url = database.url().to_owned();
            database
        });
        let runtime = Runtime::new().expect("a runtime");
        let db = runtime.block_on(Db::connect(&config.database));
        // State may need the runtime while it is made.
        let entered = runtime.enter();
        let db = db.expect("the database");
        let app = self.service.assemble(config, db, self.clock);
        let app = app.expect("the service");
        drop(entered);
        (runtime, app, database)
    }
}

/// The address of the server for the databases of tests, by `FORMWORK_TEST_DATABASE` (`postgres`,
/// `mysql`). Without the variable, each test database is on the server of the configuration.
///
/// # Panics
///
/// When it names a kind whose address (`FORMWORK_TEST_POSTGRES_URL`, `FORMWORK_TEST_MYSQL_URL`) is
/// not set: the tests would run on another database than was asked for.
#[must_use]
pub fn server() -> Option<String> {
    let kind = env::var("FORMWORK_TEST_DATABASE").ok()?;
    let variable = match &*kind {
        "sqlite" => return None,
        "postgres" => "FORMWORK_TEST_POSTGRES_URL",
        "mysql" => "FORMWORK_TEST_MYSQL_URL",
        _ => panic!("FORMWORK_TEST_DATABASE is `{kind}`, not sqlite, postgres or mysql"),
    };
    Some(env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set")))
}
