//! What comes before every route but health: who asks, and how often (http.md, "Who may do what",
//! "Limits and running").

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::request::Parts,
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{client, protection};
use crate::{
    app::{App, Statements},
    auth::Caller,
    context::ClientInfo,
    database::Db,
    error::{Error, Result},
    limits::Counted,
};

/// What is known of a request when it reaches its route: an extension of it.
#[derive(Clone)]
pub(super) struct Admitted {
    /// Who asks.
    pub caller: Caller,
    /// Where from.
    pub client: ClientInfo,
    /// The request's own handle: it counts the statements, the token check among them.
    pub db: Db,
}

impl Admitted {
    /// What was found out about this request.
    ///
    /// # Errors
    ///
    /// 500 where a route stands outside of the admission.
    pub fn of(parts: &Parts) -> Result<Self> {
        let admitted = parts.extensions.get::<Self>().cloned();
        admitted.ok_or_else(|| Error::internal("a route stands outside of the admission"))
    }
}

/// Finds out who asks, counts the request, and lets it through. A token that is no good is refused
/// here, on every route.
pub(super) async fn admit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let db = parts.extensions.remove::<Db>();
    let db = db.unwrap_or_else(|| app.db().for_request());
    let client = client::client(&parts, app.config());
    let now = app.now();
    let turn = app.limits().turn(client.address, now).await;
    let caller = app.auth().caller(&db, &parts.headers, now).await;
    drop(turn);
    let who = Counted::of(caller.as_ref().ok(), client.address);
    let standing = app.limits().count(who, now).await;
    let within = standing.map_or(Ok(()), |standing| standing.check());
    let mut response = match within.and(caller) {
        Ok(caller) => {
            let private = !caller.is_guest();
            let db = db.clone();
            parts.extensions.insert(Admitted { caller, client, db });
            let mut response = next.run(Request::from_parts(parts, body)).await;
            if private {
                protection::keep_private(response.headers_mut());
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
