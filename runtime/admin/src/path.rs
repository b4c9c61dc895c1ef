//! The path of the area, `admin.path`, and the path at which browsers find it, below that of
//! `api.base_url`.

use formwork_core::{config::Config, registry::Registry};
use formwork_data::error::{Error, Result};

/// Where the service answers with the area: begins with a slash, ends with none.
pub(super) fn path(config: &Config) -> &str {
    config.setting("admin.path").unwrap_or_default()
}

/// Returns where browsers find the area.
pub(super) fn base(config: &Config) -> String {
    public(config, path(config))
}

/// Returns where browsers find a path of the service: a proxy may take the path of `api.base_url`
/// away before it sends a request on.
pub(super) fn public(config: &Config, path: &str) -> String {
    let base = config.api.base_url.as_deref().unwrap_or_default();
    let (_, base) = base.split_once("://").unwrap_or_default();
    let above = base.find('/').map_or("", |at| &base[at..]);
    format!("{above}{path}")
}

/// Refuses a path at which the service answers otherwise.
///
/// # Errors
///
/// 500 naming the other route.
pub(super) fn check(config: &Config, registry: &Registry) -> Result<()> {
    let (path, prefix) = (path(config), config.api.prefix.as_str());
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let refused = |why: String| Err(Error::internal(format!("admin.path: {why}")));
    if segments.iter().all(|segment| segment.is_empty()) {
        return refused("the admin area needs a path of its own, such as /admin".to_owned());
    }
    if segments
        .iter()
        .any(|segment| matches!(*segment, "" | "." | ".."))
    {
        return refused(format!(
            "`{path}` has an empty segment, `.` or `..`, which browsers remove"
        ));
    }
    if overlap(path, "/health") {
        return refused(format!("`{path}` is reserved for health checks"));
    }
    if !prefix.is_empty() {
        if overlap(path, prefix) {
            return refused(format!("`{path}` overlaps with api.prefix, `{prefix}`"));
        }
        return Ok(());
    }
    let first = segments[0];
    match at_root(registry).find(|taken| *taken == first || taken.starts_with('{')) {
        Some(taken) => refused(format!(
            "`{path}` is taken by `/{taken}` of the API, because api.prefix is empty"
        )),
        None => Ok(()),
    }
}

/// Whether one path is the other, or lies below it.
fn overlap(one: &str, other: &str) -> bool {
    let below = |path: &str, above: &str| {
        path.strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    below(one, other) || below(other, one)
}

/// The first segments of the API's paths.
fn at_root(registry: &Registry) -> impl Iterator<Item = &str> {
    let resources = registry
        .entries()
        .filter(|(_, entry)| entry.resource.is_some());
    let routes = registry.routes().iter().map(|route| route.path());
    let reserved = registry.reserved_paths().iter().copied();
    resources.map(|(_, entry)| entry.key).chain(
        routes
            .chain(reserved)
            .filter_map(|path| path.split('/').nth(1)),
    )
}
