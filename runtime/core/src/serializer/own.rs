//! The data rendering, written again by a serializer of the project's own.

use formwork_data::error::{Error, Result};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::context::Context;

/// A document of the data rendering.
#[derive(Deserialize)]
struct DataDocument {
    data: Json,
    #[serde(default)]
    meta: Json,
    #[serde(default)]
    links: Json,
}

/// The body in this media type, of a document in the data rendering.
///
/// # Errors
/// The serializer's error.
pub(super) fn write(ctx: &Context, media_type: &str, document: &[u8]) -> Result<Vec<u8>> {
    let serializer = ctx.app().serializer(media_type);
    let serializer = serializer
        .ok_or_else(|| Error::internal(format!("no serializer writes `{media_type}`")))?;
    let DataDocument { data, meta, links } =
        serde_json::from_slice(document).map_err(Error::internal)?;
    match data {
        Json::Array(records) => serializer.list(ctx, &records, &meta, &links),
        record => serializer.record(ctx, &record, &meta),
    }
}
