//! Mistakes of a registry that its entries and routes make together.

use super::{Registry, media_types, mixed, routes, words};

/// Mistakes of a registry whose relations are resolved, in sentences: types of two tables, names of
/// rules and media types, paths of routes.
pub(crate) fn among(registry: &Registry) -> Vec<String> {
    let entries = &registry.entries;
    let resources = entries.iter().filter(|entry| entry.resource.is_some());
    let keys: Vec<&str> = resources.map(|entry| entry.key).collect();
    let mut mistakes = mixed::mixed_types(entries);
    mistakes.extend(words::misnamed(
        &registry.rule_words,
        entries,
        &registry.routes,
    ));
    mistakes.extend(media_types::misnamed(&registry.media_types));
    mistakes.extend(routes::misplaced(
        &registry.routes,
        &keys,
        &registry.reserved,
    ));
    mistakes
}
