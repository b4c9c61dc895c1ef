//! The configuration of a service: `formwork.yaml`, then variables of the environment, which win.

mod app;
mod error;
mod load;
mod read;
mod source;
mod value;

use std::{collections::BTreeMap, net::IpAddr, time::Duration};

use formwork_data::database::DatabaseOptions;

pub use app::AppSettings;
pub use error::ConfigError;
pub use value::Network;

/// The settings of a service: a field for each section of the core, and the keys of other parts.
#[derive(Debug, Clone)]
pub struct Config {
    /// The section `database`: its address, its connections and their limits.
    pub database: DatabaseOptions,
    /// The section `server`: the address to listen on, and limits of connections.
    pub server: ServerConfig,
    /// The section `api`: paths, limits and renderings of the API.
    pub api: ApiConfig,
    /// The section `auth`: accounts, tokens and logins.
    pub auth: AuthConfig,
    /// The section `log`: level and format of the log.
    pub log: LogConfig,
    /// `app`: settings of the project's own.
    pub app: AppSettings,
    /// The keys of optional parts of the runtime, such as `admin.path`: see [`Config::setting`].
    pub settings: BTreeMap<&'static str, String>,
}

impl Config {
    /// The value of a key that an optional part of the runtime reads, such as `admin.path`; `None`
    /// where it is not set and has no default. It is checked by the kind of the key.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }
}

/// Where the service listens.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// `server.addr`: `host:port`.
    pub addr: String,
    /// `server.max_connections`: a further one is answered 503.
    pub max_connections: u32,
    /// `server.shutdown_timeout`: how long a stopping service waits for requests in flight.
    pub shutdown_timeout: Duration,
}

/// How resources are rendered for clients that accept `application/json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SerializerKind {
    /// `{"data": …}`.
    Data,
    /// JSON:API documents for `application/json` too.
    JsonApi,
}

/// The API: the section `api` of `formwork.yaml`.
#[derive(Debug, Clone)]
pub struct ApiConfig {
    /// `api.title`: its title in the description.
    pub title: String,
    /// `api.version`: its version in the description.
    pub version: String,
    /// `api.prefix`: begins with a slash, ends with none; empty where resources are at the root.
    pub prefix: String,
    /// `api.base_url`: prefixes links and `Location`; without a slash at its end.
    pub base_url: Option<String>,
    /// `api.serializer`: the rendering for clients that accept `application/json`.
    pub serializer: SerializerKind,
    /// `api.rate_limit`: requests a minute; 0 for no limit.
    pub rate_limit: u32,
    /// `api.trusted_proxies`: proxies whose `X-Forwarded-For` is read.
    pub trusted_proxies: Vec<Network>,
    /// `api.body_limit`, in bytes.
    pub body_limit: usize,
    /// `api.request_timeout`: the time a request may take before it is a 503.
    pub request_timeout: Duration,
    /// `api.cors`: the pages of other origins that may use the API.
    pub cors: CorsConfig,
}

impl ApiConfig {
    /// Whether this peer is a proxy whose `X-Forwarded-For` is read.
    pub fn trusts(&self, peer: IpAddr) -> bool {
        self.trusted_proxies
            .iter()
            .any(|network| network.contains(peer))
    }

    /// The path of a link, with `api.base_url` before it where that is set: `/menus/1` becomes
    /// `/api/menus/1`.
    pub fn link(&self, path: &str) -> String {
        [self.base_url(), &self.prefix, path].concat()
    }

    /// The link of a resource by its key.
    pub(crate) fn resource(&self, key: &str) -> String {
        let base = self.base_url();
        // Room for the id of a record.
        let mut link = String::with_capacity(base.len() + self.prefix.len() + key.len() + 24);
        for part in [base, &self.prefix, "/", key] {
            link.push_str(part);
        }
        link
    }

    fn base_url(&self) -> &str {
        self.base_url.as_deref().unwrap_or_default()
    }
}

/// Which pages of other origins may call: any origin by default, without credentials.
#[derive(Debug, Clone)]
pub struct CorsConfig {
    /// `api.cors.origins`: the origins whose pages may use the API.
    pub origins: Vec<String>,
    /// `api.cors.methods`: the methods that these pages may use.
    pub methods: Vec<String>,
    /// `api.cors.headers`: the headers that these pages may send.
    pub headers: Vec<String>,
    /// `api.cors.credentials`: whether these pages may send cookies and credentials of their own.
    pub credentials: bool,
    /// `api.cors.max_age`: how long a browser keeps the answer to a preflight.
    pub max_age: Duration,
}

/// Accounts and tokens: the section `auth` of `formwork.yaml`.
#[derive(Debug, Clone)]
pub struct AuthConfig {
    /// `auth.customers`: the table of customers; none for the runtime's minimal one.
    pub customers: Option<String>,
    /// `auth.token_lifetime`: none for tokens that do not expire.
    pub token_lifetime: Option<Duration>,
    /// `auth.max_tokens`: how many tokens of an account may be valid at once.
    pub max_tokens: u32,
    /// `auth.authorization_header`: a header that is read where `Authorization` did not arrive.
    pub authorization_header: Option<String>,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Settings of the log.
#[derive(Debug, Clone)]
pub struct LogConfig {
    /// `log.level`: a level, or a filter such as `info,sqlx=warn`.
    pub level: String,
    /// `log.format`; none: text on a terminal, JSON elsewhere.
    pub format: Option<LogFormat>,
}

#[cfg(test)]
mod tests;
