//! Tokens of an issuer, as callers of the service.

use axum::http::request::Parts;
use formwork_core::{
    auth::{Abilities, Account, AccountKind, NO_VALID_TOKEN, NewAccount},
    authenticate::{Authenticate, Identity},
    context::Context,
};
use formwork_data::error::{Error, Result};
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, dangerous::insecure_decode_claims, decode, decode_header,
    errors::ErrorKind,
};
use serde::Deserialize;

use crate::{
    claims::OidcClaims,
    identities::Subject,
    keys::{Keys, NoKey},
};

/// Signatures that can be checked with a public key. With a shared secret, anybody who knows the
/// public key could sign (RFC 8725, section 2.1).
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Characters of a subject at most.
const MAX_SUBJECT: usize = 255;

/// Letters of the random password of a created account, which is not shown or sent.
const PASSWORD: usize = 40;

/// Authenticates callers by tokens of an OpenID Connect issuer in `Authorization: Bearer`. The
/// service's own tokens stay valid.
///
/// ```no_run
/// # use formwork_oidc::OidcTokens;
/// # struct Service;
/// # impl Service { fn authenticate(self, _: OidcTokens) -> Self { self } }
/// # fn service() -> Service { Service }
/// service().authenticate(
///     OidcTokens::new("https://login.example.com/realms/shop", "shop-api").create_customers(),
/// )
/// # ;
/// ```
///
/// A token is valid if its signature matches a key of the issuer (read by
/// `/.well-known/openid-configuration`), and if issuer, audience and times are right. Its subject
/// is an account of the service: the one in `api_identities`, otherwise the active one with the
/// e-mail address that the issuer verified. `scope` becomes the abilities.
pub struct OidcTokens {
    issuer: String,
    audience: String,
    kind: AccountKind,
    creates: bool,
    without_scope: Vec<&'static str>,
    grant: Option<Box<Grant>>,
    keys: Keys,
}

/// What the project's code grants an administrator.
type Grant = dyn Fn(Account, &OidcClaims) -> Account + Send + Sync;

#[derive(Deserialize)]
struct Issued {
    iss: String,
}

