//! Settings made into a [`Config`]: kinds of values, and the defaults.

use std::{collections::BTreeMap, time::Duration};

use axum::http::{HeaderName, HeaderValue, Method};
use formwork_data::database::{DatabaseOptions, Isolation, Synchronous};
use formwork_vocabulary::config::{self, ConfigKey, ConfigKind};
use serde_json::Value as Json;
use tracing_subscriber::filter::Targets;

use super::{
    ApiConfig, AppSettings, AuthConfig, Config, CorsConfig, LogConfig, LogFormat, SerializerKind,
    ServerConfig,
    source::{Setting, Settings},
    value,
};

/// The sections that have fields in [`Config`], and the generator's own.
const SECTIONS: [&str; 7] = [
    "database", "server", "api", "auth", "log", "generate", "app",
];

/// The defaults of every key.
pub(super) fn defaults() -> Config {
    Reader::new(Settings::new()).config()
}

/// Reads every key, and notes every mistake.
pub fn read(settings: Settings, mistakes: &mut Vec<String>) -> Config {
    let mut reader = Reader::new(settings);
    let config = reader.config();
    mistakes.append(&mut reader.mistakes);
    config
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
            log: self.log(),
            app: AppSettings::default(),
            settings: self.others(),
        }
    }

    /// The keys of sections that other parts of the runtime read.
    fn others(&mut self) -> BTreeMap<&'static str, String> {
        let section = |key: &ConfigKey| key.name.split('.').next().unwrap_or_default();
        let others = config::value_keys().filter(|key| !SECTIONS.contains(&section(key)));
        let settings = others.filter_map(|key| {
            let value = match key.kind {
                ConfigKind::Path => Some(self.path(key.name)),
                _ => self.text(key.name),
            };
            Some((key.name, value?))
        });
        settings.collect()
    }

    fn database(&mut self) -> DatabaseOptions {
        self.check_kinds();
        DatabaseOptions {
            url: self.text("database.url").unwrap_or_default(),
            synchronous: self
                .word("database.synchronous", |word| match word {
                    "full" => Synchronous::Full,
                    _ => Synchronous::Normal,
                })
                .unwrap_or_default(),
            root_certificate: self.text("database.root_certificate"),
            search_path: self.text("database.search_path"),
            statement_timeout: self
                .optional_duration("database.statement_timeout")
                .filter(|timeout| !timeout.is_zero()),
            isolation: self.word("database.isolation", |word| match word {
                "serializable" => Isolation::Serializable,
                "repeatable read" => Isolation::RepeatableRead,
                _ => Isolation::ReadCommitted,
            }),
            table_prefix: self.table_prefix(),
            max: self.integer("database.pool.max"),
            min: self.integer("database.pool.min"),
            acquire_timeout: self.duration("database.pool.acquire_timeout"),
            idle_timeout: Some(self.duration("database.pool.idle_timeout")),
            slow_statement: self
                .optional_duration("database.slow_statement")
                .filter(|slow| !slow.is_zero()),
        }
    }

    fn server(&mut self) -> ServerConfig {
        ServerConfig {
            addr: self.text("server.addr").unwrap_or_default(),
            max_connections: self.integer("server.max_connections"),
            shutdown_timeout: self.duration("server.shutdown_timeout"),
        }
    }

    fn api(&mut self) -> ApiConfig {
        let serializer = self.word("api.serializer", |word| match word {
            "json_api" => SerializerKind::JsonApi,
            _ => SerializerKind::Data,
        });
        ApiConfig {
            title: self.text("api.title").unwrap_or_default(),
            version: self.text("api.version").unwrap_or_default(),
            prefix: self.path("api.prefix"),
            base_url: self.base_url(),
            serializer: serializer.unwrap_or(SerializerKind::Data),
            rate_limit: self.integer("api.rate_limit"),
            trusted_proxies: self.networks(),
            body_limit: self.size("api.body_limit"),
            request_timeout: self.duration("api.request_timeout"),
            cors: self.cors(),
        }
    }

    fn cors(&mut self) -> CorsConfig {
        let cors = CorsConfig {
            origins: self.list("api.cors.origins"),
            methods: self.list("api.cors.methods"),
            headers: self.list("api.cors.headers"),
            credentials: self.boolean("api.cors.credentials"),
            max_age: self.duration("api.cors.max_age"),
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
        // With `*`, every page of the web could send requests with the credentials of its visitors.
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
            max_tokens: self.integer("auth.max_tokens"),
            authorization_header: self.header("auth.authorization_header"),
        }
    }

    fn log(&mut self) -> LogConfig {
        LogConfig {
            level: self.level(),
            format: self.word("log.format", |word| match word {
                "json" => LogFormat::Json,
                _ => LogFormat::Text,
            }),
        }
    }

    /// The value of a key, unless it is null.
    fn setting(&self, key: &str) -> Option<Setting> {
        self.settings
            .get(key)
            .filter(|setting| !setting.value.is_null())
            .cloned()
    }

    /// The value of a key as `read` understands it: its default where it is not set, a mistake that
    /// says what was expected where it cannot be read.
    fn value<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Option<T> {
        let Some(setting) = self.setting(key) else {
            let default = config::find(key)?.default?;
            return read(&Json::String(default.to_owned()));
        };
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

    /// Names with it need no quotes, and stay shorter than what every database keeps of a name.
    fn table_prefix(&mut self) -> String {
        let expected = "lower-case letters, digits and `_`, a letter first, 20 at most";
        let read = |value: &Json| {
            let prefix = value.as_str()?;
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            let is_prefix = prefix.starts_with(|c: char| c.is_ascii_lowercase())
                && prefix.len() <= 20
                && prefix.chars().all(fits);
            is_prefix.then(|| prefix.to_owned())
        };
        let prefix = self.value("database.table_prefix", expected, read);
        prefix.unwrap_or_default()
    }

    fn integer(&mut self, key: &str) -> u32 {
        let least = match kind(key) {
            Some(ConfigKind::Integer(least)) => least,
            _ => 0,
        };
        let expected = format!("a whole number, {least} or more");
        let number = |value: &Json| {
            scalar(value)?
                .parse()
                .ok()
                .filter(|number| *number >= least)
        };
        self.value(key, &expected, number).unwrap_or_default()
    }

    fn boolean(&mut self, key: &str) -> bool {
        let truth = |value: &Json| scalar(value)?.parse().ok();
        self.value(key, "true or false", truth).unwrap_or_default()
    }

    fn optional_duration(&mut self, key: &str) -> Option<Duration> {
        let expected = "a duration such as 30s, 5m, 12h or 30d";
        self.value(key, expected, |value| config::duration(&scalar(value)?))
    }

    fn duration(&mut self, key: &str) -> Duration {
        self.optional_duration(key).unwrap_or_default()
    }

    fn size(&mut self, key: &str) -> usize {
        let expected = "a size such as 1048576, 512KiB or 1MiB";
        let size = |value: &Json| config::size(&scalar(value)?);
        self.value(key, expected, size).unwrap_or_default()
    }

    /// One of the key's words, as what it means.
    fn word<T>(&mut self, key: &str, meaning: impl Fn(&str) -> T) -> Option<T> {
        let words = match kind(key) {
            Some(ConfigKind::Word(words)) => words,
            _ => &[],
        };
        let word = |value: &Json| {
            value
                .as_str()
                .filter(|word| words.contains(word))
                .map(&meaning)
        };
        self.value(key, &words.join(" or "), word)
    }

    /// A list, or in a variable its items with commas between.
    fn list(&mut self, key: &str) -> Vec<String> {
        self.value(key, "a list of texts", items)
            .unwrap_or_default()
    }

    /// The generator alone uses `database.kinds`: the service only refuses a wrong word there.
    fn check_kinds(&mut self) {
        let expected = "sqlite, postgres or mysql, or a list of them";
        let is_known = |kind: &String| config::DATABASES.contains(&kind.as_str());
        let known = |value: &Json| {
            let kinds = items(value)?;
            (!kinds.is_empty() && kinds.iter().all(is_known)).then_some(())
        };
        self.value("database.kinds", expected, known);
    }

    fn networks(&mut self) -> Vec<value::Network> {
        let expected = "a list of addresses such as 10.0.0.1 or 10.0.0.0/8";
        let networks = |value: &Json| items(value)?.iter().map(|it| it.parse().ok()).collect();
        self.value("api.trusted_proxies", expected, networks)
            .unwrap_or_default()
    }

    /// A path without a slash at its end.
    fn path(&mut self, key: &str) -> String {
        let path = |value: &Json| {
            let path = value.as_str().filter(|path| path.starts_with('/'))?;
            let legal = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
            path.chars()
                .all(legal)
                .then(|| path.trim_end_matches('/').to_owned())
        };
        let expected = "a path such as /api, of letters, digits, - _ . ~";
        self.value(key, expected, path).unwrap_or_default()
    }

    fn base_url(&mut self) -> Option<String> {
        let expected = "an address such as https://example.com, without spaces, ? and #";
        self.value("api.base_url", expected, |it| value::base_url(it.as_str()?))
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
            level.parse::<Targets>().ok().map(|_| level.to_owned())
        };
        self.value("log.level", expected, level).unwrap_or_default()
    }
}

fn kind(key: &str) -> Option<ConfigKind> {
    config::find(key).map(|key| key.kind)
}

/// A scalar as it is written: numbers and booleans of the file are read like the texts of
/// variables.
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

/// Whether a word can be sent in a CORS header.
fn is_word<T: std::str::FromStr>(word: &str) -> bool {
    word.parse::<T>().is_ok()
}
