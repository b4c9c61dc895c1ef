//! The runtime's own tables: administrators, tokens, and customers where a project has none.

use formwork_data::{migration::Migration, own_migration};

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

const ADMIN_USERS: Migration = own_migration!(20260101000000, "create_admin_users");

const TOKENS: Migration = own_migration!(20260101000001, "create_api_tokens");

const LOCATIONS: Migration = own_migration!(20260101000003, "create_admin_user_locations");

const CUSTOMERS: Migration = own_migration!(20260101000002, "create_api_customers");
