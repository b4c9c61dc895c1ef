//! Media types of the project's own, beside JSON and JSON:API.

use formwork_data::{error::Result, value::Json};
use mediatype::MediaType;

use crate::{
    context::Context,
    rendering::{JSON, JSON_API},
};

/// Writes answers of default actions in a media type of the project's own, such as CSV or HAL: for
/// clients whose `Accept` prefers it. Errors stay in JSON.
///
/// Records are objects as the data rendering has them: included relations are inside, `fields[…]`
/// and `hidden` are applied.
pub trait Serializer: Send + Sync {
    /// The media type: `text/csv`.
    fn media_type(&self) -> &'static str;

    /// The body for a list. `meta` has the pagination, `links` those of its pages.
    ///
    /// # Errors
    ///
    /// The serializer's error: it is the answer of the request.
    fn list(&self, ctx: &Context, records: &[Json], meta: &Json, links: &Json) -> Result<Vec<u8>>;

    /// The body for one record. `meta` has the form for `create` and `edit`, and is null for other
    /// actions.
    ///
    /// # Errors
    ///
    /// The serializer's error: it is the answer of the request.
    fn record(&self, ctx: &Context, record: &Json, meta: &Json) -> Result<Vec<u8>>;
}

/// Mistakes in the media types of some serializers, in sentences.
pub(crate) fn mistakes(serializers: &[Box<dyn Serializer>]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut known = vec![JSON, JSON_API];
    for serializer in serializers {
        let media_type = serializer.media_type();
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
