//! Requests to the admin area.

use std::net::IpAddr;

use axum::http::{HeaderMap, Method, header, request::Parts, uri::Authority};
use formwork_core::auth::Origin;
use formwork_data::{database::Db, value::DateTime};

use super::sessions::Session;

/// Most rows that are chosen at once: many pages of a list.
const MOST_IDS: usize = 500;

/// A field of a form.
#[derive(Debug)]
pub(crate) struct Field {
    pub name: String,
    pub value: String,
}

/// A request to the area, read whole.
pub(crate) struct AdminRequest {
    /// Its method.
    pub method: Method,
    /// Its path below `admin.path`, without the slash at its beginning.
    pub path: String,
    /// Its query string.
    pub query: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// The host that the browser asked for, without the port.
    pub host: String,
    /// Its form; empty where it has none.
    pub body: Vec<u8>,
    /// The session of the administrator who is signed in.
    pub session: Option<Session>,
    /// The client's address, for sign-ins.
    pub origin: Origin,
    /// The request's handle to the database.
    pub db: Db,
    /// When it came.
    pub now: DateTime,
}

impl AdminRequest {
    /// Whether the browser runs on this machine: it asked for a loopback host from a loopback address,
    /// and reached no proxy by https. A proxy on this machine forwards the public host.
    pub fn is_local(&self) -> bool {
        self.origin.is_loopback() && is_loopback(&self.host) && !came_by_https(&self.headers)
    }

    /// A field of the form, trimmed; empty where it was not sent.
    pub fn field(&self, name: &str) -> String {
        self.secret(name).trim().to_owned()
    }

    /// A field of the form as it was sent: passwords are not trimmed.
    pub fn secret(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(&self.body);
        let found = pairs.find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    }

    /// Whether a box of the form is ticked.
    pub fn has(&self, name: &str) -> bool {
        form_urlencoded::parse(&self.body).any(|(key, _)| key == name)
    }

    /// The chosen rows: those of the form, or those in the query string of the address.
    pub fn ids(&self) -> Vec<i64> {
        let chosen = match self.method {
            Method::POST => self.body.as_slice(),
            _ => self.query.as_bytes(),
        };
        let pairs = form_urlencoded::parse(chosen);
        let mut ids: Vec<i64> = pairs
            .filter(|(key, _)| key == "ids")
            .filter_map(|(_, id)| id.parse().ok())
            .take(MOST_IDS)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The fields of the form, for a page that carries them: without its token, and without what
    /// questions about it were answered.
    pub fn carried(&self) -> Vec<Field> {
        let own = ["csrf", "confirmed", "back"];
        form_urlencoded::parse(&self.body)
            .filter(|(name, _)| !own.contains(&name.as_ref()))
            .map(|(name, value)| Field {
                name: name.into_owned(),
                value: value.into_owned(),
            })
            .collect()
    }

    /// Logs a change, with the administrator and its subject.
    pub fn audit(&self, what: &str, which: impl std::fmt::Display) {
        let administrator = self.session.as_ref().map(|session| session.account.id);
        tracing::info!(administrator, %which, "admin area: {what}");
    }

    /// A member of the query string, trimmed.
    pub fn param(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        let found = pairs.find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.trim().to_owned())
            .unwrap_or_default()
    }
}

/// Returns the host of a request without its port; an empty text if there is none.
pub(crate) fn host(parts: &Parts) -> String {
    let header = parts.headers.get(header::HOST);
    let header = header.and_then(|host| Authority::try_from(host.as_bytes()).ok());
    // HTTP/2 has no header `Host`.
    let authority = header.as_ref().or_else(|| parts.uri.authority());
    authority.map_or_else(String::new, |authority| authority.host().to_owned())
}

/// Whether a host leads to the browser's own machine (RFC 6761, section 6.3).
fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let host = host.to_ascii_lowercase();
    let address = address.parse::<IpAddr>();
    host == "localhost"
        || host.ends_with(".localhost")
        || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Whether a proxy says that the browser came by https (RFC 7239, section 5.4, or the header before
/// it).
fn came_by_https(headers: &HeaderMap) -> bool {
    let says = |name: &str, proto: &[u8]| {
        let mut values = headers.get_all(name).iter();
        values.any(|value| {
            let value = value.as_bytes().to_ascii_lowercase();
            value.windows(proto.len()).any(|part| part == proto)
        })
    };
    says("x-forwarded-proto", b"https")
        || says("forwarded", b"proto=https")
        || says("forwarded", b"proto=\"https")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_hosts_are_names_and_addresses_of_this_machine() {
        for local in [
            "localhost",
            "shop.LOCALHOST",
            "127.0.0.1",
            "127.1.2.3",
            "[::1]",
        ] {
            assert!(is_loopback(local), "{local}");
        }
        for other in [
            "",
            "shop.example",
            "localhost.example",
            "192.0.2.1",
            "[2001:db8::1]",
        ] {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
