//! Extractors of axum for routes of a project's own.

mod validated;

use std::{ops::Deref, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};
use formwork_data::error::{Error, Result};

use super::{
    admission::{Asked, Count, database, enter},
    request_id::Served,
};
use crate::{context::Context, state::ServiceState};

pub use validated::{Parameters, Validated};

/// The state of this type, in a handler of axum: `State(mailer): State<Mailer>`. It is what
/// `.state(…)` gave the service; a type that was not given answers 500, and the log names it.
#[derive(Debug)]
pub struct State<T>(pub Arc<T>);

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + Sync + 'static, S: Sync> FromRequestParts<S> for State<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        service(parts)?.shared_state().map(Self)
    }
}

/// The context of a request. In a route of `Extension::mount`, which no check stands before, the
/// caller is checked and the request counted here: 401 for invalid credentials, 429 beyond the limit.
impl<S: Sync> FromRequestParts<S> for Context {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        if let Some(ctx) = parts.extensions.get::<Self>() {
            return Ok(ctx.clone());
        }
        let app = service(parts)?;
        let db = database(&app, &parts.extensions);
        let (_, admitted) = enter(&app, parts, &db, Count::Requests).await;
        let ctx = admitted?.context_of_any(&app, parts, Asked::default());
        parts.extensions.insert(ctx.clone());
        Ok(ctx)
    }
}

/// The service that answers this request.
fn service(parts: &Parts) -> Result<Arc<ServiceState>> {
    let served = parts.extensions.get::<Served>();
    served.map(|served| Arc::clone(&served.app)).ok_or_else(|| {
        Error::internal("this route is outside of the service: it has neither state nor context")
    })
}
