//! The attributes of a record: those of its object in JSON:API, and which there are at all.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{adapter::RecordSerializer, outline::Outline, write_record};
use crate::{
    context::Context,
    error::{Error, Result},
    loaded::Loaded,
    loader::Includes,
    model::{Model, sampled},
    transformer::Transformer,
};

/// Writes what a transformer returns as the attributes of an object; its `links` go to `links`.
///
/// # Errors
/// 500 where the transformer returns no object.
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

/// The names of the attributes a transformer shows to this caller: of a blank record, and of one
/// with a value everywhere. `None` where it cannot say without a real one.
pub(crate) fn names<T: Transformer>(ctx: &Context) -> Option<BTreeSet<String>> {
    let shown = || {
        let mut names = BTreeSet::new();
        for record in [T::Model::defaults(), sampled()] {
            names.extend(
                shown_of::<T>(record, ctx)?
                    .into_iter()
                    .map(|(name, _)| name),
            );
        }
        Some(names)
    };
    // A transformer may count on what only real records have.
    catch_unwind(AssertUnwindSafe(shown)).ok().flatten()
}

fn shown_of<T: Transformer>(record: T::Model, ctx: &Context) -> Option<Map<String, Json>> {
    let mut out = Vec::new();
    write_record::<T>(&mut out, &Loaded::new(record), Includes::none(), ctx).ok()?;
    serde_json::from_slice(&out).ok()
}
