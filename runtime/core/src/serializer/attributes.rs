//! The attributes of a record: those of its object in JSON:API.

use formwork_data::error::{Error, Result};
use serde::Serialize;

use super::adapter::RecordSerializer;
use crate::{context::Context, loaded::Loaded, outline::Outline, transformer::Transformer};

/// Writes what a transformer returns as the attributes of an object; its `links` go to `links`.
pub(crate) fn write_attributes<T: Transformer>(
    out: &mut Vec<u8>,
    links: &mut Vec<u8>,
    record: &Loaded<T::Model>,
    outline: Outline<'_>,
    ctx: &Context,
) -> Result<()> {
    let shown = T::transform(record, ctx);
    shown
        .serialize(RecordSerializer::new(out, outline).links_into(links))
        .map_err(Error::internal)?;
    out.push(b'}');
    Ok(())
}
