//! Settings made into a [`Config`]: kinds of values, and the defaults.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Method};
use serde_json::Value as Json;

use super::{
    AdminConfig, ApiConfig, AuthConfig, Config, ConfigError, CorsConfig, DatabaseConfig,
    DatabaseKind, LogConfig, LogFormat, SerializerKind, ServerConfig,
    source::{Setting, Settings},
    value,
};

const KINDS: &[(&str, DatabaseKind)] = &[
    ("sqlite", DatabaseKind::Sqlite),
    ("postgres", DatabaseKind::Postgres),
    ("mysql", DatabaseKind::Mysql),
];

/// The defaults of every key.
pub(super) fn defaults() -> Config {
    Reader::new(Settings::new()).config()
}

/// Reads every key, or tells every mistake.
pub(super) fn read(settings: Settings) -> Result<Config, ConfigError> {
    let mut reader = Reader::new(settings);
    let config = reader.config();
    if reader.mistakes.is_empty() {
        Ok(config)
    } else {
        Err(ConfigError::new(reader.mistakes))
    }
}

struct Reader {
    settings: Settings,
    mistakes: Vec<String>,
}

impl Reader {
    fn new(settings: Settings) -> Self {
        Self {
            settings,
            mistakes: Vec::new(),
        }
    }

    fn config(&mut self) -> Config {
        Config {
            database: self.database(),
            server: self.server(),
            api: self.api(),
            auth: self.auth(),
            admin: AdminConfig {
                path: self.path("admin.path", "/admin"),
            },
            redis_url: self.text("redis.url"),
            log: self.log(),
        }
    }

    fn database(&mut self) -> DatabaseConfig {
        DatabaseConfig {
            kinds: self.kinds(),
            url: self
                .text("database.url")
                .unwrap_or_else(|| "sqlite://data/app.sqlite".to_owned()),
            pool_max: self.integer("database.pool.max", 1, 10),
            pool_min: self.integer("database.pool.min", 0, 0),
            acquire_timeout: self.duration("database.pool.acquire_timeout", 5),
            idle_timeout: self.duration("database.pool.idle_timeout", 600),
        }
    }

    fn server(&mut self) -> ServerConfig {
        ServerConfig {
            addr: self
                .text("server.addr")
                .unwrap_or_else(|| "127.0.0.1:8000".to_owned()),
            max_connections: self.integer("server.max_connections", 1, 1000),
            shutdown_timeout: self.duration("server.shutdown_timeout", 30),
        }
    }

    fn api(&mut self) -> ApiConfig {
        let serializers = [
            ("data", SerializerKind::Data),
            ("json_api", SerializerKind::JsonApi),
        ];
        let serializer = self.word("api.serializer", &serializers);
        let named =
            |name: Option<String>, default: &str| name.unwrap_or_else(|| default.to_owned());
        ApiConfig {
            title: named(self.text("api.title"), "REST API"),
            version: named(self.text("api.version"), "1"),
            prefix: self.path("api.prefix", "/api"),
            base_url: self.base_url(),
            serializer: serializer.unwrap_or(SerializerKind::Data),
            rate_limit: self.integer("api.rate_limit", 0, 60),
            trusted_proxies: self.networks(),
            body_limit: self.size("api.body_limit", 1 << 20),
            request_timeout: self.duration("api.request_timeout", 30),
            cors: self.cors(),
        }
    }

    fn cors(&mut self) -> CorsConfig {
        let any = || vec!["*".to_owned()];
        let cors = CorsConfig {
            origins: self.list("api.cors.origins").unwrap_or_else(any),
            methods: self.list("api.cors.methods").unwrap_or_else(any),
            headers: self.list("api.cors.headers").unwrap_or_else(any),
            credentials: self.boolean("api.cors.credentials").unwrap_or(false),
            max_age: self.duration("api.cors.max_age", 0),
        };
        for (key, words, is_valid) in [
            (
                "origins",
                &cors.origins,
                is_word::<HeaderValue> as fn(&str) -> bool,
            ),
            ("methods", &cors.methods, is_word::<Method>),
            ("headers", &cors.headers, is_word::<HeaderName>),
        ] {
            let faulty = words.iter().filter(|word| !is_valid(word.as_str()));
            let mistake =
                |word: &String| format!("api.cors.{key}: `{word}` cannot be sent in a header");
            self.mistakes.extend(faulty.map(mistake));
        }
        // It would let every page of the world act in the name of whoever looks at it.
        if cors.credentials && cors.origins.iter().any(|origin| origin == "*") {
            self.mistakes.push(
                "api.cors.credentials: true needs api.cors.origins to name the origins, without `*`"
                    .to_owned(),
            );
        }
        cors
    }

    fn auth(&mut self) -> AuthConfig {
        AuthConfig {
            customers: self.text("auth.customers"),
            token_lifetime: self
                .optional_duration("auth.token_lifetime")
                .filter(|it| !it.is_zero()),
            token_cache: self
                .optional_duration("auth.token_cache")
                .filter(|it| !it.is_zero()),
            authorization_header: self.header("auth.authorization_header"),
        }
    }

    fn log(&mut self) -> LogConfig {
        let formats = [("text", LogFormat::Text), ("json", LogFormat::Json)];
        LogConfig {
            level: self.level(),
            format: self.word("log.format", &formats),
        }
    }

