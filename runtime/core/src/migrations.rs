//! The runtime's own tables.

use formwork_data::migration::Migration;

use crate::{auth, config::AuthConfig, tag_key};

/// The migrations of accounts and tokens, of secrets, and of the keys that requests are named by.
pub(crate) fn own(config: &AuthConfig) -> impl Iterator<Item = &'static [Migration]> {
    [auth::migrations(config), tag_key::MIGRATIONS, IDEMPOTENCY].into_iter()
}

/// The table of `Idempotency-Key`s.
const IDEMPOTENCY: &[Migration] = &[Migration {
    version: 20260101000010,
    name: "create_idempotency_keys",
    sql: &[
        (
            "sqlite",
            include_str!("../migrations/sqlite/20260101000010_create_idempotency_keys.sql"),
        ),
        (
            "postgres",
            include_str!("../migrations/postgres/20260101000010_create_idempotency_keys.sql"),
        ),
    ],
}];
