//! Requests to the admin area.

use axum::http::{HeaderMap, Method};
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
    /// Whether the browser runs on this machine, and reached no proxy by https.
    pub fn is_local(&self) -> bool {
        let proto = self.headers.get("x-forwarded-proto");
        let is_https = proto.is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"));
        self.origin.is_loopback() && !is_https
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

    /// A member of the query string, trimmed.
    pub fn param(&self, name: &str) -> String {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        let found = pairs.find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.trim().to_owned())
            .unwrap_or_default()
    }
}
