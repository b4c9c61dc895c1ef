//! Extensions: they bring resources, models and migrations into a service.

use std::sync::Arc;

use axum::Router;
use formwork_data::{
    error::{Error, Result},
    migration::Migration,
};

use crate::{
    authenticate::{Authenticator, Authenticators},
    command::Command,
    config::Config,
    context::Context,
    custom_rule::{CustomRule, RuleWords},
    custom_serializer::{Serializer, Serializers},
    decisions::{Decisions, DecisionsInUse},
    registry::{Registered, Registry, mistakes},
    resource::{ApiResource, SupportingModel},
    route::Route,
    state::{Parts, ServiceState},
    type_map::TypeMap,
};

pub use crate::permission::Permission;
pub use futures_util::future::BoxFuture;

/// An extension registers API resources, and what they need.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an extension",
    label = "expected a value whose type implements `Extension`",
    note = "write `impl Extension for {Self} {{ fn name(&self) -> &'static str {{ … }} }}`"
)]
pub trait Extension: Send + Sync {
    /// Its name, such as `igniter.cart`.
    fn name(&self) -> &'static str;

    /// The registration records of its API resources.
    fn register_api_resources(&self) -> Vec<ApiResource> {
        Vec::new()
    }

    /// Models without routes of their own, which relations name.
    fn register_models(&self) -> Vec<SupportingModel> {
        Vec::new()
    }

    /// Routes of its own, beside those of its resources. They pass the same checks: token, context,
    /// abilities, rate limit.
    fn routes(&self) -> Vec<Route> {
        Vec::new()
    }

    /// Rules of its own, for all resources and routes: `custom:shop.iban` in a manifest,
    /// `custom("shop.iban")` in a rule table. Their names have a dot.
    fn rule_words(&self) -> Vec<CustomRule> {
        Vec::new()
    }

    /// Media types in which the default actions answer beside JSON and JSON:API.
    fn serializers(&self) -> Vec<Box<dyn Serializer>> {
        Vec::new()
    }

    /// Paths below the API's prefix that [`Extension::mount`] answers: no resource and no route may
    /// take them. One that ends with a slash reserves all paths below it.
    fn reserved_paths(&self) -> &'static [&'static str] {
        &[]
    }

    /// Its migrations.
    fn migrations(&self) -> &'static [Migration] {
        &[]
    }

    /// The permissions it brings.
    fn permissions(&self) -> Vec<Permission> {
        Vec::new()
    }

    /// The reference docs of its API resources, for the admin area: keys, and Markdown. It takes
    /// the place of the `DOCS` of a resource's controller.
    ///
    /// ```
    /// # use formwork_core::extension::Extension;
    /// # struct Cart;
    /// impl Extension for Cart {
    ///     fn name(&self) -> &'static str {
    ///         "igniter.cart"
    ///     }
    ///
    ///     fn docs(&self) -> &'static [(&'static str, &'static str)] {
    ///         // include_str!("../docs/menus.md") in a project.
    ///         &[("menus", "# Menus")]
    ///     }
    /// }
    /// ```
    fn docs(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Reads the configuration and the registry, and keeps values of its own in `parts`:
    /// `ctx.state::<T>()` reads them in every hook, rule and route. Values given by `.state(…)`
    /// are there already.
    ///
    /// # Errors
    ///
    /// A mistake: the service does not start.
    fn prepare(&self, config: &Config, registry: &Registry, parts: &mut TypeMap) -> Result<()> {
        let _ = (config, registry, parts);
        Ok(())
    }

    /// Decides which registered actions are on, while the service runs. If several extensions have
    /// decisions, those of the last registered one count: an extension of a project replaces the
    /// decisions of the admin area.
    fn decisions(&self) -> Option<Arc<dyn Decisions>> {
        None
    }

    /// The service starts: before the first request. The console, `formwork::router` and the tests'
    /// service call it; with `Service::start` call `settle` yourself. Migrations may be pending still.
    /// [`ServiceState::spawn`] runs tasks beside the requests.
    ///
    /// # Errors
    ///
    /// Why the extension did not start: for the log.
    fn start<'a>(&'a self, app: &'a Arc<ServiceState>) -> BoxFuture<'a, Result<()>> {
        let _ = app;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Adds routes of axum beside those of the resources. The layers of the service are around them:
    /// request id, time limit, headers, bodies of errors, log line. Tokens are checked, and requests
    /// counted, where a handler takes a `Context`; [`Extension::routes`] checks before every handler.
    fn mount(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        let _ = app;
        router
    }

    /// Adds tower layers around all routes, or routes outside of the layers of the service. An
    /// [`Error`] that is returned out there is an empty 500: layers that refuse requests belong to the
    /// service (`.layer(…)` in src/service.rs).
    fn layers(&self, app: &Arc<ServiceState>, router: Router) -> Router {
        let _ = app;
        router
    }

    /// Commands of the console, beside its own.
    fn commands(&self) -> Vec<Command> {
        Vec::new()
    }

    /// Fills the database with data to try the service with.
    fn seed<'a>(&'a self, ctx: &'a Context) -> BoxFuture<'a, Result<()>> {
        let _ = ctx;
        Box::pin(std::future::ready(Ok(())))
    }
}

/// The registry of some extensions, with relations resolved.
///
/// # Errors
///
/// Every mistake at once, in sentences: a key that two extensions register, a relation to a key that
/// no extension registers.
pub fn registry(extensions: &[Box<dyn Extension>]) -> Result<Registry, Vec<String>> {
    let each = || extensions.iter();
    let registered = each().flat_map(|extension| {
        let resources = extension.register_api_resources().into_iter();
        let models = extension.register_models().into_iter();
        let resources = resources.map(Registered::from);
        resources.chain(models.map(Registered::from))
    });
    let routes = each().flat_map(|it| it.routes()).collect();
    let reserved = each().flat_map(|it| it.reserved_paths()).copied();
    let words = each().flat_map(|it| it.rule_words());
    let media_types = each().flat_map(|it| it.serializers());
    let (registry, mut found) = Registry::new(
        registered,
        routes,
        reserved.collect(),
        words.map(|rule| rule.name()).collect(),
        media_types.map(|it| it.media_type()).collect(),
    );
    found.extend(mistakes::among(&registry));
    if found.is_empty() {
        Ok(registry)
    } else {
        Err(found)
    }
}

/// The part of a service's state that extensions bring, beside the state it was given.
///
/// # Errors
///
/// 500 with every mistake of the registration, and what an extension finds wrong.
pub fn parts(
    config: &Config,
    extensions: &[Box<dyn Extension>],
    mut kept: TypeMap,
    authenticators: Vec<Box<dyn Authenticator>>,
) -> Result<Parts> {
    let registry = registry(extensions).map_err(|mistakes| Error::internal(mistakes.join("\n")))?;
    for extension in extensions {
        extension.prepare(config, &registry, &mut kept)?;
    }
    let each = || extensions.iter();
    kept.insert(Authenticators(authenticators));
    kept.insert(RuleWords(each().flat_map(|it| it.rule_words()).collect()));
    let serializers = each().flat_map(|it| it.serializers());
    kept.insert(Serializers(serializers.collect()));
    // The parts of the runtime come first: an extension of the project replaces their decisions.
    if let Some(decisions) = each().rev().find_map(|it| it.decisions()) {
        kept.insert(DecisionsInUse(decisions));
    }
    Ok(Parts {
        registry,
        migrations: each().map(|it| (it.name(), it.migrations())).collect(),
        permissions: each().flat_map(|it| it.permissions()).collect(),
        docs: each().flat_map(|it| it.docs()).copied().collect(),
        kept,
    })
}
