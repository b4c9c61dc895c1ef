//! Callers that the project tells by itself, beside the tokens of the service.

mod proxy;

pub use proxy::ProxyUser;

use std::future::Future;

use axum::http::request::Parts;
use formwork_data::error::Result;
use futures_util::future::BoxFuture;

use crate::{
    auth::{Account, Caller},
    claims::Claims,
    context::Context,
    state::ServiceState,
};

/// Tells the caller of a request from its head: tokens of another issuer, headers of a proxy,
/// signatures. `Service::authenticate` adds it beside the token table of the service.
///
/// ```
/// # mod formwork {
/// #     pub use axum;
/// #     pub mod auth {
/// #         pub use formwork_core::auth::AccountKind;
/// #         pub use formwork_core::authenticate::{Authenticate, Identity};
/// #     }
/// #     pub mod prelude {
/// #         pub use formwork_core::context::Context;
/// #         pub use formwork_data::{Error, Result};
/// #     }
/// # }
/// use formwork::{
///     auth::{AccountKind, Authenticate, Identity},
///     axum::http::request::Parts,
///     prelude::*,
/// };
///
/// /// A reverse proxy names the customer in a header.
/// struct Proxy;
///
/// impl Authenticate for Proxy {
///     async fn authenticate(&self, ctx: &Context, head: &Parts) -> Result<Option<Identity>> {
///         let Some(email) = head.headers.get("x-remote-user") else {
///             return Ok(None);
///         };
///         let email = email.to_str().unwrap_or_default();
///         let auth = ctx.app().auth();
///         let id = auth.account_by_email(ctx.db(), AccountKind::Customer, email).await?;
///         let id = id.ok_or_else(|| Error::unauthenticated("No account has this address."))?;
///         let account = auth.account(ctx.db(), AccountKind::Customer, id).await?;
///         Ok(account.map(Identity::new))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot authenticate callers",
    label = "expected a value whose type implements `Authenticate`"
)]
pub trait Authenticate: Send + Sync + 'static {
    /// The caller of the request with this head; `None` if it has no credentials of this kind. Then
    /// the next authentication is tried, and finally the token table of the service.
    ///
    /// `ctx` has the service's database, state and clock; its caller is a guest.
    ///
    /// # Errors
    ///
    /// [`Error::unauthenticated`](formwork_data::Error::unauthenticated) (401) where the credentials
    /// are of this kind and not valid: the request is refused on every route.
    fn authenticate(
        &self,
        ctx: &Context,
        head: &Parts,
    ) -> impl Future<Output = Result<Option<Identity>>> + Send;
}

/// `None` recognises no caller: the authentication is not configured.
impl<A: Authenticate> Authenticate for Option<A> {
    async fn authenticate(&self, ctx: &Context, head: &Parts) -> Result<Option<Identity>> {
        match self {
            Some(authenticate) => authenticate.authenticate(ctx, head).await,
            None => Ok(None),
        }
    }
}

/// The account that a request comes from, and claims about it.
#[derive(Debug, Clone)]
pub struct Identity {
    pub(crate) caller: Caller,
    pub(crate) claims: Claims,
}

impl Identity {
    /// The caller is this account: its kind, key, locations and abilities decide which requests are
    /// allowed.
    pub fn new(account: Account) -> Self {
        Self {
            caller: account.into(),
            claims: Claims::default(),
        }
    }

    /// The same with claims of the project's own type: `ctx.claims::<T>()` reads them.
    #[must_use]
    pub fn with_claims<T: Send + Sync + 'static>(self, claims: T) -> Self {
        Self {
            claims: Claims::new(claims),
            ..self
        }
    }
}

/// [`Authenticate`] with its type erased; implemented for every such type.
pub trait Authenticator: Send + Sync {
    /// As [`Authenticate::authenticate`].
    fn identify<'a>(
        &'a self,
        ctx: &'a Context,
        head: &'a Parts,
    ) -> BoxFuture<'a, Result<Option<Identity>>>;
}

impl<A: Authenticate> Authenticator for A {
    fn identify<'a>(
        &'a self,
        ctx: &'a Context,
        head: &'a Parts,
    ) -> BoxFuture<'a, Result<Option<Identity>>> {
        Box::pin(self.authenticate(ctx, head))
    }
}

/// What a service was given to tell callers by, in its order: a part of its state.
pub(crate) struct Authenticators(pub Vec<Box<dyn Authenticator>>);

impl ServiceState {
    /// Authentications beside the tokens of the service, in their order.
    pub(crate) fn authenticators(&self) -> &[Box<dyn Authenticator>] {
        self.part::<Authenticators>().map_or(&[], |all| &all.0)
    }
}
