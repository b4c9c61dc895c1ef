//! Tables that the runtime makes in every database: no manifest may describe them.

/// The tables, sorted. Those that begin with [`PREFIX`] are reserved as a whole.
pub const RUNTIME: &[&str] = &[
    "admin_sessions",
    "admin_user_locations",
    "admin_users",
    "api_customers",
    "api_identities",
    "api_resources",
    "api_tokens",
    "idempotency_keys",
];

/// Names that begin so are reserved for the runtime.
pub const PREFIX: &str = "formwork_";

/// Whether a table of this name belongs to the runtime. Databases that ignore case see one table in `API_TOKENS`
/// and `api_tokens`.
#[must_use]
pub fn is_runtime(table: &str) -> bool {
    let table = table.to_ascii_lowercase();
    table.starts_with(PREFIX) || RUNTIME.contains(&table.as_str())
}
