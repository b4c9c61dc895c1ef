//! The keys of `formwork.yaml`. The generator reads the same file and keeps the same list.

/// Every key that holds a value; `database` may also hold the kinds themselves.
pub const KEYS: &[&str] = &[
    "database.kinds",
    "database.url",
    "database.pool.max",
    "database.pool.min",
    "database.pool.acquire_timeout",
    "database.pool.idle_timeout",
    "server.addr",
    "server.max_connections",
    "server.shutdown_timeout",
    "api.title",
    "api.version",
    "api.prefix",
    "api.base_url",
    "api.serializer",
    "api.rate_limit",
    "api.trusted_proxies",
    "api.body_limit",
    "api.request_timeout",
    "api.cors.origins",
    "api.cors.methods",
    "api.cors.headers",
    "api.cors.credentials",
    "api.cors.max_age",
    "auth.customers",
    "auth.token_lifetime",
    "auth.token_cache",
    "auth.authorization_header",
    "admin.path",
    "redis.url",
    "log.level",
    "log.format",
];

/// The key of this path, if it is one.
pub(super) fn key(path: &str) -> Option<&'static str> {
    KEYS.iter().copied().find(|key| *key == path)
}

/// Whether keys stand below this path.
pub(super) fn is_section(path: &str) -> bool {
    KEYS.iter().any(|key| {
        key.strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// What stands directly below a section (the empty path is the whole file).
fn members(section: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter_map(move |key| {
        let below = match section {
            "" => key,
            _ => key.strip_prefix(section)?.strip_prefix('.')?,
        };
        below.split('.').next()
    })
}

/// What was meant by a path that is no key: a neighbour, or the same name elsewhere.
pub(super) fn meant(path: &str) -> Option<String> {
    let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
    if let Some(near) = crate::suggestion::nearest(name, members(section)) {
        return Some(if section.is_empty() {
            near.to_owned()
        } else {
            format!("{section}.{near}")
        });
    }
    let last = |key: &&&str| key.rsplit('.').next() == Some(name);
    let elsewhere = KEYS.iter().find(last).copied();
    elsewhere
        .or_else(|| crate::suggestion::nearest(path, KEYS.iter().copied()))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found_nearby_and_elsewhere() {
        assert_eq!(meant("api.rate_limt").as_deref(), Some("api.rate_limit"));
        assert_eq!(meant("databse").as_deref(), Some("database"));
        assert_eq!(meant("rate_limit").as_deref(), Some("api.rate_limit"));
        assert_eq!(meant("ap.rate_limi").as_deref(), Some("api.rate_limit"));
        assert_eq!(meant("weather"), None);
    }
}
