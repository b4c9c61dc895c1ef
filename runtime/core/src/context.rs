//! The context of a request: its caller, action, parameters, body and database.

mod confirmation;
mod derived;
mod facts;

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderMap, Method};
use formwork_data::{
    DataContext,
    database::Db,
    error::{Error, Result},
    model::{Key, Model},
    value::DateTime,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    action::Action,
    auth::Caller,
    budget::Budget,
    changes::{Changing, ColumnChange, RelationChange},
    config::Config,
    input::Input,
    links::Links,
    params::{Pairs, Params},
    registry::Registry,
    rendering::Rendering,
    route::Route,
    state::ServiceState,
};

pub use facts::{ClientInfo, RequestFacts};

/// The context of a request, for controllers, hooks, repositories and transformers.
///
/// Cheap to clone. Inside a hook that runs in a transaction [`Context::db`] is that transaction.
#[derive(Clone)]
pub struct Context {
    app: Arc<ServiceState>,
    request: Arc<RequestFacts>,
    params: Arc<Params>,
    input: Arc<Input>,
    path_values: Arc<[(String, String)]>,
    budget: Arc<Budget>,
    change: Option<Changing>,
    db: Db,
}

impl Context {
    /// A context for one request.
    pub fn new(app: Arc<ServiceState>, request: RequestFacts) -> Self {
        let db = app.db().for_request();
        Self::with_facts(app, request, db)
    }

    /// A context for one request, whose statements this handle counts.
    pub(crate) fn with_facts(app: Arc<ServiceState>, request: RequestFacts, db: Db) -> Self {
        // Most requests have no body, and many no parameters.
        static NO_PARAMS: LazyLock<Arc<Params>> = LazyLock::new(Arc::default);
        static NO_INPUT: LazyLock<Arc<Input>> = LazyLock::new(Arc::default);
        Self {
            app,
            request: Arc::new(request),
            params: Arc::clone(&NO_PARAMS),
            input: Arc::clone(&NO_INPUT),
            path_values: Arc::default(),
            budget: Arc::default(),
            change: None,
            db,
        }
    }

    /// A context outside of any request: for seeds, the console, tasks and tests. `default::update`
    /// called with it checks what its input has.
    pub fn outside(app: Arc<ServiceState>, caller: Caller) -> Self {
        let now = app.now();
        let facts = RequestFacts {
            caller,
            now,
            partial: true,
            ..RequestFacts::default()
        };
        Self::new(app, facts)
    }

    /// Understands the query string.
    pub(crate) fn set_params(&mut self, params: Params) {
        self.params = Arc::new(params);
    }

    /// The database: the pool, or the transaction inside hooks that run in one.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The caller: a guest, a customer or an administrator.
    pub fn caller(&self) -> &Caller {
        &self.request.caller
    }

