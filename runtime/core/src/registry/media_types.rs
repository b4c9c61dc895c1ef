//! Media types of the project's own serializers.

use mediatype::MediaType;

use crate::rendering::{JSON, JSON_API};

/// Mistakes in the media types of serializers, in sentences.
pub(super) fn misnamed(media_types: &[&str]) -> Vec<String> {
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
