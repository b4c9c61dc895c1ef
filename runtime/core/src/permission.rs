//! Permissions of administrators.

/// A permission an administrator may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permission {
    /// Its code, such as `Ext.Api.Manage`.
    pub code: &'static str,
    /// Its label in the admin area.
    pub label: &'static str,
}
