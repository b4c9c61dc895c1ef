//! Permissions of administrators.

/// A permission an administrator may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permission {
    /// Its code, such as `Ext.Api.Manage`.
    pub code: &'static str,
    /// Its label in the admin area.
    pub label: &'static str,
}

/// Returns the permission that an administrator needs for a resource: `menus.read`, `menus.write`.
pub(crate) fn of_resource(key: &str, reads: bool) -> String {
    let group = if reads { "read" } else { "write" };
    format!("{key}.{group}")
}
