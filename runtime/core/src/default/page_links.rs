//! Links between the pages of a list.

use serde::Serialize;

use crate::context::Context;

/// Pages from here; null where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PageLinks {
    #[serde(rename = "self")]
    pub this: String,
    pub first: String,
    pub prev: Option<String>,
    pub next: Option<String>,
    pub last: String,
}

/// The path of the list that was asked for, as links show it.
pub(super) fn list_path(ctx: &Context) -> String {
    match ctx.resource_key() {
        Some(key) if !ctx.request().own_route => ctx.resource_path(key),
        _ => ctx.own_path(),
    }
}
