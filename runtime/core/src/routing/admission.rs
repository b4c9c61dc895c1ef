//! Before every route but health the token is checked, and the request counted.

use std::{future::Future, mem::take, net::IpAddr, sync::Arc};

use axum::{
    extract::Request,
    http::{Extensions, Method, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{MethodRouter, any},
};
use formwork_data::{database::Db, error::Result, value::DateTime};

use super::{accept, body, client, layers::PRIVATE, request_id, time_limit::RequestTime};
use crate::{
    action::Action,
    auth::Caller,
    authenticate::Identity,
    claims::Claims,
    context::{ClientInfo, Context, RequestFacts},
    etag,
    limits::{Counted, Standing},
    rendering::Rendering,
    state::ServiceState,
};

/// How requests without a token are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// By address.
    Requests,
    /// As sign-ins of the address, apart from other requests.
    SignIns,
    /// Not at all: pages and what they load.
    Nothing,
}

impl Count {
    /// The count of a request. Tokens that are no good count everywhere.
    fn of(self, caller: Option<&Caller>, address: Option<IpAddr>) -> Option<Counted> {
        match self {
            Self::Nothing if caller.is_some_and(Caller::is_guest) => None,
            Self::SignIns if caller.is_some_and(Caller::is_guest) => {
                Some(Counted::sign_in(address))
            }
            _ => Some(Counted::of(caller, address)),
        }
    }
}

/// A request that was admitted to its route.
pub(super) struct Admitted {
    /// The caller.
    pub caller: Caller,
    /// Claims about the caller.
    pub claims: Claims,
    /// Where from.
    pub client: ClientInfo,
    /// The request's own handle: it counts the statements, the token check among them.
    pub db: Db,
    /// The moment it came, in whole seconds.
    pub now: DateTime,
}

/// The action that a request asks for, and the resource it is about: its index in the registry.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    /// The action, where it is a resource's.
    pub action: Option<Action>,
    /// The resource.
    pub resource: Option<usize>,
    /// The route of an extension: its index in the registry.
    pub route: Option<usize>,
}

impl Admitted {
    /// The context of a request whose caller may pass, and whose answer is in one of the two
    /// renderings, or in a media type of the project's own. The context of an action takes headers
    /// and extensions out of `parts`.
    ///
    /// # Errors
    ///
    /// 406 and 415 where the client names other media types.
    pub fn context(
        self,
        app: &Arc<ServiceState>,
        parts: &mut Parts,
        asked: Asked,
    ) -> Result<Context> {
        // A route of an extension writes its answers itself.
        let own = app.registry().media_types().iter().copied();
        let own = own.filter(|_| asked.action.is_some());
        let rendering = accept::negotiate_among(&parts.headers, app.config().api.serializer, own)?;
        body::check_type(&parts.headers)?;
        Ok(self.context_in(app, parts, asked, rendering))
    }

    /// As [`Admitted::context`], whatever media type the answer has.
    pub fn context_of_any(
        self,
        app: &Arc<ServiceState>,
        parts: &mut Parts,
        asked: Asked,
    ) -> Context {
        let rendering = accept::for_errors(&parts.headers, app.config().api.serializer);
        self.context_in(app, parts, asked, rendering)
    }

    fn context_in(
        self,
        app: &Arc<ServiceState>,
        parts: &mut Parts,
        asked: Asked,
        rendering: Rendering,
    ) -> Context {
        let own_route = asked.action.is_none();
        // Such a route updates what was sent, unless its method says that all is sent.
        let partial = match own_route {
            true => parts.method != Method::PUT,
            false => parts.method == Method::PATCH,
        };
        let id = request_id::of(parts);
        let if_match = etag::listed(&parts.headers, &header::IF_MATCH);
        let if_none_match = etag::unwanted(parts);
        // Extractors of a handler of axum's need them too.
        let (headers, extensions) = match own_route {
            true => (parts.headers.clone(), parts.extensions.clone()),
            false => (take(&mut parts.headers), take(&mut parts.extensions)),
        };
        let facts = RequestFacts {
            caller: self.caller,
            claims: self.claims,
            id,
            method: parts.method.clone(),
            headers,
            extensions,
            own_route,
            route: asked.route,
            action: asked.action,
            resource: asked.resource,
            partial,
            rendering,
            if_match,
            if_none_match,
            client: self.client,
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            now: self.now,
        };
        Context::with_facts(Arc::clone(app), facts, self.db)
    }
}