impl OidcTokens {
    /// Tokens of customers, of this issuer (`iss`, letter by letter) and for this audience (`aud`).
    pub fn new(issuer: impl Into<String>, audience: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            audience: audience.into(),
            kind: AccountKind::Customer,
            creates: false,
            without_scope: Vec::new(),
            grant: None,
            keys: Keys::default(),
        }
    }

    /// Its accounts are administrators. They are found by their e-mail address, never made. They have no
    /// permissions, unless [`OidcTokens::grant`] grants some.
    #[must_use]
    pub fn administrators(self) -> Self {
        Self {
            kind: AccountKind::Admin,
            creates: false,
            ..self
        }
    }

    /// Grants administrators their permissions: the closure gets the account as `admin_users` has it, with
    /// its permissions there, and returns the account that calls.
    #[must_use]
    pub fn grant(
        self,
        grant: impl Fn(Account, &OidcClaims) -> Account + Send + Sync + 'static,
    ) -> Self {
        let grant = Some(Box::new(grant) as Box<Grant>);
        Self { grant, ..self }
    }

    /// A customer is made where none has the e-mail address that the issuer verified. Without this
    /// such a token is 401.
    #[must_use]
    pub fn create_customers(self) -> Self {
        Self {
            creates: self.kind == AccountKind::Customer,
            ..self
        }
    }

    /// The abilities of a token without `scope`; none by default.
    #[must_use]
    pub fn without_scope(self, abilities: &[&'static str]) -> Self {
        Self {
            without_scope: abilities.to_vec(),
            ..self
        }
    }

    /// Whether the token says that it is of this issuer; nothing about it is verified.
    fn claims_to_be_ours(&self, token: &str) -> bool {
        insecure_decode_claims::<Issued>(token).is_ok_and(|issued| issued.iss == self.issuer)
    }

    async fn verified(&self, token: &str) -> Result<OidcClaims> {
        let invalid = || Error::unauthenticated(NO_VALID_TOKEN);
        let header = decode_header(token).map_err(|_| invalid())?;
        // No extension is implemented, so a critical one cannot be honoured (RFC 7515, section 4.1.11).
        if !ALGORITHMS.contains(&header.alg) || header.crit.is_some() {
            return Err(invalid());
        }
        let key = match self.keys.find(&self.issuer, &header).await {
            Ok(key) => key,
            Err(NoKey::Unknown) => return Err(invalid()),
            Err(NoKey::Unreachable) => {
                let message = "The issuer of the token does not answer.";
                return Err(Error::Unavailable(message.to_owned()));
            }
        };
        let named = key.common.key_algorithm.map(|named| named.to_string());
        if named.is_some_and(|named| named != format!("{:?}", header.alg)) {
            return Err(invalid());
        }
        let key = DecodingKey::from_jwk(&key).map_err(|_| invalid())?;
        let mut validation = Validation::new(header.alg);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.validate_nbf = true;
        let decoded = decode(token, &key, &validation);
        let decoded = decoded.map_err(|error| match error.kind() {
            ErrorKind::ExpiredSignature => Error::unauthenticated("The token has expired."),
            ErrorKind::InvalidAudience => {
                Error::unauthenticated("The token is for another audience.")
            }
            _ => invalid(),
        })?;
        let claims = OidcClaims::new(decoded.claims);
        if !is_valid_subject(claims.subject()) {
            return Err(invalid());
        }
        Ok(claims)
    }

    /// The account of the service that the claims are about.
    async fn account(&self, ctx: &Context, claims: &OidcClaims) -> Result<Account> {
        let subject = Subject {
            issuer: &self.issuer,
            subject: claims.subject(),
            kind: self.kind,
        };
        let id = match subject.account(ctx.db()).await? {
            Some(id) => id,
            None => match self.first_sight(ctx, subject, claims).await {
                Ok(id) => id,
                // Another first request was faster.
                Err(error) => subject.account(ctx.db()).await?.ok_or(error)?,
            },
        };
        let account = ctx.app().auth().account(ctx.db(), self.kind, id).await?;
        let account = account.ok_or_else(|| {
            Error::unauthenticated("The account of this token is inactive or gone.")
        })?;
        let account = match &self.grant {
            Some(grant) => grant(account, claims),
            None => account.without_permissions(),
        };
        let without_scope = || Abilities::parse(self.without_scope.iter().copied()).ok();
        let abilities = claims.abilities().or_else(without_scope);
        Ok(Account {
            abilities: abilities.ok_or_else(|| {
                Error::internal("OidcTokens::without_scope: a word is not an ability")
            })?,
            ..account
        })
    }

    /// Links the subject to the account with its e-mail address, or makes one.
    async fn first_sight(
        &self,
        ctx: &Context,
        subject: Subject<'_>,
        claims: &OidcClaims,
    ) -> Result<i64> {
        let transaction = ctx.db().begin().await?;
        let db = transaction.db();
        if let Some(id) = subject.account(db).await? {
            return Ok(id);
        }
        let auth = ctx.app().auth();
        let unknown = || Error::unauthenticated("No account of this service has this token.");
        // PostgreSQL stores no U+0000, so no account has such an address.
        let email = claims.verified_email().filter(|it| !it.contains('\0'));
        let email = email.ok_or_else(unknown)?;
        let found = auth.account_by_email(db, self.kind, email).await?;
        let id = match found {
            Some(id) => id,
            None if self.creates => {
                let account = NewAccount {
                    kind: self.kind,
                    email: email.to_owned(),
                    username: None,
                    name: claims.name().map(str::to_owned),
                    password: ctx.random_text(PASSWORD),
                };
                let made = account.insert(db, auth.customers(), ctx.now()).await;
                made.map_err(|error| match error {
                    // An inactive account has the address.
                    Error::Validation(_) => unknown(),
                    other => other,
                })?
            }
            None => return Err(unknown()),
        };
        subject.keep(db, id, ctx.now()).await?;
        transaction.commit().await?;
        tracing::info!(
            issuer = self.issuer,
            account = id,
            kind = self.kind.name(),
            made = found.is_none(),
            "an account of an issuer was linked"
        );
        Ok(id)
    }
}

/// Checks that a subject can be stored in `api_identities` on every database: it has 1 to 255
/// characters (OpenID Connect Core 1.0, section 2), and PostgreSQL stores no U+0000.
fn is_valid_subject(subject: &str) -> bool {
    (1..=MAX_SUBJECT).contains(&subject.chars().count()) && !subject.contains('\0')
}

impl Authenticate for OidcTokens {
    async fn authenticate(&self, ctx: &Context, head: &Parts) -> Result<Option<Identity>> {
        let token = ctx.app().auth().bearer_token(&head.headers);
        let Some(token) = token.filter(|token| self.claims_to_be_ours(token)) else {
            return Ok(None);
        };
        let claims = self.verified(token).await?;
        let account = self.account(ctx, &claims).await?;
        Ok(Some(Identity::new(account).with_claims(claims)))
    }
}
