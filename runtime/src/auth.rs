//! Accounts, tokens, abilities and passwords.

pub use formwork_core::{
    auth::{
        Abilities, Account, AccountKind, AdminUser, Auth, Caller, CustomerTable, Filled, Granted,
        NewAccount, NewToken, assign_locations, hash_password, random_text, revoke_account_tokens,
        set_permissions, verify_password,
    },
    authenticate::{Authenticate, Identity, ProxyUser},
    claims::Claims,
};
#[cfg(feature = "oidc")]
pub use formwork_oidc::{OidcClaims, OidcTokens};
