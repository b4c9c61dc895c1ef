//! A service on a free port with a database of its own, and a client: for tests of poured projects.
//!
//! The feature `testing` brings it. Failures panic, as tests expect.

mod client;
mod database;
mod setup;

use std::{
    future::Future,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::{
    net::TcpListener,
    runtime::Runtime,
    sync::oneshot::{self, Sender},
};

pub use client::{Answer, Client};
pub use setup::{Setup, server};

use crate::{
    app::App,
    server::{ServerOptions, serve_until},
};
use database::TemporaryDatabase;
use formwork_core::{
    auth::{self, Abilities, AccountKind, Granted, NewAccount, NewToken},
    config::Config,
    context::Context,
    extension::Extension,
};

/// A running service. It stops, and its database goes, when it is dropped.
pub struct Service {
    app: Arc<App>,
    address: SocketAddr,
    admin: OnceLock<String>,
    customer: OnceLock<(i64, String)>,
    stop: Option<Sender<()>>,
    // Dropped in this order: users of the database before the database.
    runtime: Option<Runtime>,
    _database: Option<TemporaryDatabase>,
}

impl Service {
    /// Starts the service of a project: `Service::of(bistro::service())`. It has the project's
    /// configuration, a migrated database of its own, and no limit on requests.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn of(service: crate::Service) -> Self {
        Self::setup(service).start()
    }

    /// The service of a project before its start, for another configuration or clock:
    /// `Service::setup(bistro::service()).clock(|| noon).start()`.
    pub fn setup(service: crate::Service) -> Setup {
        Setup::of(service)
    }

    /// Starts a service with the project's configuration, a migrated database of its own, and no
    /// limit on requests.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start(extensions: Vec<Box<dyn Extension>>) -> Self {
        Self::of(crate::service(extensions))
    }

    /// As [`Service::start`], with this configuration. Its database address says by which driver
    /// the database is made: the address of a server gets one on the same server.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn with_config(config: Config, extensions: Vec<Box<dyn Extension>>) -> Self {
        Self::setup(crate::service(extensions))
            .config(config)
            .start()
    }

    /// As [`Service::with_config`], with the limit on requests that is configured.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn limited(config: Config, extensions: Vec<Box<dyn Extension>>) -> Self {
        let setup = Self::setup(crate::service(extensions));
        setup.config(config).limited().start()
    }

    /// As [`Service::with_config`], on the database that the configuration names, which stays.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn on_database(config: Config, extensions: Vec<Box<dyn Extension>>) -> Self {
        let setup = Self::setup(crate::service(extensions));
        setup.config(config).on_database().start()
    }

    /// Another service on the database of this one, with the same configuration: a replica, or the
    /// next version. It must not outlive this one.
    ///
    /// # Panics
    ///
    /// When it does not start.
    #[must_use]
    pub fn replica(&self, extensions: Vec<Box<dyn Extension>>) -> Self {
        let setup = Self::setup(crate::service(extensions));
        let setup = setup.config(self.app.config().clone());
        setup.limited().on_database().start()
    }

    fn begin(runtime: Runtime, app: Arc<App>, database: Option<TemporaryDatabase>) -> Self {
        let listener = runtime.block_on(open(&app));
        let address = listener.local_addr().expect("the address");
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move { drop(stopped.await) };
        let router = app.router();
        let options = ServerOptions {
            shutdown_timeout: Duration::from_secs(1),
            ..ServerOptions::from(app.config())
        };
        runtime.spawn(serve_until(listener, router, stopped, options));
        Self {
            app,
            address,
            admin: OnceLock::new(),
            customer: OnceLock::new(),
            stop: Some(stop),
            runtime: Some(runtime),
            _database: database,
        }
    }

    /// Where it listens: `http://127.0.0.1:<port>`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The service itself.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// A client without a token.
    pub fn guest(&self) -> Client<'_> {
        Client::new(self.address, self.runtime(), None)
    }

    /// A client with this token.
    pub fn with_token(&self, token: impl Into<String>) -> Client<'_> {
        Client::new(self.address, self.runtime(), Some(token.into()))
    }

    /// A client with an administrator's token: `admin`, `admin@example.com`, password `formwork`.
    pub fn admin(&self) -> Client<'_> {
        let token = self.admin.get_or_init(|| {
            let id = self.account(AccountKind::Admin, "admin@example.com");
            self.token(AccountKind::Admin, id, &["*"])
        });
        self.with_token(token)
    }

    /// A client with a customer's token: `customer@example.com`, password `formwork`.
    pub fn customer(&self) -> Client<'_> {
        self.with_token(&self.first_customer().1)
    }

    /// The key of [`Service::customer`].
    pub fn customer_id(&self) -> i64 {
        self.first_customer().0
    }

    fn first_customer(&self) -> &(i64, String) {
        self.customer.get_or_init(|| {
            let id = self.account(AccountKind::Customer, "customer@example.com");
            (id, self.token(AccountKind::Customer, id, &["*"]))
        })
    }

    /// A client with the token of a new administrator who has these permissions alone:
    /// `service.administrator("chef@example.com", &["menus.read", "menus.write"])`.
    ///
    /// # Panics
    ///
    /// When there is an administrator with this e-mail address.
    pub fn administrator(&self, email: &str, permissions: &[&str]) -> Client<'_> {
        let id = self.account(AccountKind::Admin, email);
        let permissions = permissions.iter().map(|code| (*code).to_owned());
        self.grant(id, &Granted::Permissions(permissions.collect()));
        self.with_token(self.token(AccountKind::Admin, id, &["*"]))
    }

    fn grant(&self, administrator: i64, granted: &Granted) {
        self.block_on(auth::set_permissions(self.app.db(), administrator, granted))
            .expect("its permissions");
    }

    /// Makes an account with the password `formwork`, an administrator as a super user; returns its
    /// key.
    ///
    /// # Panics
    ///
    /// When there is one with this e-mail address.
    pub fn account(&self, kind: AccountKind, email: &str) -> i64 {
        let account = NewAccount {
            kind,
            email: email.to_owned(),
            username: email.split('@').next().map(str::to_owned),
            name: None,
            password: "formwork".to_owned(),
        };
        let (db, customers) = (self.app.db(), self.app.auth().customers());
        if kind == AccountKind::Customer {
            self.block_on(auth::plant_parents(db, customers.table(), customers))
                .expect("rows it points to");
        }
        let id = self.block_on(account.insert(db, customers, self.app.now()));
        let id = id.expect("an account");
        if kind == AccountKind::Admin {
            self.grant(id, &Granted::Everything);
        }
        id
    }

    /// Issues a token to an account.
    ///
    /// # Panics
    ///
    /// When an ability is written as none.
    pub fn token(&self, kind: AccountKind, account: i64, abilities: &[&str]) -> String {
        let abilities = Abilities::parse(abilities.iter().copied()).expect("abilities");
        let name = "test".to_owned();
        let token = NewToken {
            kind,
            account,
            name,
            abilities,
            expires_at: None,
        };
        self.block_on(token.insert(self.app.db(), self.app.now()))
            .expect("a token")
    }

    /// An administrator's context, for work in the database: `service.block_on(async { … })`.
    pub fn context(&self) -> Context {
        self.app.context()
    }

    /// Waits for something asynchronous.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime().block_on(future)
    }

    fn runtime(&self) -> &Runtime {
        let runtime = self.runtime.as_ref();
        runtime.expect("the runtime is there until the end")
    }
}

async fn open(app: &App) -> TcpListener {
    app.auth()
        .migrate(app.db(), app.migrations())
        .await
        .expect("the migrations");
    app.settle().await;
    TcpListener::bind("127.0.0.1:0").await.expect("a free port")
}

impl Setup {
    /// Starts it.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start(self) -> Service {
        let (runtime, app, database) = self.assemble();
        Service::begin(runtime, app, database)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.take();
        self.app.stop();
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(self.app.db().close());
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}
