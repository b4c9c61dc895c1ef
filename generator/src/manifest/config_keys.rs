//! The keys of `formwork.yaml`. The runtime reads the same file and keeps the same list.

/// What a configuration key holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigKind {
    /// A mapping of further keys.
    Section,
    /// `database`: a kind, a list of kinds, or a mapping.
    Database,
    /// Database kinds.
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
    Integer(i64),
    /// `true` or `false`.
    Boolean,
    /// Whole seconds, or `30s`, `5m`, `12h`, `30d`.
    Duration,
    /// Bytes, or `512KiB`, `1MiB`.
    Size,
    /// A list of texts.
    List,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// Every key of `formwork.yaml` with what it holds; a dot goes down one mapping. Each may be null.
pub const CONFIG_KEYS: &[(&str, ConfigKind)] = &[
    ("database", ConfigKind::Database),
    ("database.kinds", ConfigKind::Kinds),
    ("database.url", ConfigKind::Text),
    ("database.pool", ConfigKind::Section),
    ("database.pool.max", ConfigKind::Integer(1)),
    ("database.pool.min", ConfigKind::Integer(0)),
    ("database.pool.acquire_timeout", ConfigKind::Duration),
    ("database.pool.idle_timeout", ConfigKind::Duration),
    ("server", ConfigKind::Section),
    ("server.addr", ConfigKind::Text),
    ("server.max_connections", ConfigKind::Integer(1)),
    ("server.shutdown_timeout", ConfigKind::Duration),
    ("api", ConfigKind::Section),
    ("api.title", ConfigKind::Text),
    ("api.version", ConfigKind::Text),
    ("api.prefix", ConfigKind::Path),
    ("api.base_url", ConfigKind::Url),
    ("api.serializer", ConfigKind::Word(&["data", "json_api"])),
    ("api.rate_limit", ConfigKind::Integer(0)),
    ("api.trusted_proxies", ConfigKind::List),
    ("api.body_limit", ConfigKind::Size),
    ("api.request_timeout", ConfigKind::Duration),
    ("api.cors", ConfigKind::Section),
    ("api.cors.origins", ConfigKind::List),
    ("api.cors.methods", ConfigKind::List),
    ("api.cors.headers", ConfigKind::List),
    ("api.cors.credentials", ConfigKind::Boolean),
    ("api.cors.max_age", ConfigKind::Duration),
    ("auth", ConfigKind::Section),
    ("auth.customers", ConfigKind::Table),
    ("auth.token_lifetime", ConfigKind::Duration),
    ("auth.token_cache", ConfigKind::Duration),
    ("auth.authorization_header", ConfigKind::Header),
    ("admin", ConfigKind::Section),
    ("admin.path", ConfigKind::Path),
    ("redis", ConfigKind::Section),
    ("redis.url", ConfigKind::Text),
    ("log", ConfigKind::Section),
    ("log.level", ConfigKind::Text),
    ("log.format", ConfigKind::Word(&["text", "json"])),
];
