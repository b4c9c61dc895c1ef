//! The keys of `formwork.yaml`.

use std::time::Duration;

use crate::did_you_mean::nearest;

/// The kind of value of a configuration key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigKind {
    /// A mapping of further keys.
    Section,
    /// `database`: a kind, a list of kinds, or a mapping.
    Database,
    /// Words of [`DATABASES`].
    Kinds,
    /// Any text.
    Text,
    /// An absolute `http` or `https` address.
    Url,
    /// A path that begins with `/`.
    Path,
    /// A table's name.
    Table,
    /// A header's name.
    Header,
    /// A whole number, at least this.
    Integer(u32),
    /// `true` or `false`.
    Boolean,
    /// Whole seconds, or `30s`, `5m`, `12h`, `30d`.
    Duration,
    /// Bytes, or `512KiB`, `1MiB`.
    Size,
    /// A list of texts.
    List,
    /// A list of outputs, which the generator alone reads.
    Outputs,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A mapping of the project's own, which a type of the project reads.
    Own,
}

/// A key of `formwork.yaml`. Each may be null, which means its default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigKey {
    /// The key; a dot goes down one mapping.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: ConfigKind,
    /// Its default as the file writes it, items of a list with commas between. `None`: it is off.
    pub default: Option<&'static str>,
}

impl ConfigKey {
    /// Whether it holds a value of its own; `database` and sections hold further keys.
    pub const fn holds_value(&self) -> bool {
        !matches!(self.kind, ConfigKind::Section | ConfigKind::Database)
    }
}

/// The kinds of database.
pub const DATABASES: &[&str] = &["sqlite", "postgres", "mysql"];

/// Every key of `formwork.yaml`.
pub const CONFIG_KEYS: &[ConfigKey] = &[
    key("database", ConfigKind::Database),
    key("database.kinds", ConfigKind::Kinds).or("sqlite"),
    key("database.url", ConfigKind::Text).or("sqlite://data/app.sqlite"),
    key("database.slow_statement", ConfigKind::Duration).or("1s"),
    key(
        "database.synchronous",
        ConfigKind::Word(&["normal", "full"]),
    )
    .or("normal"),
    key("database.root_certificate", ConfigKind::Text),
    key("database.search_path", ConfigKind::Text),
    key("database.statement_timeout", ConfigKind::Duration).or("10s"),
    key(
        "database.isolation",
        ConfigKind::Word(&["read committed", "repeatable read", "serializable"]),
    ),
    key("database.table_prefix", ConfigKind::Text),
    key("database.pool", ConfigKind::Section),
    key("database.pool.max", ConfigKind::Integer(1)).or("5"),
    key("database.pool.min", ConfigKind::Integer(0)).or("0"),
    key("database.pool.acquire_timeout", ConfigKind::Duration).or("5s"),
    key("database.pool.idle_timeout", ConfigKind::Duration).or("10m"),
    key("server", ConfigKind::Section),
    key("server.addr", ConfigKind::Text).or("127.0.0.1:8000"),
    key("server.max_connections", ConfigKind::Integer(1)).or("1000"),
    key("server.shutdown_timeout", ConfigKind::Duration).or("30s"),
    key("api", ConfigKind::Section),
    key("api.title", ConfigKind::Text).or("REST API"),
    key("api.version", ConfigKind::Text).or("1"),
    key("api.prefix", ConfigKind::Path).or("/api"),
    key("api.base_url", ConfigKind::Url),
    key("api.serializer", ConfigKind::Word(&["data", "json_api"])).or("data"),
    key("api.rate_limit", ConfigKind::Integer(0)).or("60"),
    key("api.trusted_proxies", ConfigKind::List).or(""),
    key("api.body_limit", ConfigKind::Size).or("1MiB"),
    key("api.request_timeout", ConfigKind::Duration).or("30s"),
    key("api.cors", ConfigKind::Section),
    key("api.cors.origins", ConfigKind::List).or("*"),
    key("api.cors.methods", ConfigKind::List).or("*"),
    key("api.cors.headers", ConfigKind::List).or("*"),
    key("api.cors.credentials", ConfigKind::Boolean).or("false"),
    key("api.cors.max_age", ConfigKind::Duration).or("0"),
    key("auth", ConfigKind::Section),
    key("auth.customers", ConfigKind::Table),
    key("auth.token_lifetime", ConfigKind::Duration),
    key("auth.max_tokens", ConfigKind::Integer(1)).or("100"),
    key("auth.authorization_header", ConfigKind::Header),
    key("admin", ConfigKind::Section),
    key("admin.path", ConfigKind::Path).or("/admin"),
    key("generate", ConfigKind::Section),
    key("generate.outputs", ConfigKind::Outputs),
    key("redis", ConfigKind::Section),
    key("redis.url", ConfigKind::Text),
    key("app", ConfigKind::Own),
    key("metrics", ConfigKind::Section),
    key("metrics.addr", ConfigKind::Text),
    key("log", ConfigKind::Section),
    key("log.level", ConfigKind::Text).or("info"),
    key("log.format", ConfigKind::Word(&["text", "json"])),
];

const fn key(name: &'static str, kind: ConfigKind) -> ConfigKey {
    let default = None;
    ConfigKey {
        name,
        kind,
        default,
    }
}

impl ConfigKey {
    const fn or(self, default: &'static str) -> Self {
        let default = Some(default);
        Self { default, ..self }
    }
}

/// The keys that hold a value.
pub fn value_keys() -> impl Iterator<Item = &'static ConfigKey> {
    CONFIG_KEYS.iter().filter(|key| key.holds_value())
}

/// The key of this name.
pub fn find(name: &str) -> Option<&'static ConfigKey> {
    CONFIG_KEYS.iter().find(|key| key.name == name)
}

/// The section of the project's own settings.
pub const OWN: &str = "app";

/// The keys directly below a section, with their names there. The empty section is the whole file.
pub fn members(section: &str) -> impl Iterator<Item = (&'static str, &'static ConfigKey)> {
    CONFIG_KEYS.iter().filter_map(move |key| {
        let below = match section {
            "" => key.name,
            _ => key.name.strip_prefix(section)?.strip_prefix('.')?,
        };
        (!below.contains('.')).then_some((below, key))
    })
}

/// The key that a mistyped path probably means: a neighbour, or the same name elsewhere.
pub fn meant(path: &str) -> Option<String> {
    let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
    if let Some(near) = nearest(name, members(section).map(|(name, _)| name)) {
        let full = members(section).find(|(name, _)| *name == near);
        return full.map(|(_, key)| key.name.to_owned());
    }
    let keys = || value_keys().map(|key| key.name);
    let elsewhere = keys().find(|key| key.rsplit('.').next() == Some(name));
    elsewhere
        .or_else(|| nearest(path, keys()))
        .map(str::to_owned)
}

/// Whether a text is an address that links begin with. It is written into headers and followed by a
/// path, so it has only characters of a URL (RFC 3986, section 2), and no query.
pub fn is_base_url(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let legal = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]@!$&'()*+,;=%".contains(c);
    host.is_some_and(|host| !host.is_empty() && !host.starts_with('/') && host.chars().all(legal))
}

/// The duration that a text writes: `30` (seconds), `30s`, `5m`, `12h`, `30d`.
pub fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "" | "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    number.checked_mul(seconds).map(Duration::from_secs)
}

/// The number of bytes that a text writes: `1048576`, `512KiB`, `1MiB`.
pub fn size(text: &str) -> Option<usize> {
    let (number, unit) = number_and_unit(text)?;
    let bytes = match unit {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    usize::try_from(number.checked_mul(bytes)?).ok()
}

fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests;
