//! The runtime's own tables.

use formwork_data::migration::Migration;

use crate::{auth, config::AuthConfig, idempotency_keys, tag_key};

/// The migrations of accounts and tokens, of secrets, and of the keys that requests are named by.
pub(crate) fn own(config: &AuthConfig) -> impl Iterator<Item = &'static [Migration]> {
    [
        auth::migrations(config),
        tag_key::MIGRATIONS,
        idempotency_keys::MIGRATIONS,
    ]
    .into_iter()
}