    /// The value of a key, unless it is null.
    fn setting(&self, key: &str) -> Option<Setting> {
        self.settings
            .get(key)
            .filter(|setting| !setting.value.is_null())
            .cloned()
    }

    /// The value of a key as `read` understands it, else a mistake: what was expected.
    fn value<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Json) -> Option<T>,
    ) -> Option<T> {
        let setting = self.setting(key)?;
        let value = read(&setting.value);
        if value.is_none() {
            self.mistakes
                .push(format!("{}: expected {expected}", setting.origin));
        }
        value
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.value(key, "a text", |value| Some(value.as_str()?.to_owned()))
    }

    fn integer(&mut self, key: &str, least: u32, default: u32) -> u32 {
        let expected = format!("a whole number, {least} or more");
        let number = |value: &Json| {
            scalar(value)?
                .parse()
                .ok()
                .filter(|number| *number >= least)
        };
        self.value(key, &expected, number).unwrap_or(default)
    }

    fn boolean(&mut self, key: &str) -> Option<bool> {
        self.value(key, "true or false", |value| scalar(value)?.parse().ok())
    }

    fn optional_duration(&mut self, key: &str) -> Option<Duration> {
        let expected = "a duration such as 30s, 5m, 12h or 30d";
        self.value(key, expected, |value| value::duration(&scalar(value)?))
    }

    fn duration(&mut self, key: &str, default: u64) -> Duration {
        self.optional_duration(key)
            .unwrap_or(Duration::from_secs(default))
    }

    fn size(&mut self, key: &str, default: usize) -> usize {
        let expected = "a size such as 1048576, 512KiB or 1MiB";
        self.value(key, expected, |value| value::size(&scalar(value)?))
            .unwrap_or(default)
    }

    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let expected = words
            .iter()
            .map(|(word, _)| *word)
            .collect::<Vec<_>>()
            .join(" or ");
        let find = |value: &Json| {
            let wanted = value.as_str()?;
            words
                .iter()
                .find(|(word, _)| *word == wanted)
                .map(|(_, meaning)| *meaning)
        };
        self.value(key, &expected, find)
    }

    /// A list, or in a variable its items with commas between.
    fn list(&mut self, key: &str) -> Option<Vec<String>> {
        self.value(key, "a list of texts", items)
    }

    fn kinds(&mut self) -> Vec<DatabaseKind> {
        let expected = "sqlite, postgres or mysql, or a list of them";
        let kind = |word: &String| KINDS.iter().find(|(name, _)| name == word).map(|it| it.1);
        let kinds = |value: &Json| items(value)?.iter().map(kind).collect::<Option<Vec<_>>>();
        let some = self.value("database.kinds", expected, |value| {
            kinds(value).filter(|kinds| !kinds.is_empty())
        });
        some.unwrap_or_else(|| vec![DatabaseKind::Sqlite])
    }

    fn networks(&mut self) -> Vec<value::Network> {
        let expected = "a list of addresses such as 10.0.0.1 or 10.0.0.0/8";
        let networks = |value: &Json| items(value)?.iter().map(|it| it.parse().ok()).collect();
        self.value("api.trusted_proxies", expected, networks)
            .unwrap_or_default()
    }

    /// A path without a slash at its end.
    fn path(&mut self, key: &str, default: &str) -> String {
        let path = |value: &Json| {
            let path = value.as_str().filter(|path| path.starts_with('/'))?;
            let legal = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
            path.chars()
                .all(legal)
                .then(|| path.trim_end_matches('/').to_owned())
        };
        let expected = "a path such as /api, of letters, digits, - _ . ~";
        self.value(key, expected, path)
            .unwrap_or_else(|| default.to_owned())
    }

    fn base_url(&mut self) -> Option<String> {
        let url = |value: &Json| {
            let url = value.as_str()?;
            let host = url
                .strip_prefix("https://")
                .or_else(|| url.strip_prefix("http://"))?;
            (!host.is_empty() && !host.starts_with('/'))
                .then(|| url.trim_end_matches('/').to_owned())
        };
        self.value(
            "api.base_url",
            "an address such as https://example.com",
            url,
        )
    }

    fn header(&mut self, key: &str) -> Option<String> {
        let header = |value: &Json| {
            let name = value.as_str()?;
            axum::http::HeaderName::from_bytes(name.as_bytes())
                .ok()
                .map(|_| name.to_owned())
        };
        self.value(key, "the name of a header", header)
    }

    fn level(&mut self) -> String {
        let expected = "error, warn, info, debug, trace, or a filter such as info,sqlx=warn";
        let level = |value: &Json| {
            let level = value.as_str()?;
            crate::log::filter(level).map(|_| level.to_owned())
        };
        self.value("log.level", expected, level)
            .unwrap_or_else(|| "info".to_owned())
    }
}

/// A scalar as it is written: numbers and truths of the file read like the texts of variables.
fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_owned()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn items(value: &Json) -> Option<Vec<String>> {
    match value {
        Json::String(text) => {
            let items = text
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty());
            Some(items.map(str::to_owned).collect())
        }
        Json::Array(items) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect(),
        _ => None,
    }
}

/// Whether a word can stand in a CORS header.
fn is_word<T: std::str::FromStr>(word: &str) -> bool {
    word.parse::<T>().is_ok()
}
