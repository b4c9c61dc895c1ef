//! A service as its project describes it: extensions, state, layers, authentication, commands.

use std::future::Future;

use axum::{Router, extract::Request, response::IntoResponse, routing::Route};
use clap::ArgMatches;
use formwork_core::{
    authenticate::{Authenticate, Authenticator},
    command::Command,
    config::{AppSettings, Config, ConfigError},
    context::Context,
    extension::Extension,
    type_map::TypeMap,
};
use formwork_data::error::{Error, Result};
use serde::de::DeserializeOwned;
use tower::{Layer, Service as TowerService};

/// A layer of the project, as a step of building the router.
pub(crate) type Enclosing = Box<dyn Fn(Router) -> Router + Send + Sync>;

/// Makes a value of the state when the service starts.
type Making = Box<dyn Fn(&Config, &mut TypeMap) -> Result<()> + Send + Sync>;

/// Makes an authenticator when the service starts.
type MakingAuthenticator = Box<dyn FnOnce(&TypeMap) -> Result<Box<dyn Authenticator>> + Send>;

/// Reads settings of the project for their mistakes.
type Checking = fn(&AppSettings) -> Result<(), ConfigError>;

/// The service of a project: its extensions, and its own parts around them. `src/service.rs` of a
/// project makes it; `main.rs` runs its console, and tests start it.
///
/// ```
/// # struct Mailer;
/// # fn extensions() -> Vec<Box<dyn formwork::extension::Extension>> { Vec::new() }
/// pub fn service() -> formwork::Service {
///     formwork::service(extensions()).state(Mailer)
/// }
/// ```
#[must_use]
pub struct Service {
    pub(crate) extensions: Vec<Box<dyn Extension>>,
    pub(crate) layers: Vec<Enclosing>,
    authenticators: Vec<MakingAuthenticator>,
    pub(crate) commands: Vec<Command>,
    state: TypeMap,
    making: Vec<Making>,
    settings: Vec<Checking>,
}

/// A service of these extensions.
pub fn service(extensions: Vec<Box<dyn Extension>>) -> Service {
    Service {
        extensions,
        layers: Vec::new(),
        authenticators: Vec::new(),
        commands: Vec::new(),
        state: TypeMap::default(),
        making: Vec::new(),
        settings: Vec::new(),
    }
}

impl Service {
    /// A value that all requests share, one of each type: `ctx.state::<Mailer>()?` in every hook,
    /// rule and route, `State<Mailer>` (`formwork::http::State`) in handlers of axum.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.state.insert(value);
        self
    }

    /// A value of the state that is made of another one when the service starts, such as a client of
    /// its settings: `.settings::<Settings>().state_from(|settings: &Settings| …)`.
    pub fn state_from<S, T>(
        mut self,
        make: impl Fn(&S) -> Result<T> + Send + Sync + 'static,
    ) -> Self
    where
        S: Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        self.making.push(Box::new(move |_, state| {
            let value = make(made_before(state, "state_from")?)?;
            state.insert(value);
            Ok(())
        }));
        self
    }

    /// Reads the section `app` of `formwork.yaml`, and the variables `FORMWORK_APP__…`, into a type
    /// of the project: a part of the state. A wrong setting stops the start.
    pub fn settings<T: DeserializeOwned + Send + Sync + 'static>(mut self) -> Self {
        self.settings.push(|app| app.read::<T>().map(drop));
        self.making.push(Box::new(|config, state| {
            state.insert(config.app.read::<T>().map_err(Error::internal)?);
            Ok(())
        }));
        self
    }

    /// A tower layer around the whole service, the admin area and the description included. As with
    /// axum's `Router::layer`, a later one is around the earlier ones.
    ///
    /// Its own answers get the request's id, the log line and the headers of the service; an
    /// [`Error`] that it answers is written in the client's rendering.
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: TowerService<Request> + Clone + Send + Sync + 'static,
        <L::Service as TowerService<Request>>::Response: IntoResponse + 'static,
        <L::Service as TowerService<Request>>::Error: Into<std::convert::Infallible> + 'static,
        <L::Service as TowerService<Request>>::Future: Send + 'static,
    {
        self.layers
            .push(Box::new(move |router| router.layer(layer.clone())));
        self
    }

    /// Adds an authentication beside the service's own tokens. Several authentications are tried in
    /// the order in which they were added.
    pub fn authenticate(mut self, authenticate: impl Authenticate) -> Self {
        self.authenticators
            .push(Box::new(|_| Ok(Box::new(authenticate))));
        self
    }

    /// As [`Service::authenticate`], but built from a state when the service starts, such as the
    /// issuer in its settings: `.settings::<Settings>().authenticate_from(|settings: &Settings|
    /// …)`. An `Option` that is `None` adds no authentication.
    pub fn authenticate_from<S, A>(
        mut self,
        make: impl FnOnce(&S) -> Result<A> + Send + 'static,
    ) -> Self
    where
        S: Send + Sync + 'static,
        A: Authenticate,
    {
        self.authenticators.push(Box::new(|state| {
            Ok(Box::new(make(made_before(state, "authenticate_from")?)?))
        }));
        self
    }

    /// A command of the console: its arguments in the words of clap, and its work. Its name is
    /// another than those of the service's own commands.
    pub fn command<R, F>(mut self, arguments: clap::Command, run: R) -> Self
    where
        R: Fn(Context, ArgMatches) -> F + Send + Sync + 'static,
        F: Future<Output = Result<()>> + Send + 'static,
    {
        self.commands.push(Command::new(arguments, run));
        self
    }

    /// The mistakes of the section `app`, in the types that [`Service::settings`] reads.
    pub(crate) fn mistakes_of(&self, app: &AppSettings) -> Vec<String> {
        let refused = self.settings.iter().filter_map(|read| read(app).err());
        let mut mistakes: Vec<String> = Vec::new();
        for mistake in refused.flat_map(|error| error.mistakes().to_vec()) {
            if !mistakes.contains(&mistake) {
                mistakes.push(mistake);
            }
        }
        mistakes
    }

    /// The commands of the service, and of its extensions.
    pub(crate) fn take_commands(&mut self) -> Vec<Command> {
        let mut commands = std::mem::take(&mut self.commands);
        commands.extend(self.extensions.iter().flat_map(|it| it.commands()));
        commands
    }

    /// The authenticators, in the order of their registration.
    pub(crate) fn made_authenticators(
        &mut self,
        state: &TypeMap,
    ) -> Result<Vec<Box<dyn Authenticator>>> {
        let making = std::mem::take(&mut self.authenticators);
        making.into_iter().map(|make| make(state)).collect()
    }

    /// The state, with all that is made when the service starts.
    pub(crate) fn made_state(&self, config: &Config) -> Result<TypeMap> {
        let mut state = self.state.clone();
        for make in &self.making {
            make(config, &mut state)?;
        }
        Ok(state)
    }
}

/// The state of this type that a method of [`Service`] needs.
fn made_before<'s, S: Send + Sync + 'static>(state: &'s TypeMap, method: &str) -> Result<&'s S> {
    state.get().ok_or_else(|| {
        let name = std::any::type_name::<S>();
        Error::internal(format!(
            "`.{method}(…)` needs a state of the type `{name}`: add it by `.state(…)` or \
             `.settings()` before"
        ))
    })
}
