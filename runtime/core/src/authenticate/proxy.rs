//! Callers that a reverse proxy signed in.

use std::net::SocketAddr;

use axum::{
    extract::ConnectInfo,
    http::{HeaderName, request::Parts},
};
use formwork_data::error::{Error, Result};

use super::{Authenticate, Identity};
use crate::{
    auth::{Account, AccountKind},
    context::Context,
};

/// Callers that a reverse proxy signed in: it sends their e-mail address in a header, as oauth2-proxy
/// and Authelia do. The header counts only in requests that come from a proxy in
/// `api.trusted_proxies`; it is 401 elsewhere, since any client could send it.
///
/// The proxy has to remove the header from what clients send.
pub struct ProxyUser {
    header: HeaderName,
    kind: AccountKind,
    grant: Option<Box<Grant>>,
}

/// What the project's code grants an administrator.
type Grant = dyn Fn(Account, &Parts) -> Account + Send + Sync;

impl ProxyUser {
    /// Customers whose e-mail address is in this header, such as `x-forwarded-email`.
    ///
    /// # Panics
    ///
    /// Where it is not the name of a header, in small letters.
    pub fn new(header: &'static str) -> Self {
        Self {
            header: HeaderName::from_static(header),
            kind: AccountKind::Customer,
            grant: None,
        }
    }

    /// They are administrators. They have no permissions, unless [`ProxyUser::grant`] grants some.
    #[must_use]
    pub fn administrators(self) -> Self {
        Self {
            kind: AccountKind::Admin,
            ..self
        }
    }

    /// Grants administrators their permissions: the closure gets the account as `admin_users` has it, with
    /// its permissions there, and the head of the request; it returns the account that calls.
    #[must_use]
    pub fn grant(self, grant: impl Fn(Account, &Parts) -> Account + Send + Sync + 'static) -> Self {
        let grant = Some(Box::new(grant) as Box<Grant>);
        Self { grant, ..self }
    }
}

impl Authenticate for ProxyUser {
    async fn authenticate(&self, ctx: &Context, head: &Parts) -> Result<Option<Identity>> {
        let mut sent = head.headers.get_all(&self.header).iter();
        let Some(email) = sent.next() else {
            return Ok(None);
        };
        let peer = head.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| address.ip().to_canonical());
        if !peer.is_some_and(|peer| ctx.config().api.trusts(peer)) {
            let message = format!(
                "The header `{}` is accepted from trusted proxies only.",
                self.header
            );
            return Err(Error::unauthenticated(message));
        }
        let unknown = || Error::unauthenticated("No account has the address that the proxy sent.");
        let email = email.to_str().ok().filter(|_| sent.next().is_none());
        let auth = ctx.app().auth();
        let id = match email {
            Some(email) => auth.account_by_email(ctx.db(), self.kind, email).await?,
            None => None,
        };
        let account = auth
            .account(ctx.db(), self.kind, id.ok_or_else(unknown)?)
            .await?;
        let account = account.ok_or_else(unknown)?;
        Ok(Some(Identity::new(match &self.grant {
            Some(grant) => grant(account, head),
            None => account.without_permissions(),
        })))
    }
}
