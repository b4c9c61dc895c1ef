//! Callers with tokens of an OpenID Connect issuer (RFC 9068, OpenID Connect Discovery 1.0).
//!
//! A part of `formwork`, whose documentation says how it is used.

#![forbid(unsafe_code)]

mod claims;
mod fetch;
mod identities;
mod keys;
mod tokens;

pub use claims::OidcClaims;
pub use identities::Identities;
pub use tokens::OidcTokens;