    /// The claims about the caller, where an [`Authenticate`](crate::authenticate::Authenticate)
    /// gave claims of this type.
    pub fn claims<T: 'static>(&self) -> Option<&T> {
        self.request.claims.get()
    }

    /// The state of this type: what `.state(…)` gave the service, or an extension keeps.
    ///
    /// # Errors
    ///
    /// 500 where there is none; the log names the type.
    pub fn state<T: Send + Sync + 'static>(&self) -> Result<&T> {
        self.app.state()
    }

    /// A value that a layer gave the request: `request.extensions_mut().insert(Tenant(7))`.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.request.extensions.get()
    }

    /// The headers of the request.
    pub fn headers(&self) -> &HeaderMap {
        &self.request.headers
    }

    /// The id of the request, as `X-Request-Id` and the log have it; empty outside of requests.
    pub fn request_id(&self) -> &str {
        &self.request.id
    }

    /// The method of the request.
    pub fn method(&self) -> &Method {
        &self.request.method
    }

    /// A parameter of the query string, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let pairs = Pairs::read(&self.request.query).0;
        let mut pairs = pairs.into_iter();
        pairs.find(|pair| pair.name == name).map(|pair| pair.value)
    }

    /// The key of the customer that asks, if one does.
    pub fn customer_id(&self) -> Option<i64> {
        self.request.caller.customer_id()
    }

    /// Whether an administrator asks.
    pub fn is_admin(&self) -> bool {
        self.request.caller.is_admin()
    }

    /// The locations the caller is bound to; none: those of all.
    pub fn locations(&self) -> &[i64] {
        let account = self.request.caller.account();
        account.map_or(&[], |account| &account.locations)
    }

    /// How the answer is written: as data, as a JSON:API document, or by a serializer of the
    /// project's own, whichever the client accepts.
    pub fn rendering(&self) -> Rendering {
        self.request.rendering
    }

    /// The requested action; `None` outside of requests to resources.
    pub fn action(&self) -> Option<Action> {
        self.request.action
    }

    /// The registry index of the requested resource.
    pub fn resource(&self) -> Option<usize> {
        self.request.resource
    }

    /// The key of the requested resource; `None` outside of requests to resources.
    pub fn resource_key(&self) -> Option<&'static str> {
        self.registry().get(self.resource()?).map(|entry| entry.key)
    }

    /// The body: as it was sent (strings trimmed) in an overridden action, the validated part of
    /// it in hooks.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The record as it was before the change that a hook runs in. `None` while a record is created,
    /// outside of the hooks of a change, and for another model than that of the controller.
    pub fn original<M: Model>(&self) -> Option<&M> {
        self.change.as_ref()?.original()
    }

    /// The columns that the change changes, with their values before and after: all of a new record
    /// and of a deleted one that are not null. Hidden columns are left out, and `updated_at`, which
    /// each change writes. Empty outside of the hooks of a change, and for another model than that of
    /// the controller.
    ///
    /// # Errors
    ///
    /// 500 where the model's visitor fails.
    pub fn changed_columns<M: Model>(&self, record: &M) -> Result<Vec<ColumnChange>> {
        let change = self.change.as_ref();
        change.map_or_else(|| Ok(Vec::new()), |change| change.columns(record))
    }

    /// The to-many relations whose links the change wrote so far: those of the provided
    /// `write_relations` and of `sync_relations`, and those named by [`Context::note_relation`]. A
    /// deletion is not among them, though it removes the links of its record: read them in
    /// `before_delete` where they matter.
    pub fn changed_relations(&self) -> Vec<RelationChange> {
        self.change
            .as_ref()
            .map(Changing::relations)
            .unwrap_or_default()
    }

    /// Notes that the change wrote links of a relation of its record, for
    /// [`Context::changed_relations`]: for a `write_relations` that writes them by statements of its
    /// own. Without effect outside of the hooks of a change, and for another model than that of the
    /// controller.
    pub fn note_relation<M: Model>(&self, change: RelationChange) {
        if let Some(changing) = &self.change {
            changing.note::<M>(change);
        }
    }

    /// A part of the path of a custom route: `id` of `/orders/{id}/pay`, decoded.
    pub fn path_value(&self, name: &str) -> Option<&str> {
        let mut values = self.path_values.iter();
        values
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// A part of the path as the key of a record.
    ///
    /// # Errors
    ///
    /// 404 where the part cannot be a key: such an id names no record.
    pub fn path_key<K: Key>(&self, name: &str) -> Result<K> {
        let value = self.path_value(name).unwrap_or_default();
        K::parse(value).ok_or_else(|| Error::record_not_found(value))
    }

    /// The route of an extension that answers, if one does.
    pub fn route(&self) -> Option<&Route> {
        self.registry().routes().get(self.request.route?)
    }

    /// The path that was asked for, as links show it.
    pub(crate) fn own_path(&self) -> String {
        let base = self.config().api.base_url.as_deref().unwrap_or_default();
        format!("{base}{}", self.request.path)
    }

    /// The query string, understood: that of a resource, or of a route that names one.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// How many records may still be included. Changes have no limit: they are committed when they
    /// are shown.
    pub(crate) fn budget(&self) -> Option<&Budget> {
        let reads = self.action().is_some_and(Action::reads);
        reads.then_some(&*self.budget)
    }

    /// The facts that do not change during the request.
    pub fn request(&self) -> &RequestFacts {
        &self.request
    }

    /// The moment the request began, in whole seconds.
    pub fn now(&self) -> DateTime {
        self.request.now
    }

    /// Where the request came from.
    pub fn client(&self) -> &ClientInfo {
        &self.request.client
    }

    /// The service's configuration.
    pub fn config(&self) -> &Config {
        self.app.config()
    }

    /// Everything that is registered.
    pub fn registry(&self) -> &Registry {
        self.app.registry()
    }

    /// The service this request was made to.
    pub fn app(&self) -> &Arc<ServiceState> {
        &self.app
    }

    /// The path of a resource (`/api/menus`), with `api.base_url` before it where that is set.
    pub fn resource_path(&self, key: &str) -> String {
        self.config().api.resource(key)
    }

    /// The links of a record.
    pub fn links(&self, key: &str, id: impl std::fmt::Display) -> Links {
        let mut path = self.resource_path(key);
        path.push('/');
        path.extend(utf8_percent_encode(&id.to_string(), ESCAPED));
        Links::to_self(path)
    }

    /// Letters and digits from the system's secure source: for secrets and hashes of records.
    pub fn random_text(&self, length: usize) -> String {
        crate::auth::random_text(length)
    }
}

impl DataContext for Context {
    fn db(&self) -> &Db {
        self.db()
    }

    fn now(&self) -> DateTime {
        self.now()
    }
}

/// Characters that a segment of a path holds as escapes: all but unreserved ones (RFC 3986, section
/// 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_segment() {
        for (key, segment) in [
            ("12", "12"),
            ("a-b_c.d~", "a-b_c.d~"),
            ("a/b?c d%ä", "a%2Fb%3Fc%20d%25%C3%A4"),
        ] {
            let escaped = utf8_percent_encode(key, ESCAPED);
            assert_eq!(escaped.to_string(), segment);
        }
    }
}
