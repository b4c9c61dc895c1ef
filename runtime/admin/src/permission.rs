//! The permissions the area brings.

use formwork_core::extension::Permission;

/// The permission that the screens require.
pub const MANAGE: &str = "Ext.Api.Manage";

/// The permissions the area brings.
pub(super) const ALL: [Permission; 1] = [Permission {
    code: MANAGE,
    label: "Manage APIs: actions, who may use them, access tokens",
}];
