//! Mistakes of a registry that its entries and routes make together.

use mediatype::MediaType;

use super::{Registry, mixed, routes, words};
use crate::rendering::{JSON, JSON_API};

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
    mistakes.extend(misnamed_media_types(&registry.media_types));
    mistakes.extend(routes::misplaced(
        &registry.routes,
        &keys,
        &registry.reserved,
    ));
    mistakes
}

/// Mistakes in the media types of serializers, in sentences.
fn misnamed_media_types(media_types: &[&str]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut known = vec![JSON, JSON_API];
    for media_type in media_types.iter().copied() {
        let read = MediaType::parse(media_type);
        let lower = media_type.to_ascii_lowercase();
        let is_plain =
            read.is_ok_and(|it| it.essence().to_string() == lower) && lower == media_type;
        if !is_plain || media_type.contains('*') {
            mistakes.push(format!(
                    "`{media_type}` cannot be the media type of a serializer: write it in lower-case letters and \
                     without parameters, as in `text/csv`"
                ));
        }
        if known.contains(&media_type) {
            mistakes.push(format!("two serializers write `{media_type}`"));
        }
        known.push(media_type);
    }
    mistakes
}
