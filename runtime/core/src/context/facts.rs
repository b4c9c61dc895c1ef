//! Facts of a request that are known before it is answered.

use std::net::IpAddr;

use axum::http::{Extensions, HeaderMap, Method};
use formwork_data::value::DateTime;

use crate::{action::Action, auth::Caller, claims::Claims, rendering::Rendering};

/// The facts of a request that do not change while it is answered.
#[derive(Debug, Clone, Default)]
pub struct RequestFacts {
    /// The caller: a guest, a customer or an administrator.
    pub caller: Caller,
    /// Claims about the caller, which an [`Authenticate`](crate::authenticate::Authenticate) gave.
    pub claims: Claims,
    /// The id of the request, which its answer and the log carry; empty outside of requests.
    pub id: String,
    /// The method of the request.
    pub method: Method,
    /// The headers of the request.
    pub headers: HeaderMap,
    /// The values that layers gave the request.
    pub extensions: Extensions,
    /// Whether a route answers that is no resource's.
    pub own_route: bool,
    /// The route of an extension that answers: its index in the registry.
    pub route: Option<usize>,
    /// The action that was routed to, if it is a resource's.
    pub action: Option<Action>,
    /// The resource that was routed to: its index in the registry.
    pub resource: Option<usize>,
    /// Whether only the attributes that were sent are to be checked: `PATCH`.
    pub partial: bool,
    /// How the answer is written.
    pub rendering: Rendering,
    /// `If-Match`: the state that a record must have for its change (RFC 9110, section 13.1.1).
    pub if_match: Option<String>,
    /// `If-None-Match` of a change: states that the record must not have (RFC 9110, section
    /// 13.1.2).
    pub if_none_match: Option<String>,
    /// Where the request came from.
    pub client: ClientInfo,
    /// The path as the client wrote it.
    pub path: String,
    /// The query string as the client wrote it, without `?`.
    pub query: String,
    /// The moment the request began, in whole seconds.
    pub now: DateTime,
}

/// Where a request came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClientInfo {
    /// The client's address: that of the socket, or the one that a trusted proxy forwarded.
    pub address: Option<IpAddr>,
    /// `User-Agent`, if it was sent and is readable.
    pub user_agent: Option<String>,
}