/// Checks the caller, counts the request, and lets it through. Invalid credentials are refused here,
/// on every route.
pub(super) async fn admit<F: Future<Output = Response>>(
    app: &Arc<ServiceState>,
    request: Request,
    count: Count,
    answer: impl FnOnce(Request, Admitted) -> F,
) -> Response {
    let db = database(app, request.extensions());
    let (parts, body) = request.into_parts();
    let (standing, admitted) = enter(app, &parts, &db, count).await;
    let mut response = match admitted {
        Ok(admitted) => {
            let private = !admitted.caller.is_guest();
            // In a box: the surrounding future is moved, and should be small.
            let answer = Box::pin(answer(Request::from_parts(parts, body), admitted));
            let mut response = answer.await;
            if private {
                let cache = response.headers_mut().entry(header::CACHE_CONTROL);
                cache.or_insert(PRIVATE);
            }
            response
        }
        Err(error) => error.into_response(),
    };
    if let Some(standing) = standing {
        standing.tell(response.headers_mut());
    }
    response
}

/// The caller of a request, counted; and how many requests the caller has made.
///
/// # Errors
///
/// 401 for invalid credentials, 429 beyond the limit.
pub(super) async fn enter(
    app: &Arc<ServiceState>,
    parts: &Parts,
    db: &Db,
    count: Count,
) -> (Option<Standing>, Result<Admitted>) {
    let client = client::client(parts, app.config());
    let now = app.now();
    let turn = app.limits().turn(client.address).await;
    let identity = identity(app, parts, db, (&client, now)).await;
    drop(turn);
    let caller = identity.as_ref().ok().map(|identity| &identity.caller);
    let standing = match count.of(caller, client.address) {
        Some(who) => app.limits().count(who).await,
        None => None,
    };
    let who = Counted::of(caller, client.address);
    let share = app.shares().get(who, || db.new_share());
    let within = standing.map_or(Ok(()), |standing| standing.check());
    // The decisions are read before the action is looked up.
    let within = match within {
        Ok(()) => app.keep_up(now).await,
        refused => refused,
    };
    let admitted = within.and(identity).map(|identity| Admitted {
        caller: identity.caller,
        claims: identity.claims,
        client,
        db: db.with_share(share),
        now,
    });
    (standing, admitted)
}

/// The caller: the first that an authentication of the service recognises, or that of the token.
async fn identity(
    app: &Arc<ServiceState>,
    parts: &Parts,
    db: &Db,
    (client, now): (&ClientInfo, DateTime),
) -> Result<Identity> {
    if !app.authenticators().is_empty() {
        let facts = RequestFacts {
            client: client.clone(),
            id: request_id::of(parts),
            now,
            ..RequestFacts::default()
        };
        let ctx = Context::with_facts(Arc::clone(app), facts, db.clone());
        for authenticator in app.authenticators() {
            if let Some(identity) = authenticator.identify(&ctx, parts).await? {
                return Ok(identity);
            }
        }
    }
    let caller = app.auth().caller(db, &parts.headers, now).await?;
    Ok(Identity {
        caller,
        claims: Claims::default(),
    })
}

/// A route whose requests are admitted first.
pub(super) fn admitted<H, F, R>(app: &Arc<ServiceState>, handler: H) -> MethodRouter
where
    H: Fn(Arc<ServiceState>, Request, Admitted) -> F + Send + Sync + 'static,
    F: Future<Output = R> + Send,
    R: IntoResponse,
{
    admitted_counting(app, Count::Requests, handler)
}

/// As [`admitted`], where requests without a token are counted in another way.
pub(super) fn admitted_counting<H, F, R>(
    app: &Arc<ServiceState>,
    count: Count,
    handler: H,
) -> MethodRouter
where
    H: Fn(Arc<ServiceState>, Request, Admitted) -> F + Send + Sync + 'static,
    F: Future<Output = R> + Send,
    R: IntoResponse,
{
    let (app, handler) = (Arc::clone(app), Arc::new(handler));
    any(move |request: Request| async move {
        let answer = async |request, admitted| {
            let answer = handler(Arc::clone(&app), request, admitted);
            answer.await.into_response()
        };
        admit(&app, request, count, answer).await
    })
}

/// The request's own handle of the database, which counts its statements.
pub fn database(app: &ServiceState, extensions: &Extensions) -> Db {
    let time = extensions.get::<RequestTime>();
    time.map_or_else(|| app.db().for_request(), |time| time.db.clone())
}
