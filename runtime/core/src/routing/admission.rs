//! Before every route but health the token is checked, and the request counted (docs/contract.md,
//! "Who may do what", "Limits and running").

use std::{future::Future, net::IpAddr, sync::Arc};

use axum::{
    extract::Request,
    http::{Method, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{MethodRouter, any},
};
use formwork_data::{database::Db, error::Result, value::DateTime};

use super::{accept, body, client, layers::PRIVATE};
use crate::{
    action::Action,
    auth::Caller,
    context::{ClientInfo, Context, RequestFacts},
    etag,
    limits::Counted,
    state::{ServiceState, Statements},
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
    /// Where from.
    pub client: ClientInfo,
    /// The request's own handle: it counts the statements, the token check among them.
    pub db: Db,
    /// The moment it came, in whole seconds.
    pub now: DateTime,
}

impl Admitted {
    /// The context of a request whose caller may pass.
    pub fn context(
        self,
        app: &Arc<ServiceState>,
        parts: &Parts,
        action: Option<Action>,
        resource: Option<usize>,
    ) -> Result<Context> {
        let rendering = accept::negotiate(&parts.headers, app.config().api.serializer)?;
        body::check_type(&parts.headers)?;
        let facts = RequestFacts {
            caller: self.caller,
            action,
            resource,
            partial: parts.method == Method::PATCH,
            rendering,
            if_match: etag::listed(&parts.headers, &header::IF_MATCH),
            if_none_match: etag::unwanted(parts),
            client: self.client,
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            now: self.now,
        };
        Ok(Context::with_facts(Arc::clone(app), facts, self.db))
    }
}

/// Checks the token, counts the request, and lets it through. An invalid token is refused here, on
/// every route.
pub(super) async fn admit<F: Future<Output = Response>>(
    app: &Arc<ServiceState>,
    mut request: Request,
    count: Count,
    answer: impl FnOnce(Request, Admitted) -> F,
) -> Response {
    let db = database(app, &mut request);
    let (parts, body) = request.into_parts();
    let client = client::client(&parts, app.config());
    let now = app.now();
    let turn = app.limits().turn(client.address, now).await;
    let caller = app.auth().caller(&db, &parts.headers, now).await;
    drop(turn);
    let standing = match count.of(caller.as_ref().ok(), client.address) {
        Some(who) => app.limits().count(who, now).await,
        None => None,
    };
    let within = standing.map_or(Ok(()), |standing| standing.check());
    // The decisions are read before the action is looked up.
    let within = match within {
        Ok(()) => app.keep_up(now).await,
        refused => refused,
    };
    let mut response = match within.and(caller) {
        Ok(caller) => {
            let private = !caller.is_guest();
            let admitted = Admitted {
                caller,
                client,
                db: db.clone(),
                now,
            };
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
        .extensions_mut()
        .insert(Statements(db.statements()));
    response
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
pub fn database(app: &ServiceState, request: &mut Request) -> Db {
    let own = request.extensions_mut().remove();
    own.unwrap_or_else(|| app.db().for_request())
}
