//! The runtime's own tables: administrators, tokens, and customers where a project has none.

use formwork_data::migration::Migration;

use crate::config::AuthConfig;

/// The name the runtime's migrations are recorded under.
pub const EXTENSION: &str = "formwork";

/// The migrations of accounts and tokens. A project whose `auth.customers` names a table of its
/// own gets no minimal one.
pub fn migrations(config: &AuthConfig) -> &'static [Migration] {
    if config.customers.is_some() {
        &[ADMIN_USERS, TOKENS, LOCATIONS]
    } else {
        &[ADMIN_USERS, TOKENS, CUSTOMERS, LOCATIONS]
    }
}

const ADMIN_USERS: Migration = Migration {
    version: 20260101000000,
    name: "create_admin_users",
    sql: &[
        (
            "sqlite",
            include_str!("../../migrations/sqlite/20260101000000_create_admin_users.sql"),
        ),
        (
            "postgres",
            include_str!("../../migrations/postgres/20260101000000_create_admin_users.sql"),
        ),
    ],
};

const TOKENS: Migration = Migration {
    version: 20260101000001,
    name: "create_api_tokens",
    sql: &[
        (
            "sqlite",
            include_str!("../../migrations/sqlite/20260101000001_create_api_tokens.sql"),
        ),
        (
            "postgres",
            include_str!("../../migrations/postgres/20260101000001_create_api_tokens.sql"),
        ),
    ],
};

const LOCATIONS: Migration = Migration {
    version: 20260101000003,
    name: "create_admin_user_locations",
    sql: &[
        (
            "sqlite",
            include_str!("../../migrations/sqlite/20260101000003_create_admin_user_locations.sql"),
        ),
        (
            "postgres",
            include_str!(
                "../../migrations/postgres/20260101000003_create_admin_user_locations.sql"
            ),
        ),
    ],
};

const CUSTOMERS: Migration = Migration {
    version: 20260101000002,
    name: "create_api_customers",
    sql: &[
        (
            "sqlite",
            include_str!("../../migrations/sqlite/20260101000002_create_api_customers.sql"),
        ),
        (
            "postgres",
            include_str!("../../migrations/postgres/20260101000002_create_api_customers.sql"),
        ),
    ],
};
